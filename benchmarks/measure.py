"""The figures of docs/performance.md: speed, alone and with workers, by feature set and in a free world; real
time; decision times and memory; start-up; strength; sweeps and reports; being watched.

Run it on an idle machine: `make measure`, or `make measure PARTS="speed decisions"`. Each part prints a
table in Markdown. `make measure PARTS=beside OTHER=../old` compares this checkout with another one.
"""

from __future__ import annotations

import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

PIXELPLAN = (sys.executable, "-m", "pixelplan")
PLAY = ("play", "--preset", "ras")
"""The strongest planner of the paper, which is what docs/performance.md is about."""

PAPER_SCORES = {
    "breakout": 79.8,
    "ms_pacman": 13_746.8,
    "alien": 8_550.0,
    "seaquest": 1_236.0,
    "freeway": 3.6,
    "assault": 264.6,
    "space_invaders": 1_812.0,
    "asterix": 48_700.0,
}
"""Paper, Table 1: RAS Rollout IW(1), 0.5 s a decision; 89 simulator calls in the median game."""


def run(*arguments: str, meanwhile: Callable[[int], None] = lambda _: None) -> dict[str, Any]:
    """Run a command and return the JSON object that it prints, with its peak memory in MB."""
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen([*PIXELPLAN, *arguments, "--json"], stdout=output)
        meanwhile(process.pid)
        _, status, usage = os.wait4(process.pid, 0)
        if status != 0:
            raise SystemExit(f"{' '.join(arguments)} failed")
        output.seek(0)
        result: dict[str, Any] = json.load(output)
    return result | {"peak_megabytes": usage.ru_maxrss / 1024}


def table(head: str, rows: list[str]) -> None:
    """Print a table."""
    print(
        f"| {head} |\n|{'---|' * (head.count('|') + 1)}",
        *(f"| {row} |" for row in rows),
        sep="\n",
        flush=True,
    )


def speed() -> None:
    """Planner calls per second over the bare emulator's, one core, ras, 0.5 s, 18 actions."""
    report = run("bench")
    rows = [
        f"{game['game']} | {game['raw_calls_per_second']:.0f} | {game['planner_calls_per_second']:.0f} | "
        f"{game['ratio']:.3f} | {game['kernel_us_per_node']:.0f} | {game['emulator_share']:.3f}"
        for game in report["games"]
    ]
    rows.append(f"geometric mean | | | {report['geometric_mean']:.3f} | | ")
    table("game | emulator calls/s | planner calls/s | ratio | kernel us/node | emulator share", rows)


def features() -> None:
    """The same for each feature set, in four games: geometric means."""
    from pixelplan.features.feature_sets import FEATURE_SETS

    rows = []
    for name in FEATURE_SETS:
        games = ("--games", "breakout", "ms_pacman", "qbert", "battle_zone")
        means = run("bench", "--features", name, "--decisions", "20", *games)["geometric_means"]
        rows.append(
            f"{name} | {means['raw_calls_per_second']:.0f} | {means['planner_calls_per_second']:.0f} | "
            f"{means['ratio']:.3f} | {means['kernel_us_per_node']:.0f} | {means['emulator_share']:.3f}"
        )
    table("features | emulator calls/s | planner calls/s | ratio | kernel us/node | emulator share", rows)


def free(nodes: int = 50_000) -> None:
    """New nodes per second where simulation costs next to nothing: grids, 4 actions, 20 atoms a state."""
    from pixelplan import Agent, Budget, Grid, SearchSettings

    settings = SearchSettings(
        risk_averse=False, subscoring=False, caching="none", nothing_found="random", no_effect_repeats=0
    )
    rows = []
    for size in (20, 30, 64):
        world, made, arrivals, seconds, lookaheads = Grid(draw_grid(size)), 0, 0, 0.0, 0
        while made < nodes:
            # Each lookahead ends when its root is solved; the next one begins with an empty table.
            trace = Agent(world, settings, seed=lookaheads).decide(Budget(calls=nodes)).trace
            made, arrivals = made + trace.new_nodes, arrivals + sum(trace.cases)
            seconds, lookaheads = seconds + trace.seconds, lookaheads + 1
        rows.append(f"{size} x {size} | {lookaheads} | {made / seconds:.0f} | {arrivals / made:.1f}")
    table("places | lookaheads | new nodes/s | arrivals for each new node", rows)


