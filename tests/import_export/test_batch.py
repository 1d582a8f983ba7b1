"""The same file is cut at the same places, under the same keys."""

import json
from collections.abc import Iterable

import pytest

from tallyroom.core.event_limits import MAX_BODY_BYTES
from tallyroom.import_export.batch import FileBatchNamer, ImportBatch, build_rows, split_batches
from tallyroom.import_export.endpoint import EVENTS_ENDPOINT
from tallyroom.import_export.row import FileRow, RefusedRow, RowRefused


def rows(count: int, size: int = 20) -> list[FileRow | RefusedRow]:
    return [FileRow(line, {}, json.dumps({"name": "x" * size, "n": line}).encode()) for line in range(2, count + 2)]


def make(row: FileRow) -> bytes:
    assert isinstance(row.display, bytes)
    if row.display == b"bad":
        raise RowRefused("name: is missing")
    return row.display


def batches(
    items: Iterable[FileRow | RefusedRow], digest: bytes | None = b"file", mapping: bytes = b"m"
) -> list[ImportBatch]:
    return list(
        split_batches(build_rows(items, make, EVENTS_ENDPOINT), EVENTS_ENDPOINT, FileBatchNamer(digest, mapping))
    )


def keys(*args: object, **options: object) -> list[str]:
    return [batch.key for batch in batches(*args, **options)]  # type: ignore[arg-type] # options of any sort


def test_batches_of_five_hundred_in_the_order_of_the_file() -> None:
    cuts = batches(rows(1201))
    assert [len(batch.rows) for batch in cuts] == [500, 500, 201]
    assert [batch.last_line_number for batch in cuts] == [501, 1001, 1202]
    assert [row.line_number for batch in cuts for row in batch.rows] == list(range(2, 1203))


def test_a_body_holds_the_rows_and_is_json() -> None:
    [batch] = batches(rows(3))
    assert [event["n"] for event in json.loads(batch.build_body())["events"]] == [2, 3, 4]


@pytest.mark.long
@pytest.mark.parametrize("size", [60_000, 65_000, 500_000, MAX_BODY_BYTES // 2 - 60])
def test_no_body_is_too_large(size: int) -> None:
    cuts = batches(rows(100, size))
    assert sum(len(batch.rows) for batch in cuts) == 100
    assert all(len(batch.build_body()) <= MAX_BODY_BYTES for batch in cuts)
    assert all(len(batch.build_body()) + size > MAX_BODY_BYTES for batch in cuts[:-1])


def test_a_body_may_have_exactly_the_limit() -> None:
    frame = len(batches(rows(1, 0))[0].build_body())
    [fits] = batches(rows(1, MAX_BODY_BYTES - frame))
    assert len(fits.build_body()) == MAX_BODY_BYTES
    [over] = batches(rows(1, MAX_BODY_BYTES - frame + 1))
    assert (over.rows, len(over.refusals)) == ([], 1)
    assert "more than a request can hold" in over.refusals[0].reason


def test_refused_rows_ride_along() -> None:
    items: list[FileRow | RefusedRow] = [*rows(2), RefusedRow(4, "not JSON", b""), FileRow(5, {}, b"bad")]
    [batch] = batches(items)
    assert [row.line_number for row in batch.rows] == [2, 3]
    assert [(row.line_number, row.reason) for row in batch.refusals] == [(4, "not JSON"), (5, "name: is missing")]
    assert batch.last_line_number == 5


def test_a_file_of_refused_rows_is_cut_too() -> None:
    cuts = batches(RefusedRow(line, "no", b"") for line in range(1, 1101))
    assert [len(batch.refusals) for batch in cuts] == [500, 500, 100]
    assert [batch.rows for batch in cuts] == [[], [], []]


def test_what_is_kept_of_the_rows_does_not_fill_the_memory() -> None:
    million = "x" * 1_000_000
    large = [FileRow(line, {}, {"ignored": million}) for line in range(1, 101)]
    cuts = list(
        split_batches(
            build_rows(large, lambda _: b'{"name":"e"}', EVENTS_ENDPOINT),
            EVENTS_ENDPOINT,
            FileBatchNamer(b"file", b"m"),
        )
    )
    assert [len(batch.rows) for batch in cuts] == [9] * 11 + [1]
    refused = [RefusedRow(line, "no", million.encode()) for line in range(1, 101)]
    assert max(len(batch.refusals) for batch in batches(refused)) == 9


def test_nothing_makes_no_batch() -> None:
    assert batches([]) == []


@pytest.mark.parametrize("digest", [b"file", None])
def test_keys_are_the_same_again_and_different_from_each_other(digest: bytes | None) -> None:
    same_events = [FileRow(line, {}, b'{"name":"tick"}') for line in range(1, 1501)]
    first = keys(same_events, digest)
    assert first == keys(same_events, digest)
    assert len(set(first)) == 3
    assert all(len(key) <= 255 and key.isascii() for key in first)


def test_another_file_or_mapping_has_other_keys() -> None:
    found = keys(rows(600)) + keys(rows(600), b"other") + keys(rows(600), None) + keys(rows(600), b"file", b"other")
    assert len(set(found)) == 8


def test_a_stream_that_begins_the_same_has_the_same_keys_as_far_as_it_is_the_same() -> None:
    one, other = keys(rows(1200), None), keys(rows(1100), None)
    assert [mine == theirs for mine, theirs in zip(one, other, strict=True)] == [True, True, False]


def test_a_stream_that_differs_early_has_other_keys_from_there_on() -> None:
    changed = rows(1200)
    changed[3] = FileRow(5, {}, b'{"name":"y"}')
    assert not set(keys(rows(1200), None)) & set(keys(changed, None))
