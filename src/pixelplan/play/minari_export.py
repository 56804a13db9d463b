"""Offline data: recorded episodes as a Minari dataset, so that others can learn from the planner.

A run folder has actions and no screens: each episode is played again, and observed at each decision.
A dataset is written in a hidden folder of Minari's own and renamed, so it is complete or absent.
"""

from __future__ import annotations

import re
from importlib.metadata import version
from itertools import islice
from math import prod
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec
import numpy as np

from pixelplan.errors import InputError
from pixelplan.play.decision_record import to_columns
from pixelplan.play.recorded_run import read_run
from pixelplan.play.replay import replay_decisions
from pixelplan.simulators.ale import AtariGame
from pixelplan.simulators.games import gymnasium_name
from pixelplan.system.drafts import Draft

try:
    import h5py  # type: ignore[import-untyped]
    from gymnasium.envs.registration import EnvSpec
    from gymnasium.spaces import Box, Discrete
    from minari.data_collector.episode_buffer import EpisodeBuffer  # type: ignore[import-untyped]
    from minari.dataset.minari_storage import MinariStorage  # type: ignore[import-untyped]
    from minari.namespace import create_namespace, list_local_namespaces  # type: ignore[import-untyped]
    from minari.storage import get_dataset_path  # type: ignore[import-untyped]
except ModuleNotFoundError:
    raise InputError(
        "Minari datasets are an extra: pip install 'pixelplan[minari]', "
        "or in a checkout: .venv/bin/pip install --editable '.[minari]'"
    ) from None

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    import numpy.typing as npt

    from pixelplan.play.recorded_run import Run

Observations = Literal["rgb", "grayscale", "ram"]
"""As in Gymnasium's `obs_type` of Atari games."""

LOOKS: dict[Observations, tuple[tuple[int, ...], Callable[[AtariGame], npt.NDArray[np.uint8]]]] = {
    "rgb": ((210, 160, 3), AtariGame.rgb),
    "grayscale": ((210, 160), AtariGame.grayscale),
    "ram": ((128,), AtariGame.ram),
}
"""The shape of an observation, and how it is made."""

AFTER_THE_LAST: dict[str, float] = {
    "value": np.nan,
    "simulator_calls": 0,
    "late": False,
    "mispredicted": False,
}
"""What is told of each decision, and what stands beside the last observation, where nothing is decided."""

ALL_ACTIONS = 18
MAX_FRAMES = 108_000
"""Of an episode in the environment that the dataset names, as Gymnasium has it."""
BLOCK_DECISIONS = 64
"""So much of an episode is in memory at a time."""
CHUNK_BYTES = 100_800
"""A screen in colour: whoever wants one need not unpack others."""

DATASET_ID = re.compile(r"((?!data/|[\w-]+-v\d+/)[\w-]{2,}/)*[\w-]+-v\d+", re.ASCII)
"""Namespaces, name, version. Minari takes a folder that has a folder `data` for a dataset, and no dataset can
lie in another."""


class Standing(NamedTuple):
    """How a game stands when an action is decided, or at its end."""

    observation: npt.NDArray[np.uint8]
    score: int
    lives: int
    frames: int
    is_over: bool


def check_dataset_id(dataset_id: str) -> None:
    """Refuse an id that is none, or that is taken."""
    if not DATASET_ID.fullmatch(dataset_id):
        raise InputError(f"a Minari id looks like atari/breakout-v0, and not like {dataset_id!r}")
    if (place := get_dataset_path(dataset_id)).exists():
        raise InputError(f"{place} exists already: choose another version, or delete that one")


def read_exportable_run(folder: Path) -> Run:
    """Read a run folder; InputError says why it cannot be exported."""
    run = read_run(folder)
    if not run.decisions:
        raise InputError(f"{folder} has no decisions")
    return run


def export_runs(
    runs: Mapping[str, Run],
    dataset_id: str,
    *,
    observations: Observations = "rgb",
    on_decision: Callable[[], None] = lambda: None,
) -> Path:
    """Write named runs of one game as a dataset, and return where it is."""
    check_dataset_id(dataset_id)
    for name in ("game", "frameskip", "sticky"):
        _check_same(name, runs)
    # In the folder of all datasets, because folders of namespaces are made last.
    draft = Draft(get_dataset_path() / dataset_id.replace("/", "-"), is_folder=True)
    try:
        storage = _make_storage(draft.path / "data", dataset_id, list(runs.values()), observations)
        for number, (name, run) in enumerate(runs.items()):
            try:
                _write_episode(storage, number, run, observations, on_decision)
            except InputError as error:
                raise InputError(f"{name}: {error}") from None
            storage.update_episode_metadata([_describe(name, run)], [number])
        draft.path.chmod(0o755)
        namespace = dataset_id.rpartition("/")[0]
        if namespace and namespace not in list_local_namespaces():
            create_namespace(namespace)
        draft.place = get_dataset_path(dataset_id)
        return draft.finish()
    finally:
        draft.discard()


