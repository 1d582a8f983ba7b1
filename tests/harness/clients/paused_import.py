"""An import that is held in the middle, to be killed there."""

import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from harness.clients.import_command import command
from harness.clients.server_counts import acked
from harness.clients.workspace import Workspace, sign_up
from harness.servers.server import Server
from tallyroom.core.data_directory import SPOOL_FILE

HELD = "spool.commit.after=block@4"  # the fourth commit is durable, and nobody is told
ROWS = 10_000  # at most 8,000 of them are in four commits of four requests each


@contextmanager
def in_the_middle(server: Server, path: Path, *options: object) -> Iterator[tuple[Workspace, subprocess.Popen[bytes]]]:
    """An import of a file whose server has stopped answering."""
    server.settings["failpoints"] = HELD
    workspace = sign_up(server.start().url)
    words, environment = command(workspace, path, *options)
    with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as importing:
        deadline = time.monotonic() + 60
        while not durable(server) > acked(server.url) >= 1500:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        server.settings["failpoints"] = ""
        yield workspace, importing


def durable(server: Server) -> int:
    """How many events are on the disk, told or not."""
    with closing(sqlite3.connect(f"file:{server.data / SPOOL_FILE}?mode=ro", uri=True)) as spool:
        return int(spool.execute("SELECT coalesce(sum(events), 0) FROM usage").fetchone()[0])
