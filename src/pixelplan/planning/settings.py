"""All settings of a search in one type, and the presets: the paper's four planners, and `best`."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Self

from pixelplan.errors import InputError, describe, suggest
from pixelplan.planning.best.settings import BestSettings
from pixelplan.planning.keywords import Keywords
from pixelplan.planning.paper_settings import PaperSettings
from pixelplan.planning.planners import check_planner
from pixelplan.planning.uct import UctSettings

if TYPE_CHECKING:
    from pixelplan.planning.simulator import Simulator

Preset = Literal["iw", "rollout", "ra", "ras", "best"]


@dataclass(frozen=True, kw_only=True)
class SearchSettings(Keywords, UctSettings, BestSettings, PaperSettings):
    """The settings of one lookahead: those of the paper, of `best`, and of UCT.

    The defaults are the preset ``ras``, and stay so: files say only how settings differ from them.
    """

    def __post_init__(self) -> None:
        """Refuse values that mean nothing."""
        super().__post_init__()
        check_planner(self.planner)

    @classmethod
    def advice_on(cls, name: str, value: object) -> str:
        """Say what to write instead of an unknown name. A preset is no setting: settings start from it."""
        return f"write {cls.example(value)}" if name == "preset" else super().advice_on(name, value)

    @classmethod
    def example(cls, word: object = None) -> str:
        """Return the settings of a preset."""
        preset = word if isinstance(word, str) and word in PRESETS else "best"
        return f"{cls.__name__}.from_preset({preset!r})"

    @classmethod
    def from_preset(cls, preset: str, **changes: Any) -> Self:  # noqa: ANN401
        """Return the settings of a preset, with some changes."""
        return cls(**(asdict(find_preset(preset)) | changes))


_RAS = SearchSettings()
_RA = replace(_RAS, subscoring=False)
_ROLLOUT = replace(_RA, risk_averse=False, nothing_found="random")
_IW = replace(_ROLLOUT, planner="iw")
_BEST = replace(
    _RAS,
    discount=0.99,
    lost_life_ends=True,
    cautious=True,
    persistence=0.5,
    foresight=True,
    curiosity=1e-6,
    verifications=3,
    patience=100,
    max_depth=15,
)

PRESETS: dict[str, SearchSettings] = {
    "iw": _IW,
    "rollout": _ROLLOUT,
    "ra": _RA,
    "ras": _RAS,
    "best": _BEST,
}
"""The planners of the paper's Table 2, as the published experiments ran, and one that plays better.

All of them are meant for games with lives. By its name, `best` is not averse to risk in other worlds.
"""


DEFAULT_PRESET: Preset = "best"
PLANNER_PRESET: Preset = "ras"
"""The default where a planner is named: `best` is made for Rollout IW."""


def default_preset(*, names_planner: bool) -> Preset:
    """Return the preset where none is named."""
    return PLANNER_PRESET if names_planner else DEFAULT_PRESET


def settings_for(
    world: Simulator, settings: SearchSettings | str | None, *, names_planner: bool = False
) -> SearchSettings:
    """Return the settings for a world, of a preset's name, or of the default preset.

    Where there are no lives, the default and `best` are not averse to risk: rewards are left as they are.
    """
    if isinstance(settings, SearchSettings):
        return settings
    named = find_preset(default_preset(names_planner=names_planner) if settings is None else settings)
    if settings is None or named is _BEST:
        return replace(named, risk_averse=getattr(world, "has_lives", False))
    return named


def find_preset(name: object) -> SearchSettings:
    """Return the settings of a preset."""
    if not isinstance(name, str):
        raise InputError(
            f"settings are SearchSettings or a preset's name, not {describe(name)}: write 'best'"
        )
    if name not in PRESETS:
        raise InputError(f"unknown preset {name!r}: {suggest(name, PRESETS)}")
    return PRESETS[name]
