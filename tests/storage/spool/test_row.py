"""One event is one line, and a chunk is of one month."""

from datetime import UTC, datetime

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.stores.event_store import event, fresh_scope
from tallyroom.storage.event_store.tables import EVENT_COLUMNS
from tallyroom.storage.spool.row import build_chunks, mark_earlier_lines, mark_narrowed, month_of, split_lines

SCOPE = fresh_scope()


@pytest.mark.parametrize(
    ("moment", "month"),
    [
        ("1970-01-01T00:00:00+00:00", 197001),
        ("2026-10-31T23:59:59.999+00:00", 202610),
        ("2026-11-01T00:00:00+00:00", 202611),
        ("2028-02-29T12:00:00+00:00", 202802),
        ("2026-12-31T23:59:59.999+00:00", 202612),
        ("2027-01-01T00:00:00+00:00", 202701),
    ],
)
def test_months_begin_and_end_in_utc(moment: str, month: int) -> None:
    assert month_of(round(datetime.fromisoformat(moment).timestamp() * 1000)) == month


@given(st.integers(0, 4_102_444_800_000))
def test_a_month_is_the_calendars(ms: int) -> None:
    date = datetime.fromtimestamp(ms // 1000, UTC)
    assert month_of(ms) == date.year * 100 + date.month


def test_rows_are_parted_by_month_and_keep_their_order() -> None:
    rows = [event(SCOPE, timestamp_ms=at) for at in (0, 2_678_400_000, 1, 2_678_399_999)]
    chunks = {chunk.month: chunk for chunk in build_chunks(rows)}
    assert {month: chunk.event_count for month, chunk in chunks.items()} == {197001: 3, 197002: 1}
    decoded = [msgspec.json.decode(line) for line in split_lines(chunks[197001].body)]
    assert [line[2] for line in decoded] == [0, 1, 2_678_399_999]


def test_a_line_is_the_stores_columns_in_order_with_the_properties_as_sent() -> None:
    row = event(SCOPE, "n", actor="a", label="l", source="s", properties=b'{"k": 1.10}', received_ms=7, spool=3, seq=9)
    [chunk] = build_chunks([row])
    assert chunk.body.endswith(b',"n","a","l","s",{"k": 1.10},""\t]\n')
    line = dict(zip(EVENT_COLUMNS, msgspec.json.decode(chunk.body), strict=True))
    assert line == msgspec.structs.asdict(row) | {"properties": {"k": 1.1}, "narrowed": ""}


@pytest.mark.parametrize("narrowed", [None, mark_narrowed(b""), mark_narrowed(b'{"n":1e22}')])
def test_lines_of_this_version_stay_as_they_are(narrowed: msgspec.Raw | None) -> None:
    [chunk] = build_chunks([msgspec.structs.replace(event(SCOPE), narrowed=narrowed) for _ in range(3)])
    assert mark_earlier_lines(chunk.body) == chunk.body


def test_all_lines_of_an_earlier_version_are_marked() -> None:
    [chunk] = build_chunks(
        [event(SCOPE, properties=properties) for properties in (b"{}", b'{"n":18446744073709551617}')]
    )
    assert chunk.body.count(b"\t") == 2
    assert mark_earlier_lines(chunk.body.replace(b"\t", b"")) == chunk.body


def test_a_tab_in_a_text_is_no_mark() -> None:
    row = msgspec.structs.replace(event(SCOPE, "a\tb", properties=b'{"k":"\\t"}'), narrowed=None)
    [chunk] = build_chunks([row])
    assert b"\t" not in chunk.body


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1, max_size=5))
def test_no_text_breaks_a_line(texts: list[str]) -> None:
    rows = [event(SCOPE, text, actor=text, properties=msgspec.json.encode({text: text})) for text in texts]
    [chunk] = build_chunks(rows)
    found = split_lines(chunk.body)
    assert b"".join(found) == chunk.body
    assert [msgspec.json.decode(line)[6] for line in found] == texts
