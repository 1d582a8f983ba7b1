"""The parent of workers with children that start at once (`harness.servers.toy_worker`), in a process of its own."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import httpx

from harness.servers.child import WITH_HARNESS
from harness.servers.worker_processes import assigned_workers, workers_of
from harness.suite.patience import PATIENCE
from tallyroom.core.data_directory import hold_directory
from tallyroom.core.errors import TallyroomError
from tallyroom.core.log import configure_logging
from tallyroom.core.settings import Settings
from tallyroom.server.announcement import Announcement, InitSystem
from tallyroom.server.protocol.sockets import open_listeners
from tallyroom.server.workers.folders import build_assignments
from tallyroom.server.workers.parent import Parent
from tallyroom.server.workers.reserve import Reserve

CHILD = "harness.servers.toy_worker"

_METRICS = "metrics at "


class ToyParent:
    """The test's side.

    Args:
        data: the data directory.
        workers: how many serve.
    """

    def __init__(self, data: Path, workers: int) -> None:
        self.data = data
        self.output = ""
        self._workers = workers
        self._port = self._metrics_port = 0

    def launch(self) -> "ToyParent":
        """Start without waiting."""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "harness.servers.toy_parent", str(self.data), str(self._workers)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=os.environ | WITH_HARNESS,
        )
        return self

    def start(self) -> "ToyParent":
        """Start, and return when all serve."""
        self.launch()
        assert self.process.stdout
        for line in self.process.stdout:
            self.output += line
            if line.startswith(_METRICS):
                self._metrics_port = int(line.removeprefix(_METRICS))
            if " listens on " in line:
                self._port = int(line.split(" listens on ")[1].split()[0].rsplit(":", 1)[1])
                return self
        raise AssertionError(f"it did not start:\n{self.output}")

    def ask(self, word: str = "who") -> tuple[str, int]:
        """The name and the process id of the child that answers; a send is tried again as clients do."""
        deadline = time.monotonic() + PATIENCE
        while True:
            with suppress(OSError, ValueError), socket.create_connection(("127.0.0.1", self._port), PATIENCE) as client:
                client.sendall(f"{word}\n".encode())
                name, pid = client.makefile().readline().split()
                return name, int(pid)
            assert time.monotonic() < deadline, "nobody answers"
            time.sleep(0.01)

    def is_refused(self) -> bool:
        """Whether nobody listens any more."""
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", self._port)) != 0

    def numbers(self) -> dict[str, float]:
        """What it tells at `/metrics`, by names with their labels."""
        text = httpx.get(f"http://127.0.0.1:{self._metrics_port}/metrics", timeout=PATIENCE).raise_for_status().text
        lines = [line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#")]
        assert len({name for name, _ in lines}) == len(lines), text
        return {name: float(value) for name, value in lines}

    def children(self) -> list[int]:
        """The process ids of the children that have an assignment."""
        return sorted(assigned_workers(self.process.pid, CHILD))

    def in_reserve(self) -> list[int]:
        """The process id of the child without one, if there is such a child."""
        return sorted(set(workers_of(self.process.pid, CHILD)) - set(self.children()))

    def end(self) -> int:
        """Wait for its end; returns the exit status."""
        assert self.process.stdout
        rest, _ = self.process.communicate(timeout=PATIENCE)
        self.output += rest
        return self.process.returncode

    def kill(self) -> None:
        """`kill -9`; its children, which have its output, may go on for a while."""
        self.process.kill()
        self.process.wait(PATIENCE)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send it a signal, and wait for its end."""
        self.process.send_signal(number)
        return self.end()


def _main() -> None:
    data, workers = Path(sys.argv[1]), int(sys.argv[2])
    settings = Settings(data=str(data), port=0, workers=workers)
    configure_logging("info")
    with (
        open_listeners(settings.host, 0) as sockets,
        open_listeners(settings.host, 0) as metrics,
        hold_directory(data) as lock,
    ):
        sys.stdout.write(f"{_METRICS}{metrics[0].getsockname()[1]}\n")
        sys.stdout.flush()
        numbers = [listener.fileno() for listener in sockets]
        children = build_assignments(settings, lock.fileno(), numbers, accept_loss=False)
        announcement = Announcement(settings, sockets, InitSystem(""))
        reserve = Reserve([sys.executable, "-m", CHILD], [lock.fileno(), *numbers], workers)
        asyncio.run(Parent(children, reserve, "", announcement, sockets, metrics).run())


if __name__ == "__main__":
    try:
        _main()
    except TallyroomError as error:
        sys.exit(error.message)
