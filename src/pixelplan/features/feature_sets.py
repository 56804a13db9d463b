"""The feature sets by name. A new set is one more entry, made of parts old and new."""

from __future__ import annotations

from functools import partial

from pixelplan.errors import InputError, describe, suggest
from pixelplan.features._kernel import (
    BASIC_ATOMS,
    BLOB_ATOMS,
    SPACE_ATOMS,
    TIME_ATOMS,
    BlobTable,
    NoveltyTable,
)
from pixelplan.features.atoms import FORM, import_atom_set, is_atom_name
from pixelplan.features.familiarity import (
    BLOB_PLACES,
    NumberedFamiliarity,
    TileFamiliarity,
    blob_numbers,
    familiarity_of_values,
)
from pixelplan.features.feature_set import DEFAULT_FEATURES, FeatureSet, current_alone
from pixelplan.features.observation import observe_blobs, observe_luminance, observe_ram, observe_tiles
from pixelplan.features.screens import ScreenFeatures, ScreenTable, screen_alone
from pixelplan.features.variables import BLOCKS, RAM_BITS, RAM_BYTES, VariableTable, describe_bits

__all__ = ["DEFAULT_FEATURES", "FEATURE_SETS", "FeatureSet", "check_name", "find_feature_set"]

FEATURE_SETS: dict[str, FeatureSet] = {
    "b-prost": FeatureSet(
        about="colours in tiles, and offsets between them on the screen and since the one before",
        kind="tiles",
        observe=observe_tiles,
        describe=ScreenFeatures,
        make_table=partial(ScreenTable, NoveltyTable),
        make_familiarity=TileFamiliarity,
        needs_background=True,
        max_atoms=BASIC_ATOMS + SPACE_ATOMS + TIME_ATOMS,
    ),
    "basic": FeatureSet(
        about="colours in tiles",
        kind="tiles",
        observe=observe_tiles,
        describe=screen_alone,
        make_table=partial(ScreenTable, partial(NoveltyTable, in_space=False)),
        make_familiarity=TileFamiliarity,
        needs_background=True,
        max_atoms=BASIC_ATOMS,
    ),
    "b-pros": FeatureSet(
        about="colours in tiles, and offsets between them on the screen",
        kind="tiles",
        observe=observe_tiles,
        describe=screen_alone,
        make_table=partial(ScreenTable, NoveltyTable),
        make_familiarity=TileFamiliarity,
        needs_background=True,
        max_atoms=BASIC_ATOMS + SPACE_ATOMS,
    ),
    "b-prot": FeatureSet(
        about="colours in tiles, and offsets between them since the screen before",
        kind="tiles",
        observe=observe_tiles,
        describe=ScreenFeatures,
        make_table=partial(ScreenTable, partial(NoveltyTable, in_space=False)),
        make_familiarity=TileFamiliarity,
        needs_background=True,
        max_atoms=BASIC_ATOMS + TIME_ATOMS,
    ),
    "blob-prost": FeatureSet(
        about="blobs of one colour in finer tiles, and offsets between them as in b-prost",
        kind="blobs",
        observe=observe_blobs,
        describe=ScreenFeatures,
        make_table=partial(ScreenTable, BlobTable),
        make_familiarity=partial(NumberedFamiliarity, blob_numbers, BLOB_PLACES),
        needs_background=True,
        max_atoms=BLOB_ATOMS,
    ),
    "ram-bytes": FeatureSet(
        about="the console's memory: 128 variables of 256 values",
        kind="variables",
        observe=observe_ram,
        describe=current_alone,
        make_table=partial(VariableTable, RAM_BYTES, 256),
        make_familiarity=partial(familiarity_of_values, RAM_BYTES, 256),
        needs_background=False,
        max_atoms=RAM_BYTES,
    ),
    "ram-bits": FeatureSet(
        about="the bits of the console's memory: 1,024 variables of 2 values",
        kind="variables",
        observe=observe_ram,
        describe=describe_bits,
        make_table=partial(VariableTable, RAM_BITS, 2),
        make_familiarity=partial(familiarity_of_values, RAM_BITS, 2),
        needs_background=False,
        max_atoms=RAM_BITS,
    ),
    "pixels": FeatureSet(
        about="the screen's luminance in blocks of 2 x 2 pixels: 8,400 variables of 256 values",
        kind="variables",
        observe=observe_luminance,
        describe=current_alone,
        make_table=partial(VariableTable, BLOCKS, 256),
        make_familiarity=partial(familiarity_of_values, BLOCKS, 256),
        needs_background=False,
        max_atoms=BLOCKS,
    ),
}


def find_feature_set(features: str | FeatureSet) -> FeatureSet:
    """Return the feature set of a name, which may be a function's, see atoms.py; a set is itself."""
    if isinstance(features, FeatureSet):
        return features
    if not isinstance(features, str):
        raise InputError(
            f"features are a name or a FeatureSet, not {describe(features)}: write features={FORM!r}"
        )
    check_name(features)
    return import_atom_set(features) if is_atom_name(features) else FEATURE_SETS[features]


def check_name(name: str) -> None:
    """Refuse names that no feature set has. A function is imported when it is used."""
    if name not in FEATURE_SETS and not is_atom_name(name):
        raise InputError(f"unknown features {name!r}: {suggest(name, [*FEATURE_SETS, FORM])}")
