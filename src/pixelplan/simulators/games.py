"""The Atari games by name: ROM names, Gymnasium's names, and the paper's 58."""

from __future__ import annotations

import difflib
import re
from typing import Literal

from pixelplan.errors import InputError

ActionSet = Literal["full", "minimal"]
"""All 18 actions, or those that a game uses."""
FRAMES_PER_SECOND = 60
_VERSION = re.compile(r"-v\d+$")

PAPER_GAMES: tuple[str, ...] = (
    *("alien", "amidar", "assault", "asterix", "asteroids", "atlantis", "bank_heist", "battle_zone"),
    *("beam_rider", "berzerk", "bowling", "boxing", "breakout", "centipede", "chopper_command"),
    *("crazy_climber", "defender", "demon_attack", "double_dunk", "elevator_action", "enduro"),
    *("fishing_derby", "freeway", "frostbite", "gopher", "gravitar", "hero", "ice_hockey", "jamesbond"),
    *("kaboom", "kangaroo", "krull", "kung_fu_master", "montezuma_revenge", "ms_pacman"),
    *("name_this_game", "phoenix", "pitfall", "pong", "private_eye", "qbert", "riverraid", "road_runner"),
    *("robotank", "seaquest", "skiing", "solaris", "space_invaders", "star_gunner", "tennis"),
    *("time_pilot", "tutankham", "up_n_down", "venture", "video_pinball", "wizard_of_wor"),
    *("yars_revenge", "zaxxon"),
)
"""The games of the paper's Table 2."""

DEVELOPMENT_GAMES: tuple[str, ...] = (
    *("alien", "amidar", "assault", "asterix", "breakout", "enduro", "freeway", "frostbite", "gravitar"),
    *("hero", "kangaroo", "montezuma_revenge", "ms_pacman", "pong", "qbert", "riverraid", "seaquest"),
    *("space_invaders", "venture", "zaxxon"),
)
"""Games on which ideas may be tried and settings compared; the others are kept to test the outcome."""

OTHER_DUMPS: frozenset[str] = frozenset(
    (
        *("atlantis", "battle_zone", "berzerk", "defender", "demon_attack", "gravitar", "ice_hockey"),
        *("kaboom", "krull", "kung_fu_master", "ms_pacman", "name_this_game", "pitfall", "riverraid"),
        *("road_runner", "space_invaders", "venture", "yars_revenge"),
    )
)
"""Games whose ROM in ale-py is another dump than the paper's: scores may not be comparable."""


def gymnasium_name(rom: str) -> str:
    """Return Gymnasium's name of a ROM: ms_pacman -> ALE/MsPacman-v5."""
    return f"ALE/{''.join(word.capitalize() for word in rom.split('_'))}-v5"


def is_name_of_environment(name: str) -> bool:
    """Say whether a name has the form of Gymnasium's, of a world that is no Atari game."""
    return _VERSION.search(name) is not None and not name.startswith("ALE/")


def find_game(name: str, roms: list[str]) -> str:
    """Return the ROM that a name stands for, or raise InputError with the nearest one."""
    known = {gymnasium_name(rom).lower(): rom for rom in roms} | {rom: rom for rom in roms}
    wanted = name.strip().lower().replace(" ", "_")
    if wanted in known:
        return known[wanted]
    words = {rom.replace("_", ""): rom for rom in roms} | {rom: rom for rom in roms}
    nearest = difflib.get_close_matches(
        _VERSION.sub("", wanted.removeprefix("ale/")), words, n=1, cutoff=0.65
    )
    hint = f"did you mean {words[nearest[0]]}?" if nearest else "`pixelplan games` lists them"
    if is_name_of_environment(name) and not nearest:
        hint = f"it is no Atari game; write Agent(GymnasiumSimulator(gymnasium.make({name!r})))"
    raise InputError(f"unknown game {name!r}: {hint}")
