from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pixelplan.errors import InputError
from pixelplan.experiments.spec import Episode, make_experiment, read_spec
from pixelplan.planning.settings import PRESETS
from pixelplan.reference.scores import paper_calls
from pixelplan.simulators.games import DEVELOPMENT_GAMES, PAPER_GAMES

SPECS = sorted(Path(__file__).parents[2].glob("experiments/*.toml"))
BASE: dict[str, Any] = {"title": "Test", "games": ["pong"], "columns": {"ras": {"calls": 5}}}


def only(**changes: object) -> Episode:
    (episode,) = make_experiment(BASE | changes).episodes
    return episode


def test_a_column_has_its_preset_and_the_protocol_of_the_paper() -> None:
    settings = only().settings
    assert vars(PRESETS["ras"]).items() <= vars(settings).items()
    assert (settings.calls, settings.seconds, settings.sticky) == (5, None, 0.0)
    assert (settings.frameskip, settings.max_frames, settings.noops) == (15, 18_000, 29)
    assert settings.actions == "full"


def test_the_other_protocol_has_sticky_actions() -> None:
    assert only(protocol="machado2018").settings == replace(only().settings, sticky=0.25, noops=0)


def test_a_column_overrides_the_shared_settings_which_override_the_preset() -> None:
    columns = {"iw": {"preset": "iw", "calls": 5}, "own": {"preset": "iw", "calls": 6, "caching": "none"}}
    experiment = make_experiment(BASE | {"columns": columns, "settings": {"caching": "partial"}})
    first, second = (episode.settings for episode in experiment.episodes)
    assert (first.planner, first.caching, first.calls) == ("iw", "partial", 5)
    assert (second.planner, second.caching, second.calls) == ("iw", "none", 6)


def test_run_1_of_everything_comes_before_run_2() -> None:
    columns = {"a": {"calls": 1}, "b": {"calls": 2, "runs": 1, "games": ["ALE/Breakout-v5"]}}
    experiment = make_experiment(BASE | {"columns": columns, "seeds": [7, 3], "games": ["pong", "hero"]})
    names = [episode.name for episode in experiment.episodes]
    assert names == ["a/pong-1", "a/hero-1", "b/breakout-1", "a/pong-2", "a/hero-2"]
    assert [episode.settings.seed for episode in experiment.episodes] == [7, 7, 7, 3, 3]


def test_seeds_are_0_1_2_unless_they_are_listed() -> None:
    assert [episode.settings.seed for episode in make_experiment(BASE | {"runs": 3}).episodes] == [0, 1, 2]
    listed = make_experiment(BASE | {"runs": 2, "seeds": [5, 4, 3]})
    assert [episode.settings.seed for episode in listed.episodes] == [5, 4]


def test_games_may_have_budgets_of_their_own() -> None:
    columns = {"a": {"seconds": {"pong": 0.5, "hero": 1, "breakout": 2}}}
    experiment = make_experiment(BASE | {"columns": columns, "games": ["pong", "hero"]})
    assert [episode.settings.seconds for episode in experiment.episodes] == [0.5, 1]