def draw_grid(size: int) -> str:
    """Draw an open square with 19 keys, and the start in its middle: with the place, 20 atoms a state."""
    lines = ["." * size] * size
    lines[0] = "abcdefghijklmnopqrs".ljust(size, ".")
    lines[size // 2] = "@".center(size, ".")
    return "\n".join(lines)


def workers() -> None:
    """Planner calls per second with 1 worker and with 2, over the planner's in one process."""
    for count in (1, 2):
        report = run("bench", "--workers", str(count))
        rows = [
            f"{game['game']} | {game['in_process_calls_per_second']:.0f} | "
            f"{game['planner_calls_per_second']:.0f} | {game['speedup']:.3f} | "
            f"{game['main_us_per_node']:.0f} | {game['novelty_us_per_node']:.0f}"
            for game in [*report["games"], {"game": "geometric mean"} | report["geometric_means"]]
        ]
        print(f"\nWorkers: {count}\n")
        table("game | in process, calls/s | calls/s | speedup | main us/node | novelty us/node", rows)


def feeding() -> None:
    """How calls per second grow with stand-in workers that sleep 1 ms, and what the tree costs."""
    from pixelplan import Agent, Budget
    from pixelplan.simulators.pool import AtariPool
    from stand_ins import SleepingEmulator

    rows = []
    for count in range(1, 9):
        with AtariPool("ms_pacman", workers=count, make_worker_emulator=SleepingEmulator) as simulator:
            agent = Agent(simulator)
            # The stand-ins play their game at random in the first decision.
            agent.decide(Budget(seconds=2.0))
            traces = []
            for _ in range(10):
                agent.observe(0)
                traces.append(agent.decide(Budget(seconds=0.5)).trace)
        calls = sum(trace.simulator_calls for trace in traces)
        calls_per_second = calls / sum(trace.seconds for trace in traces)
        main_us = 1e6 * sum(trace.cpu_seconds for trace in traces) / calls
        rows.append(f"{count} | {calls_per_second:.0f} | {main_us:.0f}")
    table("workers | calls/s | main us/node", rows)


def order() -> None:
    """What it costs to judge transitions in the order in which they were asked for, with 2 workers."""
    from pixelplan import Agent, Budget
    from pixelplan.simulators.pool import AtariPool

    rows = []
    for game in ("breakout", "ms_pacman", "alien", "qbert", "battle_zone", "solaris"):
        rates = []
        for is_deterministic in (False, True):
            with AtariPool(game, workers=2, is_deterministic=is_deterministic) as simulator:
                agent = Agent(simulator)
                traces = []
                for _ in range(10):
                    traces.append(agent.decide(Budget(calls=500)).trace)
                    agent.observe(0)
            rates.append(
                sum(trace.simulator_calls for trace in traces) / sum(trace.seconds for trace in traces)
            )
        rows.append(f"{game} | {rates[0]:.0f} | {rates[1]:.0f} | {rates[1] / rates[0]:.3f}")
    table("game | calls/s, as they come | calls/s, in order | ratio", rows)


def realtime() -> None:
    """Games in real time: late actions, and calls per decision beside the paper's 89 at its "0.5 s"."""
    rows = []
    for game, frames in (
        ("ms_pacman", 18_000),
        ("breakout", 3_600),
        ("battle_zone", 3_600),
        ("freeway", 3_600),
    ):
        stolen = stolen_seconds()
        summary = run(*PLAY, game, "--realtime", "--max-frames", str(frames))
        rows.append(_realtime_row(summary, stolen_seconds() - stolen))
    table(REALTIME_HEAD, rows)


def kills(count: int = 20, seconds: float = 60.0) -> None:
    """The same with workers that are killed, 20 in 60 s."""
    stolen = stolen_seconds()

    def kill(planner: int) -> None:
        # The game has begun to run by then.
        time.sleep(5)
        for _ in range(count):
            time.sleep((seconds - 10) / count)
            os.kill(random.choice(_worker_ids(planner)), signal.SIGKILL)

    frames = str(round(60 * seconds))
    summary = run(*PLAY, "ms_pacman", "--realtime", "--max-frames", frames, meanwhile=kill)
    table(REALTIME_HEAD, [_realtime_row(summary, stolen_seconds() - stolen)])


REALTIME_HEAD = (
    "game | decisions | late | mispredicted | workers replaced | calls per decision, mean | "
    "decision time, longest | score | steal time | peak memory of the tree's process"
)


def _realtime_row(summary: dict[str, Any], stolen: float) -> str:
    spread = summary["per_decision"]
    return (
        f"{summary['game']} | {summary['decisions']} | {summary['late']} | {summary['mispredicted']} | "
        f"{summary['replaced_workers']} | {spread['simulator_calls']['mean']:.0f} | "
        f"{spread['seconds']['max']:.4f} s | {summary['score']:,} | {stolen:.2f} s | "
        f"{summary['peak_megabytes']:.0f} MB"
    )


def _worker_ids(parent: int) -> list[int]:
    """Return the workers of a planner, which are its nice children; the played game is the other one."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [int(child) for child in children if os.getpriority(os.PRIO_PROCESS, int(child)) > 0]


def stolen_seconds() -> float:
    """Return the time that the hypervisor has taken from all CPUs since the machine started."""
    return int(Path("/proc/stat").read_text().split("\n")[0].split()[8]) / os.sysconf("SC_CLK_TCK")


def decisions(game: str = "ms_pacman", count: int = 1_000) -> None:
    """How well budgets hold in full episodes, at least 1,000 decisions, and the peak memory."""
    rows = []
    for budget in (0.25, 0.5):
        stolen = stolen_seconds()
        timed = ("--seconds", str(budget), "--workers", "0")
        summaries: list[dict[str, Any]] = []
        while sum(summary["decisions"] for summary in summaries) < count:
            summaries.append(run(*PLAY, game, *timed, "--seed", str(len(summaries))))
        played, overruns = (sum(summary[key] for summary in summaries) for key in ("decisions", "overruns"))
        spreads = [summary["per_decision"]["seconds"] for summary in summaries]
        p99, longest = (max(spread[key] for spread in spreads) for key in ("p99", "max"))
        peak = max(summary["peak_megabytes"] for summary in summaries)
        rows.append(
            f"{budget} s | {played} | {p99:.4f} s | {longest:.4f} s | {overruns} | "
            f"{stolen_seconds() - stolen:.2f} s | {peak:.0f} MB"
        )
    table("budget | decisions | p99 | longest | beyond budget + 5 ms | steal time | peak memory", rows)


def startup() -> None:
    """How long `pixelplan --help` takes, median of 20."""
    rows = []
    for arguments in (["--help"], ["play", "--help"]):
        seconds = []
        for _ in range(20):
            started = time.perf_counter()
            subprocess.run([*PIXELPLAN, *arguments], check=True, stdout=subprocess.DEVNULL)
            seconds.append(time.perf_counter() - started)
        rows.append(f"pixelplan {' '.join(arguments)} | {statistics.median(seconds):.3f} s")
    table("command | time", rows)


def strength(runs: int = 2) -> None:
    """Scores of ras at 89 calls a decision, 18 actions, 18,000 frames."""
    jobs = [(game, seed) for game in PAPER_SCORES for seed in range(runs)]

    def play(job: tuple[str, int]) -> int:
        game, seed = job
        score: int = run(*PLAY, game, "--calls", "89", "--seed", str(seed))["score"]
        return score

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        scores = dict(zip(jobs, pool.map(play, jobs), strict=True))
    rows = []
    for game, paper in PAPER_SCORES.items():
        own = ", ".join(f"{scores[game, seed]:,}" for seed in range(runs))
        rows.append(f"{game} | {own} | {paper:,}")
    table("game | score of each run | paper, 0.5 s", rows)


def sweep() -> None:
    """What a sweep costs beside the playing: the smoke test."""
    from sweeps import sweep_smoke

    cost = sweep_smoke()
    table(
        "wall-clock time | playing | calls | waiting for the last episode | overhead",
        [
            f"{cost.wall_seconds:.1f} s | {cost.playing:.1f} core s | {cost.calls:,} | "
            f"{cost.waiting_for_the_last:.1f} core s | {cost.overhead:.2%}"
        ],
    )


def report() -> None:
    """A report on 58 x 4 x 5 made-up runs with 1,200 decisions each."""
    from sweeps import report_on_made_up_runs

    command = report_on_made_up_runs()
    table("time | peak memory", [f"{command.seconds:.1f} s | {command.peak_megabytes:.0f} MB"])


def watching(runs: int = 3) -> None:
    """The planner watched by a page, beside one that does not read; the page in a browser."""
    import watching as watched

    speeds = [(watched.unwatched_calls_per_second(), watched.watched_calls_per_second()) for _ in range(runs)]
    rows = [f"{alone:.0f} | {seen:.0f} | {seen / alone:.3f}" for alone, seen in speeds]
    table("unwatched, calls/s | watched, calls/s | ratio", rows)
    print()
    nodes, milliseconds = watched.draw_milliseconds(2_000)
    table(
        "median time between frames | tree drawn | page",
        [
            f"{watched.frame_interval(10.0):.1f} ms | {nodes:,} nodes in {milliseconds:.1f} ms | "
            f"{watched.page_kilobytes():.0f} kB"
        ],
    )


def reliability() -> None:
    """Kills, signals, full disks, damaged folders and hostile clients: how many are survived."""
    from reliability import survivals

    table(
        "attack | tries | survived", [f"{one.attack} | {one.tries} | {one.survived}" for one in survivals()]
    )


def beside() -> None:
    """CPU seconds of the same episodes in this checkout and in another one, which OTHER names."""
    from beside import cpu_ratios

    if "OTHER" not in os.environ:
        print("left out: name the other checkout, as in `make measure PARTS=beside OTHER=../old`")
        return
    rows = [
        f"{preset} | {ratio.median:.4f} | {ratio.low:.4f} to {ratio.high:.4f} | {ratio.is_same}"
        for preset, ratio in cpu_ratios(Path(os.environ["OTHER"])).items()
    ]
    table("preset | this checkout / the other one, median | 95 % interval | same searches", rows)


PARTS: dict[str, Callable[[], None]] = {
    "speed": speed,
    "features": features,
    "free": free,
    "workers": workers,
    "feeding": feeding,
    "order": order,
    "realtime": realtime,
    "kills": kills,
    "decisions": decisions,
    "startup": startup,
    "strength": strength,
    "sweep": sweep,
    "report": report,
    "watching": watching,
    "reliability": reliability,
    "beside": beside,
}


def main() -> None:
    """Measure the parts named, or all."""
    for name in sys.argv[1:] or PARTS:
        print(f"\n## {name}: {PARTS[name].__doc__}\n", flush=True)
        PARTS[name]()


if __name__ == "__main__":
    main()