def _check_same(name: str, runs: Mapping[str, Run]) -> None:
    values = sorted({getattr(run.settings, name) for run in runs.values()})
    if len(values) > 1:
        hint = ": choose with --game" if name == "game" else ""
        raise InputError(f"a dataset has one {name}, and here are {', '.join(map(str, values))}{hint}")


def _make_storage(path: Path, dataset_id: str, runs: list[Run], observations: Observations) -> MinariStorage:
    settings = runs[0].settings
    kwargs = {
        "game": settings.game,
        "obs_type": observations,
        "frameskip": settings.frameskip,
        "repeat_action_probability": settings.sticky,
        "full_action_space": True,
        "max_num_frames_per_episode": MAX_FRAMES,
    }
    storage = MinariStorage.new(
        path,
        observation_space=Box(0, 255, LOOKS[observations][0], np.uint8),
        action_space=Discrete(ALL_ACTIONS),
        env_spec=EnvSpec(gymnasium_name(settings.game), entry_point="ale_py.env:AtariEnv", kwargs=kwargs),
        # JPEG is lossy, and would smear the colours of single pixels.
        jpeg_encoding=False,
    )
    storage.update_metadata(
        {
            "dataset_id": dataset_id,
            "minari_version": version("minari"),
            "algorithm_name": ", ".join(sorted({run.settings.planner for run in runs})),
            "description": f"{settings.game}, played by pixelplan, which plans and does not learn",
            "requirements": ["ale-py"],
        }
    )
    return storage


def _write_episode(
    storage: MinariStorage,
    number: int,
    run: Run,
    observations: Observations,
    on_decision: Callable[[], None],
) -> None:
    shape, look = LOOKS[observations]
    # Minari appends to what it finds. What it makes itself is not compressed, and 30 to 70 times as large.
    with h5py.File(storage.data_path / "main_data.hdf5", "a") as file:
        file.create_dataset(
            f"episode_{number}/observations",
            shape=(0, *shape),
            maxshape=(None, *shape),
            chunks=(CHUNK_BYTES // prod(shape), *shape),
            dtype=np.uint8,
            compression="gzip",
            compression_opts=1,
        )
    storage.update_episodes(_blocks(number, run, _watch(run, look, on_decision)))


def _watch(
    run: Run, look: Callable[[AtariGame], npt.NDArray[np.uint8]], on_decision: Callable[[], None]
) -> Iterator[Standing]:
    for episode in replay_decisions(run):
        game = episode.game
        yield Standing(look(game), episode.score, game.lives(), episode.frames, game.is_over())
        on_decision()


def _blocks(number: int, run: Run, standings: Iterator[Standing]) -> Iterator[EpisodeBuffer]:
    """Cut an episode into pieces. The last one has the last observation too."""
    decisions = to_columns(run.decisions)
    infos = {name: np.append(decisions[name], after) for name, after in AFTER_THE_LAST.items()}
    for start in range(0, len(run.decisions), BLOCK_DECISIONS):
        is_last = start + BLOCK_DECISIONS >= len(run.decisions)
        seen = list(islice(standings, None if is_last else BLOCK_DECISIONS))
        steps, sights = slice(start, start + BLOCK_DECISIONS), slice(start, start + len(seen))
        actions = decisions["action"][steps]
        is_end = np.zeros(len(actions), np.bool_)
        is_end[-1] = is_last
        yield EpisodeBuffer(
            id=number,
            observations=np.array([standing.observation for standing in seen]),
            actions=actions,
            rewards=decisions["reward"][steps].astype(np.float64),
            terminations=is_end & seen[-1].is_over,
            truncations=is_end & (not seen[-1].is_over),
            infos={
                "score": np.array([standing.score for standing in seen]),
                "lives": np.array([standing.lives for standing in seen]),
                "frames": np.array([standing.frames for standing in seen]),
                **{name: column[sights] for name, column in infos.items()},
            },
        )


def _describe(name: str, run: Run) -> dict[str, Any]:
    return {
        "run": name,
        "seed": run.settings.seed,
        # Minari counts the steps of the last block only.
        "total_steps": len(run.decisions),
        "settings": msgspec.json.encode(run.settings).decode(),
        "result": msgspec.json.encode(run.result).decode(),
        "versions": msgspec.json.encode(run.versions).decode(),
    }
