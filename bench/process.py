"""Server processes under measurement: their processor time, memory and numbers."""

import atexit
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
_PYDANTIC_HIDER = str(Path(__file__).parent.parent / "tests/harness/servers/uninstalled")
_AS_INSTALLED = {
    "PYTHONDONTWRITEBYTECODE": "",  # an installed program is compiled
    "PYTHONPATH": os.pathsep.join(filter(None, [_PYDANTIC_HIDER, os.environ.get("PYTHONPATH")])),
}
"""Without what only development installs: the framework would load Pydantic, in 0.1 seconds and 10 MB."""


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Process:
    """A running server, which ends with the measurement at the latest.

    Args:
        arguments: what follows `python -m`.
        port: where it will listen.
        environment: settings.
    """

    def __init__(self, arguments: list[str], port: int, **environment: str) -> None:
        self.port = port
        self.started_s = time.perf_counter()
        self._process = subprocess.Popen(
            [sys.executable, "-m", *arguments], env=os.environ | _AS_INSTALLED | environment, stdout=subprocess.DEVNULL
        )
        atexit.register(self.stop)
        self._wait_until_ready()
        self.start_seconds = time.perf_counter() - self.started_s

    @property
    def cpu_seconds(self) -> float:
        """User and system time so far."""
        return _cpu_seconds(self._process.pid)

    @property
    def cpu_seconds_of_all(self) -> float:
        """The same with its processes, as long as all of them run."""
        pid = self._process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return self.cpu_seconds + sum(_cpu_seconds(int(child)) for child in children)

    @property
    def rss_mb(self) -> float:
        """Resident memory."""
        return self._status_mb("VmRSS")

    @property
    def peak_rss_mb(self) -> float:
        """The most resident memory that there was."""
        return self._status_mb("VmHWM")

    def read_metric(self, name: str) -> float:
        """A number of /metrics."""
        text = self.fetch("/metrics").decode()
        return next(float(line.split()[1]) for line in text.splitlines() if line.startswith(f"{name} "))

    def fetch(self, path: str) -> bytes:
        """GET, as bytes."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
            body: bytes = answer.read()
            return body

    def stop(self) -> None:
        """End it and wait."""
        self._process.terminate()
        self._process.wait(60)

    def _status_mb(self, field: str) -> float:
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(status.split(f"{field}:")[1].split()[0]) / 1024

    def _wait_until_ready(self) -> None:
        while True:
            try:
                self.fetch("/readyz")
            except urllib.error.HTTPError:
                return
            except OSError:
                if self._process.poll() is not None or time.perf_counter() - self.started_s > 30:
                    raise SystemExit("a server did not start") from None
                time.sleep(0.01)
            else:
                return


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS_PER_SECOND
