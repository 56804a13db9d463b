"""Episodes on a Ray cluster: one that exists already, or one of this machine alone."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import socket
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from pixelplan.errors import InputError
from pixelplan.experiments.engines.engine import Ended
from pixelplan.experiments.playing import is_timed, needs_cores, play_to_files

try:
    import ray
except ModuleNotFoundError:
    raise InputError(
        "the ray engine is an extra: pip install 'pixelplan[ray]', "
        "or in a checkout: .venv/bin/pip install --editable '.[ray]'"
    ) from None

if TYPE_CHECKING:
    from types import TracebackType

    from pixelplan.experiments.spec import Episode

CONNECT_SECONDS = 10.0
FOLDER_PREFIX = "pp-"


class RayEngine:
    """A Ray task per episode. Ray itself retries nothing: the sweep does, and keeps a record of it."""

    def __init__(self, *, cores: int, address: str | None = None) -> None:
        self._cores = cores
        self._address = address
        self._folder: Path | None = None
        self._running: dict[Any, Episode] = {}

    def __enter__(self) -> Self:
        """Join the cluster, or start one."""
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        options: dict[str, Any] = {"address": self._address}
        if self._address is None:
            # Otherwise Ray keeps a token in the home directory. A cluster's own rules stay as they are.
            os.environ["RAY_AUTH_MODE"] = "disabled"
            self._folder = _make_folder()
            options = {"address": "local", "num_cpus": self._cores, "_temp_dir": str(self._folder)}
            options["include_dashboard"] = False
        else:
            _check_cluster(self._address)
        on_termination = signal.getsignal(signal.SIGTERM)
        try:
            ray.init(log_to_driver=False, logging_level=logging.CRITICAL, **options)
        except BaseException as error:
            self._leave()
            if isinstance(error, (ConnectionError, ValueError)) and self._address is not None:
                raise InputError(f"no Ray cluster at {self._address}: {error}") from error
            raise
        # Ray has a handler of its own, which ends the process before anything can be put away.
        signal.signal(signal.SIGTERM, on_termination)
        self._play = ray.remote(max_retries=0)(play_to_files)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Stop episodes that are being played, and leave the cluster, or end it if it is ours."""
        try:
            for task in self._running:
                ray.cancel(task, force=True)
        finally:
            self._leave()

    def _leave(self) -> None:
        try:
            ray.shutdown()
        finally:
            if self._folder is not None:
                shutil.rmtree(self._folder, ignore_errors=True)

    def cores(self) -> int:
        """Return the number of cores that the cluster has now."""
        return int(ray.cluster_resources().get("CPU", 0))  # type: ignore[no-untyped-call]

    def start(self, episode: Episode) -> None:
        """Begin to play an episode where cores are free."""
        cores = needs_cores(episode.settings)
        machines = ray.nodes()  # type: ignore[no-untyped-call]
        largest = int(max(machine["Resources"].get("CPU", 0) for machine in machines if machine["Alive"]))
        if cores > largest and is_timed(episode.settings):
            raise InputError(
                f"{episode.name} needs {cores} cores to keep to its seconds: no machine has them"
            )
        # More than any machine has would be waited for without end.
        task = self._play.options(num_cpus=min(cores, largest)).remote(episode.settings)
        self._running[task] = episode

    def wait(self, seconds: float) -> Ended | None:
        """Return an episode that has ended, or None if none has after so many seconds."""
        ended, _ = ray.wait(list(self._running), num_returns=1, timeout=seconds)
        if not ended:
            return None
        episode = self._running.pop(ended[0])
        try:
            return Ended(episode=episode, files=ray.get(ended[0]))
        except ray.exceptions.RayTaskError as error:
            return Ended(episode=episode, error=f"{type(error.cause).__name__}: {error.cause}")
        except ray.exceptions.RayError as error:
            return Ended(episode=episode, error=f"{type(error).__name__}: {str(error).splitlines()[0]}")


def _make_folder() -> Path:
    """Make a folder for Ray's files, and remove those of processes that were killed."""
    # Short, because the paths of Ray's sockets must be.
    place = Path("/tmp")
    for old in place.glob(f"{FOLDER_PREFIX}*-*"):
        process_id = old.name.removeprefix(FOLDER_PREFIX).partition("-")[0]
        if not Path("/proc", process_id).exists():
            shutil.rmtree(old, ignore_errors=True)
    return Path(tempfile.mkdtemp(prefix=f"{FOLDER_PREFIX}{os.getpid()}-", dir=place))


def _check_cluster(address: str) -> None:
    """Refuse an address at which nobody listens: Ray itself would go on trying for many minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if port.isdecimal():
        try:
            socket.create_connection((host, int(port)), timeout=CONNECT_SECONDS).close()
        except (OSError, ValueError) as error:
            raise InputError(f"no Ray cluster at {address}: {error}") from None
