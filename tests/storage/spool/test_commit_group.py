"""Requests of one commit become one row for each month."""

import sqlite3
from contextlib import closing

from harness.stores.event_store import event, fresh_scope, lines
from tallyroom.storage.spool.claim import ChunkSize, read_chunk_sizes
from tallyroom.storage.spool.commit_group import CommitGroup, IdempotentRequest, IngestBatch
from tallyroom.storage.spool.file import prepare_spool_file
from tallyroom.storage.spool.lane import LaneMonth
from tallyroom.storage.spool.row import UNMAPPED_MONTH, Chunk, SpoolRow, build_chunks

SCOPE = fresh_scope()


def batch(*rows: SpoolRow, last_seq: int = 1, idempotent_request: IdempotentRequest | None = None) -> IngestBatch:
    return IngestBatch(SCOPE.workspace_id, 202611, len(rows), last_seq, build_chunks(list(rows)), idempotent_request)


def test_requests_of_one_month_are_one_row() -> None:
    rows = [event(SCOPE), event(SCOPE)]
    group = CommitGroup([batch(rows[0]), batch(rows[1])])
    assert (group.row_count, group.is_one_row, group.event_count) == (1, True, 2)
    assert [*group.iterate_sizes(5)] == [ChunkSize(5, LaneMonth("", 202611), len(lines(rows)))]


def test_two_months_are_two_rows() -> None:
    group = CommitGroup([batch(event(SCOPE)), batch(event(SCOPE, timestamp_ms=0))])
    assert (group.row_count, group.is_one_row, group.event_count) == (2, False, 2)


def test_no_request_is_no_row() -> None:
    assert (CommitGroup([]).row_count, CommitGroup([]).is_one_row, [*CommitGroup([]).iterate_sizes(1)]) == (
        0,
        False,
        [],
    )


def test_a_lane_has_rows_of_its_own() -> None:
    batches = [batch(event(SCOPE)), batch(event(SCOPE)), batch(event(SCOPE))]
    for bulk in batches[1:]:
        bulk.lane = "w/production"
    group = CommitGroup(batches)
    assert [size.lane_month.lane for size in group.iterate_sizes(1)] == ["", "w/production"]
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        prepare_spool_file(connection, bytes)
        group.write_rows(connection)
        assert [size[:2] for size in read_chunk_sizes(connection)] == [size[:2] for size in group.iterate_sizes(1)]


def test_what_is_yet_to_be_mapped_is_split_where_it_is_large() -> None:
    sizes = {b"a": 3_000_000, b"b": 1_000_000, b"c": 1, b"d": 5_000_000}
    chunks = [Chunk(UNMAPPED_MONTH, 1, body, size) for body, size in sizes.items()]
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        prepare_spool_file(connection, bytes)
        CommitGroup([IngestBatch(SCOPE.workspace_id, 202611, 4, 4, chunks)]).write_rows(connection)
        assert connection.execute("SELECT events, bytes, body FROM chunk ORDER BY id").fetchall() == [
            (2, 4_000_000, b"ab"),
            (1, 1, b"c"),
            (1, 5_000_000, b"d"),
        ]


def test_counts_and_keys_are_written_once_however_many_rows() -> None:
    replays = [IdempotentRequest("production", key, "f", 1) for key in ("a", "b\"'\\")]
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        prepare_spool_file(connection, bytes)
        months = (event(SCOPE), event(SCOPE, timestamp_ms=0))
        CommitGroup(
            [
                batch(*months, last_seq=8, idempotent_request=replays[0]),
                batch(*months, last_seq=6, idempotent_request=replays[1]),
            ]
        ).write_rows(connection)
        assert connection.execute("SELECT month, events FROM chunk ORDER BY id").fetchall() == [
            (202611, 2),
            (197001, 2),
        ]
        assert connection.execute("SELECT events FROM usage").fetchall() == [(4,)]
        assert connection.execute("SELECT key, accepted FROM idempotency ORDER BY key").fetchall() == [
            ("a", 2),
            ("b\"'\\", 2),
        ]
        assert dict(connection.execute("SELECT name, value FROM number")) == {
            "spool": 0,
            "acked": 4,
            "next_seq": 9,
            "next_seq_copy": 9,
            "last_id": 2,
            "stored": 0,
            "erased": 0,
            "lost": 0,
        }
