from __future__ import annotations

import pytest

from pixelplan.errors import InputError
from pixelplan.simulators.ale import rom_names
from pixelplan.simulators.games import OTHER_DUMPS, PAPER_GAMES, find_game, gymnasium_name


def test_the_paper_has_58_games_and_ale_has_them_all() -> None:
    assert len(PAPER_GAMES) == len(set(PAPER_GAMES)) == 58
    assert set(PAPER_GAMES) <= set(rom_names())
    assert set(PAPER_GAMES) >= OTHER_DUMPS
    assert len(OTHER_DUMPS) == 18


@pytest.mark.parametrize(
    ("name", "rom"),
    [
        ("breakout", "breakout"),
        ("Breakout", "breakout"),
        ("ms pacman", "ms_pacman"),
        ("ALE/Breakout-v5", "breakout"),
        ("ALE/MontezumaRevenge-v5", "montezuma_revenge"),
        ("ALE/UpNDown-v5", "up_n_down"),
        ("ALE/Jamesbond-v5", "jamesbond"),
    ],
)
def test_a_game_is_found_by_each_of_its_names(name: str, rom: str) -> None:
    assert find_game(name, rom_names()) == rom


def test_gymnasium_names_are_those_that_ale_registers() -> None:
    import ale_py
    import gymnasium

    gymnasium.register_envs(ale_py)
    registered = set(gymnasium.registry)
    assert {gymnasium_name(rom) for rom in PAPER_GAMES} <= registered


@pytest.mark.parametrize(
    ("name", "hint"), [("brekout", "breakout"), ("ALE/Brekout-v5", "breakout"), ("??", "pixelplan games")]
)
def test_an_unknown_game_gets_a_hint(name: str, hint: str) -> None:
    with pytest.raises(InputError, match=hint):
        find_game(name, rom_names())
