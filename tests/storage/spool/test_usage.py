"""Events are counted by workspace and month of receipt (rules/people#monthly-cap)."""

import sqlite3

from harness.stores.event_store import event, fresh_scope
from tallyroom.storage.spool.commit_group import CommitGroup, IngestBatch
from tallyroom.storage.spool.row import build_chunks
from tallyroom.storage.spool.usage import read_usage


def test_usage_adds_up_over_commits(file: sqlite3.Connection) -> None:
    one, two = fresh_scope(), fresh_scope()
    assert read_usage(file) == {}
    for scope, month, events in ((one, 202611, 2), (one, 202611, 3), (one, 202612, 1), (two, 202611, 4)):
        chunks = build_chunks([event(scope)] * events)
        CommitGroup([IngestBatch(scope.workspace_id, month, events, events, chunks)]).write_rows(file)
    assert read_usage(file) == {
        (one.workspace_id, 202611): 5,
        (one.workspace_id, 202612): 1,
        (two.workspace_id, 202611): 4,
    }
