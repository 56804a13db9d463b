"""All settings of a search in one type, and the presets: the paper's four planners, and `best`."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

from pixelplan.errors import InputError, suggest
from pixelplan.planning.best.settings import BestSettings
from pixelplan.planning.paper_settings import PaperSettings
from pixelplan.planning.planners import check_planner
from pixelplan.planning.uct import UctSettings

if TYPE_CHECKING:
    from pixelplan.planning.simulator import Simulator

Preset = Literal["iw", "rollout", "ra", "ras", "best"]


@dataclass(frozen=True, kw_only=True)
class SearchSettings(UctSettings, BestSettings, PaperSettings):
    """The settings of one lookahead: those of the paper, of `best`, and of UCT.

    The defaults are the preset ``ras``, and stay so: files say only how settings differ from them.
    """

    def __new__(cls, **values: object) -> Self:
        """Refuse names of no setting, in a line that tells what to write."""
        for name in values:
            if name in cls.__dataclass_fields__:
                continue
            if name == "preset":
                raise InputError(f"write {cls.__name__}.from_preset({values[name]!r}, ...)")
            raise InputError(f"unknown setting {name!r}: {suggest(name, cls.__dataclass_fields__)}")
        return super().__new__(cls)

    def __post_init__(self) -> None:
        """Refuse values that mean nothing."""
        super().__post_init__()
        check_planner(self.planner)

    @classmethod
    def from_preset(cls, preset: str, **changes: Any) -> Self:  # noqa: ANN401
        """Return the settings of a preset, with some changes."""
        return cls(**(asdict(find_preset(preset)) | changes))

    @property
    def is_verified(self) -> bool:
        """Whether a branch is believed only as far as it was followed.

        A cautious search that is averse to risk does so if it can find out: Rollout IW, by verifications.
        """
        can_find_out = self.planner == "rollout-iw" and self.verifications > 0
        return self.cautious and self.risk_averse and can_find_out


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
"""The planners of the paper's Table 2, as the published experiments ran, and one that plays better."""


def default_settings(world: Simulator) -> SearchSettings:
    """Return the settings for a world where none are given: those of `best`.

    Where there are no lives, rewards are left as they are, and nothing is averse to risk.
    """
    return replace(_BEST, risk_averse=getattr(world, "has_lives", False))


def find_preset(name: str) -> SearchSettings:
    """Return the settings of a preset."""
    if name not in get_args(Preset):
        raise InputError(f"unknown preset {name!r}: {suggest(str(name), PRESETS)}")
    return PRESETS[name]
