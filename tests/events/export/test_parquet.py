"""Parquet files that the engine wrote, joined into one that it reads."""

from itertools import pairwise
from pathlib import Path

import pytest

from harness.oracles.export_files import read_parquet_files
from harness.stores.event_store import NOW_MS, EventStore, event, fresh_scope
from tallyroom.events.export.parquet import JoinedParquetFile

SQL = """SELECT name, timestamp, nullIf(actor, '') AS actor, seq FROM events
WHERE {scope} AND seq > {after:UInt64} AND seq <= {last:UInt64} ORDER BY seq"""


async def written(event_store: EventStore, bounds: list[tuple[int, int]]) -> list[bytes]:
    """A file for each pair (after, last) of sequence numbers; there are 3000 events."""
    scope = fresh_scope()
    event_store.insert(
        [
            event(scope, f"e{seq % 7}", actor="" if seq % 3 else f"a{seq}" * 20, timestamp_ms=NOW_MS + seq, seq=seq)
            for seq in range(1, 3001)
        ]
    )
    return [
        await event_store.reader.fetch_bytes(SQL, scope, {"after": after, "last": last}, "Parquet")
        for after, last in bounds
    ]


BOUNDS = {
    "nothing": [],
    "one": [0, 3000],
    "unequal": [0, 1, 2, 2999, 3000],
    "an empty one between": [0, 5, 5, 9],
    "more than fifteen": [*range(0, 1500, 50)],
}


@pytest.mark.long
async def test_the_joined_file_has_the_rows_of_all(event_store: EventStore, tmp_path: Path) -> None:
    """Of each way to divide; all of them are read by one process."""
    paths = []
    for name, bounds in BOUNDS.items():
        empty, *parts = await written(event_store, [(0, 0), *pairwise(bounds)])
        joined = JoinedParquetFile(empty)
        paths.append(tmp_path / f"{name}.parquet")
        paths[-1].write_bytes(b"".join([joined.build_head(), *map(joined.encode_slice, parts), joined.build_tail()]))
    for (name, bounds), (types, rows) in zip(BOUNDS.items(), read_parquet_files(paths), strict=True):
        assert types == {
            "name": "String",
            "timestamp": "DateTime64(3, 'UTC')",
            "actor": "Nullable(String)",
            "seq": "UInt64",
        }, name
        assert [row[3] for row in rows] == list(range(1, (bounds or [0])[-1] + 1)), name
        assert all(row[2] == (None if row[3] % 3 else f"a{row[3]}" * 20) for row in rows), name


async def test_one_file_joined_alone_keeps_its_bytes(event_store: EventStore) -> None:
    empty, part = await written(event_store, [(0, 0), (0, 3000)])
    joined = JoinedParquetFile(empty)
    content = joined.build_head() + joined.encode_slice(part)
    assert part.startswith(content)
    assert JoinedParquetFile(empty).build_head() + JoinedParquetFile(empty).build_tail() == empty
