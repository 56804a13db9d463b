"""`pixelplan features`: list the feature sets."""

from __future__ import annotations

from dataclasses import dataclass

from pixelplan.cli.arguments import read_arguments
from pixelplan.cli.listing import print_listing
from pixelplan.features.atoms import ABOUT, FORM
from pixelplan.features.feature_sets import FEATURE_SETS


@dataclass(frozen=True, kw_only=True)
class Features:
    """List the feature sets, for `pixelplan play --features`."""


def run(arguments: list[str]) -> int:
    """List the feature sets."""
    read_arguments("features", Features(), arguments)
    return print_listing({name: known.about for name, known in FEATURE_SETS.items()} | {FORM: ABOUT})
