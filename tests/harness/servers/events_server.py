"""The event server of the tests that need one: a process of its own with `http_front`."""

import json
import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

import httpx
import msgspec

from harness.servers.child import WITH_HARNESS
from harness.servers.http_front import READER, WRITER, Fault
from harness.servers.network import HERE, Node
from harness.suite.patience import PATIENCE
from tallyroom.core.event_server import EventServer, read_event_server
from tallyroom.storage.event_store.backend.server.connection import ServerConnection, open_writing_client

ALL_ON_A_SERVER = os.environ.get("TALLYROOM_TEST_EVENTS") == "server"
"""Whether every test is to use a server that opens its event store through the fixtures."""


class FrontServer:
    """The front, with any number of databases in one folder.

    Args:
        folder: the folder.
        node: where in a network it listens.
    """

    def __init__(self, folder: Path, node: Node = HERE) -> None:
        self._folder = folder
        self._node = node
        self._process: subprocess.Popen[str] | None = None
        self._port = 0

    def start(self) -> "FrontServer":
        """Start, and return when it answers."""
        program = [sys.executable, "-m", "harness.servers.http_front", str(self._folder), self._node.address]
        command = [*self._node.command, *program]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | WITH_HARNESS)
        assert self._process.stdout
        self._port = int(self._process.stdout.readline())
        return self

    def stop(self) -> None:
        """End it."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(PATIENCE)
        assert self._process.stdout
        self._process.stdout.close()

    def halt(self, *, halted: bool) -> None:
        """Let it hang: it takes connections and answers nobody."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP if halted else signal.SIGCONT)

    @property
    def reader(self) -> str:
        """The setting that names the user that reads."""
        return ":".join(quote(part, safe="") for part in READER)

    def dsn(self, database: str) -> str:
        """The setting that names the server, a database and the user that writes."""
        return f"clickhouse://{':'.join(quote(part, safe='') for part in WRITER)}@{self._node.address}:{self._port}/{database}"

    def server(self, database: str) -> EventServer:
        """What both settings say."""
        return read_event_server(self.dsn(database), self.reader)

    def settings(self) -> dict[str, str]:
        """Settings of a server whose events are in a new database."""
        return {"events_dsn": self.dsn(self.fresh().database), "events_reader": self.reader}

    def fresh(self) -> EventServer:
        """A new database."""
        name = f"test_{uuid.uuid4().hex}"
        with closing(ServerConnection(open_writing_client(self.server("default")))) as connection:
            connection.query(f"CREATE DATABASE {name}", {})
        return self.server(name)

    def let(self, *faults: Fault) -> None:
        """Cause these faults from now on, and no others."""
        self._ask("PUT", msgspec.json.encode(faults))

    def asked(self) -> list[str]:
        """The statements since the last call, in order, each with at most the beginning of its block."""
        said: list[str] = json.loads(self._ask("GET", b""))
        return said

    def _ask(self, method: str, body: bytes) -> bytes:
        return httpx.request(
            method, f"http://{self._node.address}:{self._port}/", content=body, timeout=PATIENCE
        ).content


@contextmanager
def front_server(folder: Path, node: Node = HERE) -> Iterator[FrontServer]:
    """A new front."""
    server = FrontServer(folder, node).start()
    try:
        yield server
    finally:
        server.stop()
