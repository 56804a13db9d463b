"""The feature set `pixels` against the emulator's own grey screens."""

from random import Random

import ale_py
import numpy as np
import pytest
from ale_py import roms

from pixelplan.features import reference
from pixelplan.features.background import Background
from pixelplan.features.feature_sets import FEATURE_SETS
from pixelplan.simulators.atari import AtariSimulator
from pixelplan.simulators.games import PAPER_GAMES

COLOURFUL_GAMES = ("yars_revenge", "star_gunner", "solaris", "atlantis", "demon_attack", "gopher")


class Emulator:
    """An emulator that pixelplan does not know, as a feature set sees it."""

    def __init__(self, game: str) -> None:
        self.ale = ale_py.ALEInterface()
        self.ale.setInt("random_seed", 1)
        self.ale.setFloat("repeat_action_probability", 0.0)
        self.ale.setInt("frame_skip", 15)
        self.ale.loadROM(str(roms.get_rom_path(game)))
        self.ale.reset_game()
        self.screen, self.ram = self.ale.getScreen, self.ale.getRAM

    def play(self, actions: int) -> set[int]:
        """Compare the features of some states with the grey screens; return the colours that were seen."""
        rng, colours = Random(1), set[int]()
        background = Background.of_screen(self.screen())
        for _ in range(actions):
            if self.ale.game_over():
                self.ale.reset_game()
            self.ale.act(rng.randrange(18))
            observation = FEATURE_SETS["pixels"].observe(background, self)
            assert observation == reference.mean_blocks(self.ale.getScreenGrayscale())
            colours |= set(np.unique(self.screen()).tolist())
        assert not background.departed.any()
        return colours


def test_luminance_is_the_emulators() -> None:
    """In games that show all of the 128 colours."""
    colours = set[int]().union(*(Emulator(game).play(40) for game in COLOURFUL_GAMES))
    assert colours == set(range(0, 256, 2))


@pytest.mark.slow
@pytest.mark.parametrize("game", PAPER_GAMES)
def test_luminance_is_the_emulators_in_all_games(game: str) -> None:
    assert Emulator(game).play(100)


def test_a_simulator_sees_luminance() -> None:
    emulator, simulator = Emulator("breakout"), AtariSimulator("breakout", features="pixels")
    state = simulator.root()
    for action in (1, 3, 4, 0):
        emulator.ale.act(action)
        transition = simulator.transition(state, action)
        assert transition.features == reference.mean_blocks(emulator.ale.getScreenGrayscale())
        state = transition.state
