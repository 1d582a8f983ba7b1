"""`tallyroom import events` when something is killed, stopped or busy meanwhile: each row counts once, in its order."""

import json
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from harness.actor import counts
from harness.counts import acked
from harness.importing import command, events, ndjson, numbers, run, run_here
from harness.server import Server
from harness.workspace import Workspace, sign_up
from tallyroom.core.data_directory import SPOOL_FILE


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """Not started yet."""
    server = Server(tmp_path / "data", ingest_rate_per_minute="0")
    yield server
    if server.process.poll() is None:
        server.stop()


HELD = "spool.commit.after=block@4"  # the fourth commit is durable, and nobody is told
ROWS = 10_000  # at most 8,000 of them are in four commits of four requests each


@contextmanager
def in_the_middle(server: Server, path: Path) -> Iterator[tuple[Workspace, subprocess.Popen[bytes]]]:
    """An import of a file whose server has stopped answering."""
    server.settings["failpoints"] = HELD
    workspace = sign_up(server.start().url)
    words, environment = command(workspace, path)
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


def in_order(workspace: Workspace) -> bool:
    lines = workspace.get("/v1/export").content.splitlines()
    return [json.loads(line)["properties"]["number"] for line in lines] == list(range(ROWS))


def test_an_import_that_is_killed_is_brought_to_its_end_by_a_second_run(own_server: Server, tmp_path: Path) -> None:
    path = ndjson(tmp_path / "events.ndjson", events(ROWS))
    with in_the_middle(own_server, path) as (workspace, importing):
        importing.kill()
        importing.communicate()
    own_server.stop()  # lets the held commit go
    own_server.start()
    rows, accepted, replayed, refused = numbers(run_here(workspace, path))
    assert (rows, accepted + replayed, refused) == (ROWS, ROWS, 0)
    assert replayed >= 2000, "the commit that nobody was told of is missing"
    assert accepted >= 500, "it was killed too late"
    assert counts(workspace) == Counter(event["_actor"] for event in events(ROWS))
    assert in_order(workspace)


@pytest.mark.parametrize("end", [Server.kill, pytest.param(Server.stop, marks=pytest.mark.long)])
def test_a_server_that_is_stopped_and_started_meanwhile(
    own_server: Server, tmp_path: Path, end: Callable[[Server], object]
) -> None:
    path = ndjson(tmp_path / "events.ndjson", events(ROWS))
    with in_the_middle(own_server, path) as (workspace, importing):
        end(own_server)
        own_server.start()
        output, said = importing.communicate(timeout=120)
    assert importing.returncode == 0, said
    assert said.decode().endswith("Trying again.\n") or end is Server.stop  # which answers what it can first
    rows, accepted, replayed, refused = numbers(subprocess.CompletedProcess("", 0, output))
    assert (rows, accepted + replayed, refused) == (ROWS, ROWS, 0)
    assert counts(workspace) == Counter(event["_actor"] for event in events(ROWS))
    assert in_order(workspace)


@pytest.mark.long
def test_a_server_that_is_busy_is_given_the_time_it_asks_for(own_server: Server, tmp_path: Path) -> None:
    own_server.settings |= {"spool_max_bytes": "1000000", "failpoints": "store.insert=block:2"}
    workspace = sign_up(own_server.start().url)
    padded = [event | {"properties": {"text": "x" * 1000}} for event in events(3000)]
    done = run(workspace, ndjson(tmp_path / "events.ndjson", padded))
    assert numbers(done) == (3000, 3000, 0, 0)
    assert b"answers 503: Too many events wait for the event store" in done.stderr
    assert sum(counts(workspace).values()) == 3000


@pytest.mark.long
def test_a_limited_rate_is_kept(own_server: Server, tmp_path: Path) -> None:
    own_server.settings |= {"ingest_rate_per_minute": "3"}
    workspace = sign_up(own_server.start().url)
    done = run(workspace, ndjson(tmp_path / "events.ndjson", events(2400)), "--patience", 0)
    assert numbers(done) == (2400, 2400, 0, 0)
    assert b"answers 429" in done.stderr
    assert sum(counts(workspace).values()) == 2400