def test_budgets_may_be_those_of_the_published_runs() -> None:
    spec = {"title": "Test", "columns": {"ras": {"calls": "ras_rollout_iw1_0.5s"}}}
    calls = {episode.game: episode.settings.calls for episode in make_experiment(spec).episodes}
    assert set(calls) == set(PAPER_GAMES)
    assert calls == paper_calls().columns["ras_rollout_iw1_0.5s"]
    assert (calls["kung_fu_master"], calls["asteroids"]) == (49, 270)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"colums": {}}, "unknown key 'colums': did you mean columns?"),
        ({"title": 3}, "title: expected str, got int"),
        ({"protocol": "paper"}, "protocol: unknown protocol 'paper': did you mean paper2018?"),
        ({"games": ["ponk"]}, "games: unknown game 'ponk': did you mean pong?"),
        ({"games": "papers"}, "games: unknown list of games 'papers': did you mean paper?"),
        ({"games": []}, "games: there is none"),
        ({"games": ["pong", "ALE/Pong-v5"]}, "games: pong is there twice"),
        ({"games": ["pooyan"]}, "games: pooyan has a screen of 220 lines"),
        ({"runs": "2"}, "runs: expected int, got str"),
        ({"runs": 0}, "runs: must be at least 1, not 0"),
        ({"runs": 3, "seeds": [5, 6]}, "runs: 3 runs need 3 seeds, there are 2"),
        ({"seeds": [-1]}, "runs: seeds must be 0 or more, not -1"),
        ({"seeds": ["x"]}, "seeds[0]: expected int, got str"),
        ({"settings": {"game": "pong"}}, "settings: unknown key 'game': give games"),
        ({"columns": {"r": {"seed": 3}}}, "columns.r: unknown key 'seed': give runs or seeds"),
        ({"settings": {"cachin": "full"}}, "settings: unknown key 'cachin': did you mean caching?"),
        ({"settings": {"caching": "ful"}}, "settings.caching: choose from none, partial, full"),
        ({"settings": {"frameskip": 0}}, "settings.frameskip: frameskip must be between 1 and 18000, not 0"),
        ({"columns": {}}, "columns: there is none"),
        ({"columns": {"R S": {"calls": 3}}}, "columns.R S: a column's name"),
        ({"columns": {"..": {"calls": 3}}}, "columns...: a column's name"),
        ({"columns": {"r": 3}}, "columns.r: expected a table"),
        ({"columns": {"r": {}}}, "columns.r: no budget: give seconds or calls"),
        ({"columns": {"r": {"callz": 3}}}, "columns.r: unknown key 'callz': did you mean calls?"),
        ({"columns": {"r": {"calls": -1}}}, "columns.r.calls: calls must be at least 1, not -1"),
        ({"columns": {"r": {"calls": "x"}}}, "columns.r.calls: unknown column of published calls 'x'"),
        ({"columns": {"r": {"calls": {"hero": 3}}}}, "columns.r.calls: nothing is said for pong"),
        ({"columns": {"r": {"calls": {"pong": 3, "heros": 3}}}}, "columns.r.calls: unknown game 'heros'"),
        ({"columns": {"r": {"seconds": "1"}}}, "columns.r.seconds: expected float, got str"),
        ({"columns": {"r": {"calls": 3, "preset": "rus"}}}, "columns.r.preset: unknown preset 'rus'"),
        ({"columns": {"r": {"calls": 3, "planner": "bfs"}}}, "columns.r.planner: unknown planner 'bfs'"),
        ({"columns": {"r": {"calls": 3, "planner": 5}}}, "columns.r.planner: expected str, got int"),
        (
            {"columns": {"r": {"calls": 3, "features": "smell"}}},
            "columns.r.features: unknown features 'smell'",
        ),
        ({"columns": {"r": {"calls": 3, "paper": "x"}}}, "columns.r.paper: unknown column of the paper"),
        ({"columns": {"r": {"calls": 3, "formerly": "../r"}}}, "columns.r.formerly: a column's name"),
        (
            {"columns": {"r": {"calls": 3}, "s": {"calls": 3, "formerly": "r"}}},
            "columns.s.formerly: r is another column's name",
        ),
        ({"columns": {"r": {"seconds": 1.0, "realtime": True}}}, "columns.r.seconds: a real-time game"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(changes: dict[str, object], complaint: str) -> None:
    with pytest.raises(InputError) as error:
        make_experiment(BASE | changes, "spec.toml: ")
    assert str(error.value).startswith(f"spec.toml: {complaint}")


@pytest.mark.parametrize("key", ["title", "columns"])
def test_what_is_missing_is_said(key: str) -> None:
    spec = {name: value for name, value in BASE.items() if name != key}
    with pytest.raises(InputError, match=f"spec.toml: {key}: there is none"):
        make_experiment(spec, "spec.toml: ")


def test_a_file_that_is_not_toml_is_refused_with_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "spec.toml"
    path.write_text('title = "x"\nruns = = 3\n')
    with pytest.raises(InputError, match=r"spec\.toml: .*line 2, column 8"):
        read_spec(path)
    path.write_bytes(b"title = '\xff'")
    with pytest.raises(InputError, match=r"spec\.toml"):
        read_spec(path)


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_the_specs_of_the_project_are_sound(path: Path) -> None:
    experiment = read_spec(path)
    assert experiment.episodes
    twin = path.with_name(f"{path.stem}-calls.toml")
    if twin.exists():
        same = read_spec(twin)
        assert [episode.name for episode in same.episodes] == [
            episode.name for episode in experiment.episodes
        ]
        assert [column.paper for column in same.columns] == [column.paper for column in experiment.columns]
        assert all(e.settings.calls and e.settings.caching in ("partial",) for e in same.episodes)


def test_there_is_a_spec_for_each_table_and_figure_and_its_twin() -> None:
    stems = {path.stem for path in SPECS}
    wanted = {"table1", "table2", "figure-scatter", "figure-bars"}
    twins = {f"{stem}-calls" for stem in wanted}
    assert stems == wanted | twins | {"smoke", "results", "baselines", "best", "strength"}


def test_table_2_has_all_columns_of_the_paper_with_58_games_and_5_runs() -> None:
    table = read_spec(next(path for path in SPECS if path.stem == "table2"))
    assert [column.paper for column in table.columns] == [
        *("iw1_ram", "iw1_0.5s", "iw1_32s", "rollout_iw1_0.5s", "rollout_iw1_32s"),
        *("ra_rollout_iw1_0.5s", "ra_rollout_iw1_32s", "ras_rollout_iw1_0.5s", "ras_rollout_iw1_32s"),
    ]
    assert len(table.episodes) == 9 * 58 * 5
    ram = table.episodes[0].settings
    assert (ram.features, ram.frameskip, ram.calls) == ("ram-bytes", 5, 30_000)


def test_the_results_cover_all_games_twice_and_twenty_games_by_every_planner() -> None:
    experiment = read_spec(next(path for path in SPECS if path.stem == "results"))
    names = {episode.name for episode in experiment.episodes}
    ras = {f"ras/{game}-{run}" for game in PAPER_GAMES for run in (1, 2)}
    assert names == ras | {f"{column}/{g}-1" for column in ("ra", "rollout", "iw") for g in DEVELOPMENT_GAMES}
