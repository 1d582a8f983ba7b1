"""An answer is found for 24 hours by its key, in its own environment only (rules/events#idempotency)."""

import sqlite3

import pytest

from harness.stores.event_store import event, fresh_scope
from tallyroom.storage.spool.commit_group import CommitGroup, IdempotentRequest, IngestBatch
from tallyroom.storage.spool.replays import find_accepted_request, forget_environment_requests, forget_old_requests
from tallyroom.storage.spool.row import build_chunks

DAY_MS = 86_400_000
SCOPE = fresh_scope()
WORKSPACE = SCOPE.workspace_id


@pytest.fixture
def answered(file: sqlite3.Connection) -> sqlite3.Connection:
    """A spool with the answers `a`, of 5 ms, and `b`, of 6 ms, in production, and `a` in test."""
    for environment, key, at_ms in (("production", "a", 5), ("production", "b", 6), ("test", "a", 5)):
        idempotent_request = IdempotentRequest(environment, key, f"{environment} {key}", at_ms)
        chunks = build_chunks([event(SCOPE), event(SCOPE)])
        CommitGroup([IngestBatch(WORKSPACE, 202611, 2, 2, chunks, idempotent_request)]).write_rows(file)
    return file


def keys(file: sqlite3.Connection) -> list[str]:
    return [f"{environment} {key}" for environment, key in file.execute("SELECT environment, key FROM idempotency")]


def test_a_key_finds_the_answer_of_its_environment(answered: sqlite3.Connection) -> None:
    assert find_accepted_request(answered, WORKSPACE, "production", "a", 5) == ("production a", 2, False)
    assert find_accepted_request(answered, WORKSPACE, "test", "a", 5) == ("test a", 2, False)
    assert find_accepted_request(answered, WORKSPACE, "test", "b", 5) is None
    assert find_accepted_request(answered, fresh_scope().workspace_id, "production", "a", 5) is None


def test_an_answer_is_found_for_24_hours(answered: sqlite3.Connection) -> None:
    assert find_accepted_request(answered, WORKSPACE, "production", "a", DAY_MS + 4) is not None
    assert find_accepted_request(answered, WORKSPACE, "production", "a", DAY_MS + 5) is None


def test_only_what_is_no_longer_found_is_forgotten(answered: sqlite3.Connection) -> None:
    forget_old_requests(answered, DAY_MS + 4)
    assert len(keys(answered)) == 3
    forget_old_requests(answered, DAY_MS + 5)
    assert keys(answered) == ["production b"]


def test_an_environment_is_forgotten_alone(answered: sqlite3.Connection) -> None:
    forget_environment_requests(answered, fresh_scope().workspace_id, "production")
    forget_environment_requests(answered, WORKSPACE, "production")
    assert keys(answered) == ["test a"]
