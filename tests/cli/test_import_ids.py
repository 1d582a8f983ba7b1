"""`tallyroom import events --id`: a row counts once, however its file grows, is ordered or cut."""

import csv
import json
import random
import sqlite3
import stat
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from harness.clients.import_command import events, ndjson, numbers, one_sentence, run, run_here
from harness.clients.workspace import Workspace, sign_up
from harness.servers.scripted_server import ScriptedAnswer, ScriptedServer
from harness.servers.server import Server

ID = ("--id", "properties.number")


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state" / "ids.sqlite"


def shuffled(listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return random.Random(7).sample(listed, len(listed))


def kept(workspace: Workspace) -> list[int]:
    """The numbers of the events there, sorted."""
    lines = workspace.get("/v1/export").content.splitlines()
    return sorted(json.loads(line)["properties"]["number"] for line in lines)


def said(done: subprocess.CompletedProcess[bytes]) -> str:
    return done.stdout.decode()


@pytest.mark.long
def test_a_file_that_grew_and_was_reordered_brings_only_what_is_new(
    workspace: Workspace, tmp_path: Path, state: Path
) -> None:
    monday = ndjson(tmp_path / "monday.ndjson", events(1201))
    assert numbers(run_here(workspace, monday, *ID, "--state", state)) == (1201, 1201, 0, 0)
    tuesday = ndjson(tmp_path / "tuesday.ndjson", shuffled(events(1801)))
    done = run_here(workspace, tuesday, *ID, "--state", state)
    assert numbers(done) == (1801, 600, 1201, 0)
    assert "By ID, 1,201 rows were already imported, and 0 are duplicates in the file." in said(done)
    part = ndjson(tmp_path / "part.ndjson", events(1801)[300:900])
    assert numbers(run_here(workspace, part, *ID, "--state", state)) == (600, 0, 600, 0)
    assert kept(workspace) == list(range(1801))


@pytest.mark.long
def test_an_id_that_is_in_the_file_twice_counts_once(workspace: Workspace, tmp_path: Path, state: Path) -> None:
    path = ndjson(tmp_path / "events.ndjson", events(700) + events(600) + events(701))
    done = run_here(workspace, path, *ID, "--state", state)
    assert numbers(done) == (2001, 701, 1300, 0)
    assert "By ID, 0 rows were already imported, and 1,300 are duplicates in the file." in said(done)
    assert kept(workspace) == list(range(701))


def test_the_same_rows_in_another_form_are_known(workspace: Workspace, tmp_path: Path, state: Path) -> None:
    with (tmp_path / "orders.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["action", "order"], *(["paid", number] for number in range(600))])
    assert numbers(
        run_here(workspace, tmp_path / "orders.csv", "--name", "action", "--id", "order", "--state", state)
    ) == (
        600,
        600,
        0,
        0,
    )
    # An id is a property, too, unless it is left out; and no other field of Tallyroom's own shape is in the way.
    (tmp_path / "orders.ndjson").write_text("".join(f'{{"name":"paid","order":"{number}"}}\n' for number in range(601)))
    assert numbers(run_here(workspace, tmp_path / "orders.ndjson", "--id", "order", "--state", state)) == (
        601,
        1,
        600,
        0,
    )
    other = ("--event", "refunded", "--id", "order", "--state", state)  # another event is another row
    assert numbers(run_here(workspace, tmp_path / "orders.csv", *other)) == (600, 600, 0, 0)


def test_rows_without_an_id_are_refused_and_named(workspace: Workspace, tmp_path: Path, state: Path) -> None:
    (tmp_path / "e.csv").write_text("name,id\na,1\nb,\nc,3\n")
    done = run_here(workspace, tmp_path / "e.csv", "--id", "id", "--state", state, exits=1)
    assert numbers(done) == (3, 2, 0, 1)
    assert "line 3: id: is missing or empty, so --id cannot tell the row from others" in done.stderr.decode()
    (tmp_path / "e.ndjson").write_text('{"name":"x","properties":{"id":[1]}}\n{"name":"x"}\n')
    done = run_here(workspace, tmp_path / "e.ndjson", "--id", "properties.id", "--state", state, exits=1)
    assert "line 1: properties.id: is neither text nor a number" in done.stderr.decode()
    assert "line 2: properties.id: is missing or empty" in done.stderr.decode()


@pytest.mark.long
def test_a_refused_row_counts_when_it_was_mended(workspace: Workspace, tmp_path: Path, state: Path) -> None:
    listed = events(1100)
    listed[3]["_timestamp"] = listed[700]["_timestamp"] = "2999-01-01T00:00:00Z"
    done = run_here(workspace, ndjson(tmp_path / "e.ndjson", listed), *ID, "--state", state, exits=1)
    assert numbers(done) == (1100, 1098, 0, 2)
    mended = ndjson(tmp_path / "mended.ndjson", events(1100))
    assert numbers(run_here(workspace, mended, *ID, "--state", state)) == (1100, 2, 1098, 0)
    assert kept(workspace) == list(range(1100))


def test_ids_belong_to_an_environment_wherever_its_server_is(
    server: Server, workspace: Workspace, tmp_path: Path, state: Path
) -> None:
    path = ndjson(tmp_path / "e.ndjson", events(10))
    development, _ = workspace.make_key("development")
    again = ("--url", workspace.url.replace("127.0.0.1", "localhost"))
    assert numbers(run_here(workspace, path, *ID, "--state", state)) == (10, 10, 0, 0)
    assert numbers(run_here(workspace, path, *ID, "--state", state, *again)) == (10, 0, 10, 0)
    assert numbers(run_here(workspace, path, *ID, "--state", state, "--key", development)) == (10, 10, 0, 0)
    assert numbers(run_here(sign_up(server.url), path, *ID, "--state", state)) == (10, 10, 0, 0)


def test_ids_are_remembered_in_the_state_directory(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = ndjson(tmp_path / "e.ndjson", events(10))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for home, file in (
        (str(tmp_path / "xdg"), tmp_path / "xdg/tallyroom/imported.sqlite"),
        ("", tmp_path / "home/.local/state/tallyroom/imported.sqlite"),
    ):
        monkeypatch.setenv("XDG_STATE_HOME", home)
        assert numbers(run_here(workspace, path, *ID))[:1] == (10,)
        assert numbers(run_here(workspace, path, *ID)) == (10, 0, 10, 0)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
        assert b"actor-1" not in file.read_bytes()
    assert not list(file.parent.glob("*-wal"))


@pytest.mark.long
def test_what_cannot_be_used_to_remember_is_told(workspace: Workspace, tmp_path: Path, state: Path) -> None:
    path = ndjson(tmp_path / "e.ndjson", events(10))
    done = run_here(workspace, path, *ID, "--state", path, exits=1)
    one_sentence(done, "cannot be used: file is not a database")
    assert path.read_text().count("\n") == 10
    run_here(workspace, path, *ID, "--state", state)
    with closing(sqlite3.connect(state, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        one_sentence(run_here(workspace, path, *ID, "--state", state, exits=1), "Another import is using")
        other.execute("ROLLBACK")
        other.execute("PRAGMA user_version = 99")
    one_sentence(run_here(workspace, path, *ID, "--state", state, exits=1), "another version of this command")
    one_sentence(run_here(workspace, path, "--state", state, exits=1), "--state has no effect without --id")
    one_sentence(run_here(workspace, path, "--unsettled", "skip", exits=1), "--unsettled has no effect without --id")
    (tmp_path / "e.csv").write_text("name\nx\n")
    one_sentence(run_here(workspace, tmp_path / "e.csv", "--id", "nr", exits=1), "has no column nr")
    assert kept(workspace) == list(range(10))


def test_nothing_is_left_open_that_the_server_refused(workspace: Workspace, tmp_path: Path, state: Path) -> None:
    """So that a run a week later has nothing to ask."""

    def answer(asked: Any) -> ScriptedAnswer:
        if asked.path == "/v1/key":
            return ScriptedAnswer(
                200, b'{"environment":"production","workspace":{"id":"w","name":"W","timezone":"UTC"}}'
            )
        return ScriptedAnswer(402, b'{"error":"plan_limit","message":"The cap is reached."}')

    path = ndjson(tmp_path / "e.ndjson", events(3000))
    with ScriptedServer(answer) as scripted:
        done = run_here(workspace, path, *ID, "--state", state, "--url", scripted.url, exits=1)
    one_sentence(done, "responded with 402: The cap is reached.")
    with closing(sqlite3.connect(state)) as file:
        assert file.execute("SELECT (SELECT count(*) FROM open_batch), (SELECT count(*) FROM known)").fetchone() == (
            0,
            0,
        )


def test_a_server_that_does_not_say_where_a_key_leads(workspace: Workspace, tmp_path: Path, state: Path) -> None:
    path = ndjson(tmp_path / "e.ndjson", events(3))
    with ScriptedServer(lambda _: ScriptedAnswer(200, b"{}")) as scripted:
        done = run_here(workspace, path, *ID, "--state", state, "--url", scripted.url, exits=1)
    one_sentence(done, "--id needs a server that reports the environment of this key")
    with ScriptedServer(
        lambda _: ScriptedAnswer(404, b'{"error":"not_found","message":"There is nothing."}')
    ) as scripted:
        done = run_here(workspace, path, *ID, "--state", state, "--url", scripted.url, exits=1)
    one_sentence(done, "responded with 404")


def test_a_preview_remembers_nothing(workspace: Workspace, tmp_path: Path, state: Path) -> None:
    path = ndjson(tmp_path / "e.ndjson", events(3))
    assert len(run_here(workspace, path, *ID, "--state", state, "--preview", 3).stdout.splitlines()) == 3
    assert not state.exists()


@pytest.mark.long
def test_parquet_too(workspace: Workspace, tmp_path: Path, state: Path) -> None:
    run_here(workspace, ndjson(tmp_path / "e.ndjson", events(5000)), *ID, "--state", state)
    (tmp_path / "e.parquet").write_bytes(workspace.get("/v1/export", format="parquet").content)
    assert numbers(run(workspace, tmp_path / "e.parquet", *ID, "--state", state)) == (5000, 0, 5000, 0)
