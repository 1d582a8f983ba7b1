"""A real Redis for the tests that need one: the program `redis-server` or `valkey-server` of the machine."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import RedisError

from harness.servers.network import Node
from harness.suite.patience import PATIENCE

REQUIRED = "REQUIRE_REDIS"

_PORT = "6379"


class RedisServer:
    """A server on a Unix socket, in a folder of its own, that keeps nothing on the disk.

    Args:
        program: starts it.
        home: the folder.
        node: where in a network it listens, too.
    """

    def __init__(self, program: str, home: Path, node: Node | None = None) -> None:
        self._node = node
        self._program = program
        self._home = home
        self._socket = home / "redis.sock"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def dsn(self) -> str:
        return f"redis://{self._node.address}:{_PORT}" if self._node else f"unix://{self._socket}"

    def start(self) -> "RedisServer":
        """Start, and return when it answers; it is empty."""
        settings: list[str | Path] = [
            *(["--bind", self._node.address, "--protected-mode", "no"] if self._node else []),
            "--port",
            _PORT if self._node else "0",
            "--unixsocket",
            self._socket,
            "--dir",
            self._home,
            "--save",
            "",
            "--appendonly",
            "no",
        ]
        inside = self._node.command if self._node else ()
        with (self._home / "log").open("ab") as log:
            self._process = subprocess.Popen([*inside, self._program, *settings], stdout=log, stderr=log)
        deadline = time.monotonic() + PATIENCE
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError("Redis did not start:\n" + (self._home / "log").read_text(encoding="utf-8"))
            time.sleep(0.01)
        return self

    def stop(self) -> None:
        """End at once, and forget everything."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(PATIENCE)
        self._socket.unlink(missing_ok=True)

    def halt(self, *, halted: bool) -> None:
        """Let the server hang: it takes connections and answers nobody."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP if halted else signal.SIGCONT)

    @contextmanager
    def client(self) -> Iterator["Redis"]:
        """A connection that may do anything."""
        with Redis(unix_socket_path=str(self._socket), decode_responses=True) as client:
            yield client

    def flush(self) -> None:
        """Forget everything, scripts included."""
        with self.client() as client:
            client.flushall()
            client.script_flush()

    def _answers(self) -> bool:
        try:
            with self.client() as client:
                return bool(client.ping())
        except RedisError:
            return False


@contextmanager
def redis_server(node: Node | None = None) -> Iterator[RedisServer]:
    """A new server; the test is skipped where the machine has no such program, unless REQUIRE_REDIS is set."""
    program = shutil.which("redis-server") or shutil.which("valkey-server")
    if program is None:
        assert not os.environ.get(REQUIRED), "REQUIRE_REDIS is set, and there is no redis-server"
        pytest.skip("there is no redis-server (apt install redis-server)")
    with tempfile.TemporaryDirectory(prefix="redis") as home:  # a short path, for the socket
        server = RedisServer(program, Path(home), node).start()
        try:
            yield server
        finally:
            server.stop()
