"""ingest.replays: a repeated request is answered again and counted once, for 24 hours."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from harness.store import fresh_scope
from tallyroom.core.errors import Conflict, IdempotencyMismatch, ValidationFailed
from tallyroom.ingest.replays import KEPT_MS, Replays, forget_old_replays
from tallyroom.spool.file import open_spool_file, prepare_spool_file
from tallyroom.store.scope import Scope

SCOPE = fresh_scope()
DAY = KEPT_MS / 1000


@pytest.fixture
def file(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with closing(open_spool_file(tmp_path / "spool.sqlite")) as connection:
        prepare_spool_file(connection, bytes)
        yield connection


@pytest.fixture
def replays(file: sqlite3.Connection, fake_clock: Any) -> Replays:
    return Replays(file, fake_clock)


def send(
    replays: Replays, file: sqlite3.Connection, body: bytes = b"b", *, scope: Scope = SCOPE, key: bytes = b"k"
) -> int | None:
    """One request; stores its answer as the spool does. Answers what was accepted before, None for a first one."""
    with replays.first_or_again(scope, key, body) as (replay, before):
        if replay is not None:
            row = (scope.workspace_id, replay.environment, replay.key, replay.fingerprint, 3, replay.at_ms)
            file.execute("INSERT OR REPLACE INTO idempotency VALUES (?, ?, ?, ?, ?, ?)", row)
    return before


def test_the_same_request_is_answered_again(replays: Replays, file: sqlite3.Connection) -> None:
    assert [send(replays, file) for _ in range(3)] == [None, 3, 3]


def test_another_body_under_the_same_key_is_refused(replays: Replays, file: sqlite3.Connection) -> None:
    send(replays, file)
    with pytest.raises(IdempotencyMismatch):
        send(replays, file, b"B")
    assert send(replays, file) == 3


def test_a_key_belongs_to_one_environment_of_one_workspace(replays: Replays, file: sqlite3.Connection) -> None:
    scopes = [SCOPE, Scope(SCOPE.workspace_id, "development"), fresh_scope()]
    assert [send(replays, file, scope=scope) for scope in scopes] == [None] * 3


def test_a_request_that_still_runs_is_a_conflict(replays: Replays, file: sqlite3.Connection) -> None:
    with replays.first_or_again(SCOPE, b"k", b"b"):
        with pytest.raises(Conflict) as refused:
            send(replays, file)
        assert refused.value.headers == {"retry-after": "1"}
        assert send(replays, file, key=b"other") is None


def test_a_first_request_that_failed_may_be_sent_again(replays: Replays, file: sqlite3.Connection) -> None:
    with pytest.raises(ZeroDivisionError), replays.first_or_again(SCOPE, b"k", b"b"):
        raise ZeroDivisionError
    assert send(replays, file, b"another body") is None


def test_a_key_is_free_again_after_24_hours(replays: Replays, file: sqlite3.Connection, fake_clock: Any) -> None:
    send(replays, file)
    fake_clock.advance(DAY - 0.001)
    assert send(replays, file) == 3
    fake_clock.advance(0.001)
    assert send(replays, file, b"another body") is None


def test_only_old_answers_are_forgotten(replays: Replays, file: sqlite3.Connection, fake_clock: Any) -> None:
    send(replays, file, key=b"old")
    fake_clock.advance(1)
    send(replays, file, key=b"new")
    fake_clock.advance(DAY - 1)
    forget_old_replays(file, fake_clock.now_ms())
    assert file.execute("SELECT key FROM idempotency").fetchall() == [("new",)]


@pytest.mark.parametrize("key", [b"k", b"!~", b"x" * 255])
def test_a_visible_key_is_taken(replays: Replays, file: sqlite3.Connection, key: bytes) -> None:
    assert [send(replays, file, key=key) for _ in range(2)] == [None, 3]


@pytest.mark.parametrize("key", [b"", b"x" * 256, b"a b", b"\x7f", b"\x00", b"\xc3\xa9", b"\t"])
def test_any_other_key_is_refused(replays: Replays, file: sqlite3.Connection, key: bytes) -> None:
    with pytest.raises(ValidationFailed) as refused:
        send(replays, file, key=key)
    assert refused.value.details[0].path == ["Idempotency-Key"]
