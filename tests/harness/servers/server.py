"""A real server in a process of its own."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import httpx

from harness.servers.child import WITH_HARNESS
from harness.servers.preloaded import WITHOUT_PYDANTIC, PreloadedProcess, is_preloadable
from harness.servers.wall_clock import WallClock
from harness.stores.metadata import servers_of
from harness.suite.patience import PATIENCE

BIG_DISK_RESERVE = "1000000"
FRESH_WAIT_MS = "60000"
"""A question of a test waits for what the test has sent, however busy the machine is."""


Process = subprocess.Popen[str] | PreloadedProcess


class Server:
    """`tallyroom serve` on a free port.

    Args:
        data: its data directory.
        settings: environment variables without the prefix.
        limits: resource limits, set in the child before it starts, as shell words for `ulimit`.
        port: 0 takes a free one.
        flags: more words for the command line.
        python: the interpreter that runs it.
        servers: settings that name servers, of which it takes all or none from its environment.
        host: the address on which it listens.
        clock: its wall clock; the machine's if None.
    """

    def __init__(
        self,
        data: Path,
        *,
        port: int = 0,
        limits: str = "",
        flags: tuple[str, ...] = (),
        python: str = sys.executable,
        servers: Mapping[str, str] = {},
        host: str = "127.0.0.1",
        clock: WallClock | None = None,
        **settings: str,
    ) -> None:
        self.data = data
        self.port = port
        self.limits = limits
        self.flags = flags
        self.python = python
        self.servers = servers
        self.host = host
        self.clock = clock
        self.settings = {
            "disk_reserve_bytes": BIG_DISK_RESERVE,
            "fresh_wait_ms": FRESH_WAIT_MS,
            "testing": "true",
            "log_level": "warning",
        } | settings
        self.output: list[str] = []
        self._process: Process | None = None

    @property
    def url(self) -> str:
        """Scheme, host and port."""
        return f"http://{self.host}:{self.port}"

    @property
    def process(self) -> Process:
        assert self._process is not None
        return self._process

    def launch(self) -> "Server":
        """Start without waiting."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TALLYROOM_")}
        environment |= {f"TALLYROOM_{name.upper()}": value for name, value in self.settings.items()}
        program = self._program({**servers_of(self.data), **self.servers})
        if program != ["tallyroom"]:
            environment |= WITH_HARNESS
        paths = [WITHOUT_PYDANTIC, environment.get("PYTHONPATH", "")]
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
        command = [
            self.python,
            "-m",
            *program,
            "serve",
            "--host",
            self.host,
            "--port",
            str(self.port),
            "--data",
            str(self.data),
            *self.flags,
        ]
        if self.limits:
            command = ["bash", "-c", f'ulimit {self.limits} && exec "$@"', "serve", *command]
        if is_preloadable(command):
            self._process = PreloadedProcess(command[2:], environment)
        else:
            pipe = subprocess.PIPE
            self._process = subprocess.Popen(command, env=environment, stdout=pipe, stderr=subprocess.STDOUT, text=True)
        self._listening = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        return self

    def start(self) -> "Server":
        """Start and return when it is ready."""
        self.launch()
        if not self._listening.wait(PATIENCE) or self.process.poll() is not None:
            raise AssertionError("the server did not start:\n" + "".join(self.output))
        return self

    def ready_within(self, seconds: float) -> bool:
        """Whether /readyz says 200 before the time is over."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                if httpx.get(f"{self.url}/readyz", timeout=PATIENCE, verify=False).status_code == 200:
                    return True
            except httpx.HTTPError:
                pass
            time.sleep(0.05)
        return False

    def kill(self) -> None:
        """`kill -9`."""
        self.process.kill()
        self._ended(PATIENCE)

    def stop(self, seconds: float = PATIENCE) -> int:
        """SIGTERM; returns the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self._ended(seconds)

    def wait(self, seconds: float = PATIENCE) -> int:
        """Wait until it ends by itself; returns the exit code."""
        return self._ended(seconds)

    def text(self) -> str:
        """Everything that it has written."""
        return "".join(self.output)

    def _program(self, servers: Mapping[str, str]) -> list[str]:
        if self.clock:
            return ["harness.servers.at_time", str(self.clock.file), json.dumps(servers)]
        return ["harness.servers.serve", json.dumps(servers)] if servers else ["tallyroom"]

    def _ended(self, seconds: float) -> int:
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        self._reader.join(5)
        if self.process.stdout:
            self.process.stdout.close()
        return code

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.output.append(line)
            if " listens on http" in line:
                self.port = int(line.split(" listens on ")[1].split()[0].rsplit(":", 1)[1])
                self._listening.set()
        self._listening.set()
