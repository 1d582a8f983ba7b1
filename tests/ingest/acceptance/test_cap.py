"""A free workspace gets its events to the last one and not one more."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tallyroom.core.errors import PlanLimit
from tallyroom.ingest.acceptance.cap import LocalCap
from tallyroom.storage.spool.file import open_spool_file, prepare_spool_file


@pytest.fixture
def file(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with closing(open_spool_file(tmp_path / "spool.sqlite")) as connection:
        prepare_spool_file(connection, bytes)
        yield connection


def test_the_cap_is_exact_and_a_batch_is_all_or_nothing(file: sqlite3.Connection) -> None:
    cap = LocalCap(file, 10)
    cap.reserve("w", "free", 202611, 7)
    with pytest.raises(PlanLimit) as refused:
        cap.reserve("w", "free", 202611, 4)
    assert (refused.value.status, refused.value.slug) == (402, "plan_limit")
    assert cap.get_local_count("w", 202611) == 7
    cap.reserve("w", "free", 202611, 3)
    with pytest.raises(PlanLimit):
        cap.reserve("w", "free", 202611, 1)


def test_workspaces_and_months_are_counted_apart(file: sqlite3.Connection) -> None:
    cap = LocalCap(file, 1)
    for workspace, month in (("w", 202611), ("v", 202611), ("w", 202612)):
        cap.reserve(workspace, "free", month, 1)
        with pytest.raises(PlanLimit):
            cap.reserve(workspace, "free", month, 1)


def test_a_paid_workspace_is_counted_and_never_refused(file: sqlite3.Connection) -> None:
    cap = LocalCap(file, 1)
    cap.reserve("w", "paid", 202611, 500)
    assert cap.get_local_count("w", 202611) == 500
    with pytest.raises(PlanLimit):
        cap.reserve("w", "free", 202611, 1)  # the plan holds from the next request on


def test_what_was_not_kept_is_given_back(file: sqlite3.Connection) -> None:
    cap = LocalCap(file, 5)
    cap.reserve("w", "free", 202611, 5)
    cap.give_back("w", 202611, 5)
    cap.reserve("w", "free", 202611, 5)


def test_the_durable_counts_hold_after_a_restart(file: sqlite3.Connection) -> None:
    file.execute("INSERT INTO usage VALUES ('w', 202611, 9)")
    cap = LocalCap(file, 10)
    assert cap.get_local_count("w", 202611) == 9
    cap.reserve("w", "free", 202611, 1)
    with pytest.raises(PlanLimit):
        cap.reserve("w", "free", 202611, 1)


def test_a_cap_of_zero_takes_nothing(file: sqlite3.Connection) -> None:
    with pytest.raises(PlanLimit):
        LocalCap(file, 0).reserve("w", "free", 202611, 1)


def test_as_many_are_counted_as_there_is_room_for(file: sqlite3.Connection) -> None:
    cap = LocalCap(file, 10)
    assert [cap.reserve_up_to("w", "free", 202611, events) for events in (7, 4, 1)] == [7, 3, 0]
    assert cap.get_local_count("w", 202611) == 10
    assert [cap.reserve_up_to("w", "paid", 202611, events) for events in (7, 4)] == [7, 4]
    assert cap.get_local_count("w", 202611) == 21
    assert cap.reserve_up_to("w", "free", 202611, 1) == 0, "a workspace that went back to the free plan"
    assert cap.get_local_count("w", 202611) == 21
