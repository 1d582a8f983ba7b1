"""`tallyroom import events` when something is killed, stopped or busy meanwhile: each row counts once, in its order."""

import json
import random
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from harness.clients.actor import counts
from harness.clients.import_command import events, ndjson, numbers, run, run_here
from harness.clients.paused_import import ROWS, in_the_middle
from harness.clients.workspace import Workspace, sign_up
from harness.servers.server import Server


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """Not started yet."""
    server = Server(tmp_path / "data", ingest_rate_per_minute="0")
    yield server
    if server.process.poll() is None:
        server.stop()


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


@pytest.mark.long
def test_a_killed_import_with_ids_and_a_file_that_grew_and_was_reordered(own_server: Server, tmp_path: Path) -> None:
    ids = ("--id", "properties.number", "--state", tmp_path / "ids.sqlite")
    path = ndjson(tmp_path / "events.ndjson", events(ROWS))
    with in_the_middle(own_server, path, *ids) as (workspace, importing):
        importing.kill()
        importing.communicate()
    own_server.stop()  # lets the held commit go
    own_server.start()
    grown = events(ROWS + 700)
    ndjson(path, random.Random(5).sample(grown, len(grown)))
    done = run_here(workspace, path, *ids)
    rows, accepted, known, refused = numbers(done)
    assert (rows, accepted + known, refused) == (ROWS + 700, ROWS + 700, 0)
    assert b"rows of an interrupted import were sent first" in done.stdout
    lines = workspace.get("/v1/export").content.splitlines()
    assert sorted(json.loads(line)["properties"]["number"] for line in lines) == list(range(ROWS + 700))
    assert numbers(run_here(workspace, path, *ids)) == (ROWS + 700, 0, ROWS + 700, 0)


@pytest.mark.long
@pytest.mark.parametrize("end", [Server.kill, Server.stop])
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
    assert b"responded with 503: Too many events are queued for the event store" in done.stderr
    assert sum(counts(workspace).values()) == 3000


@pytest.mark.long
def test_a_limited_rate_is_kept(own_server: Server, tmp_path: Path) -> None:
    own_server.settings |= {"ingest_rate_per_minute": "3"}
    workspace = sign_up(own_server.start().url)
    done = run(workspace, ndjson(tmp_path / "events.ndjson", events(2400)), "--patience", 0)
    assert numbers(done) == (2400, 2400, 0, 0)
    assert b"responded with 429" in done.stderr
    assert sum(counts(workspace).values()) == 2400
