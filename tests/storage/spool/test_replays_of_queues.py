"""Of each queue the newest 16 keys are remembered for 60 days, of each API key 10,000 queues (rules/events#queues)."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from typing import Any

import pytest

from harness.stores.event_store import event, fresh_scope
from tallyroom.core.times import DAY_MS
from tallyroom.storage.spool.commit_group import CommitGroup, IdempotentRequest, IngestBatch, KeyQueue
from tallyroom.storage.spool.file import prepare_spool_file
from tallyroom.storage.spool.replays import (
    MAX_QUEUE_KEYS,
    MAX_QUEUES,
    add_answers,
    find_accepted_request,
    forget_environment_requests,
    forget_old_requests,
    list_answers,
)
from tallyroom.storage.spool.row import build_chunks

SCOPE = fresh_scope()
WORKSPACE, PRODUCTION = SCOPE.workspace_id, "production"
QUEUE, OTHER = KeyQueue("api-key", "a" * 22), KeyQueue("api-key", "b" * 22)
QUEUE_COUNT = "SELECT count(*) FROM idempotency_queue"


def commit(
    file: sqlite3.Connection, *keys: str, queue: KeyQueue | None = QUEUE, at_ms: int = 5, environment: str = PRODUCTION
) -> None:
    """Store requests with these keys in one commit."""
    file.execute("BEGIN")
    CommitGroup(
        [
            IngestBatch(
                WORKSPACE,
                202611,
                1,
                1,
                build_chunks([event(SCOPE)]),
                IdempotentRequest(environment, key, f"print {key}", at_ms, queue),
            )
            for key in keys
        ]
    ).write_rows(file)
    file.execute("COMMIT")


def add_at_once(file: sqlite3.Connection, answers: Sequence[tuple[Any, ...]]) -> None:
    file.execute("BEGIN")
    add_answers(file, answers)
    file.execute("COMMIT")


@pytest.fixture
def other_file() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        prepare_spool_file(connection, bytes)
        yield connection


def known(file: sqlite3.Connection, keys: Iterable[str], now_ms: int = 5) -> list[str]:
    """Those of the keys that are remembered."""
    return [key for key in keys if find_accepted_request(file, WORKSPACE, PRODUCTION, key, now_ms)]


def numbered(count: int) -> Sequence[str]:
    return [f"k{number}" for number in range(count)]


def test_the_newest_sixteen_keys_of_a_queue_are_remembered(file: sqlite3.Connection) -> None:
    for key in numbered(40):
        commit(file, key)
    assert known(file, numbered(40)) == numbered(40)[-MAX_QUEUE_KEYS:]


def test_keys_of_one_commit_displace_those_before_them(file: sqlite3.Connection) -> None:
    commit(file, *numbered(40))
    assert known(file, numbered(40)) == numbered(40)[-MAX_QUEUE_KEYS:]


def test_the_newest_key_is_the_one_that_came_last_although_the_clock_was_set_back(file: sqlite3.Connection) -> None:
    for number, key in enumerate(numbered(17)):
        commit(file, key, at_ms=1_000 - number)
    assert known(file, numbered(17), 1_000) == numbered(17)[1:]


def test_queues_and_single_keys_displace_nothing_of_each_other(file: sqlite3.Connection) -> None:
    commit(file, "single", queue=None)
    commit(file, "of another queue", queue=OTHER)
    commit(file, "of another api key", queue=KeyQueue("other-key", QUEUE.name))
    commit(file, *numbered(30))
    others = ["single", "of another queue", "of another api key"]
    assert known(file, others) == others


def test_a_key_of_a_queue_is_found_for_60_days_and_another_for_24_hours(file: sqlite3.Connection) -> None:
    commit(file, "queued")
    commit(file, "single", queue=None)
    assert known(file, ["queued", "single"], DAY_MS + 4) == ["queued", "single"]
    assert known(file, ["queued", "single"], DAY_MS + 5) == ["queued"]
    assert known(file, ["queued"], 60 * DAY_MS + 4) == ["queued"]
    assert known(file, ["queued"], 60 * DAY_MS + 5) == []


def test_what_is_found_says_whether_it_is_of_a_queue(file: sqlite3.Connection) -> None:
    commit(file, "queued")
    commit(file, "single", queue=None)
    assert find_accepted_request(file, WORKSPACE, PRODUCTION, "queued", 5) == ("print queued", 1, True)
    assert find_accepted_request(file, WORKSPACE, PRODUCTION, "single", 5) == ("print single", 1, False)


def test_a_key_that_was_forgotten_may_come_again_in_another_queue(file: sqlite3.Connection) -> None:
    commit(file, "k")
    commit(file, "k", queue=OTHER, at_ms=61 * DAY_MS)
    assert file.execute("SELECT name FROM queued_idempotency JOIN idempotency_queue ON id = queue").fetchall() == [
        (OTHER.name,)
    ]


def test_only_queues_unused_for_60_days_are_forgotten(file: sqlite3.Connection) -> None:
    commit(file, "old")
    commit(file, "new", queue=OTHER, at_ms=6)
    assert not forget_old_requests(file, 60 * DAY_MS + 4)
    assert forget_old_requests(file, 60 * DAY_MS + 5)
    assert [answer[2] for answer in list_answers(file)] == ["new"]
    assert file.execute(QUEUE_COUNT).fetchone() == (1,)


def test_keys_are_forgotten_in_portions(file: sqlite3.Connection) -> None:
    rows = [(WORKSPACE, PRODUCTION, key, "print", 1, 5, None, None) for key in numbered(250)]
    add_at_once(file, rows)
    counts = []
    while forget_old_requests(file, 2 * DAY_MS):
        counts.append(len(list_answers(file)))
    assert counts[-1] == 0
    assert all(before - after <= 100 for before, after in zip([250, *counts], counts, strict=False))


def test_an_environment_is_forgotten_with_its_queues_alone(file: sqlite3.Connection) -> None:
    commit(file, "k")
    commit(file, "k", queue=KeyQueue("test-key", QUEUE.name), environment="test")
    forget_environment_requests(file, WORKSPACE, "test")
    assert [answer[1] for answer in list_answers(file)] == [PRODUCTION]
    assert file.execute("SELECT api_key FROM idempotency_queue").fetchall() == [("api-key",)]


def test_the_queue_that_is_unused_for_longest_makes_room(file: sqlite3.Connection) -> None:
    queues = [(WORKSPACE, PRODUCTION, f"k{n}", "print", 1, 10 + n, "api-key", f"q{n}") for n in range(MAX_QUEUES)]
    add_at_once(file, queues)
    commit(file, "of another api key", queue=KeyQueue("other-key", "q"), at_ms=1)
    commit(file, "used again", queue=KeyQueue("api-key", "q0"), at_ms=100_000)
    commit(file, "new", at_ms=1)  # the clock was set back
    assert file.execute(f"{QUEUE_COUNT} WHERE api_key = 'api-key'").fetchone() == (MAX_QUEUES,)
    wanted = ["k0", "used again", "new", "of another api key", "k2"]
    assert known(file, ["k1", *wanted]) == wanted


def test_answers_are_the_same_in_another_file(file: sqlite3.Connection, other_file: sqlite3.Connection) -> None:
    commit(file, "single", queue=None)
    commit(file, *numbered(20))
    commit(file, "of another queue", queue=OTHER, at_ms=9)
    add_at_once(other_file, list_answers(file))
    assert list_answers(other_file) == list_answers(file)
    commit(other_file, "newest")
    assert known(other_file, numbered(20)) == numbered(20)[-15:]


def test_a_file_of_an_earlier_version_has_answers_without_queues(file: sqlite3.Connection) -> None:
    commit(file, "single", queue=None)
    file.execute("DROP TABLE queued_idempotency")
    assert [answer[2:] for answer in list_answers(file)] == [("single", "print single", 1, 5, None, None)]
