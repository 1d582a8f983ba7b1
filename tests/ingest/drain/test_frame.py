"""What waited as it was sent becomes rows, the same every time (rules/events#otlp-events)."""

import base64
from typing import Any

import msgspec
import pytest

from harness.clients.telemetry import NOW_NS, logs, traces
from harness.stores.event_store import NOW_MS, fresh_scope
from tallyroom.ingest.drain.frame import FrameHeader, map_frames
from tallyroom.ingest.otlp.pack import compress
from tallyroom.storage.spool.row import SpoolRow

SCOPE = fresh_scope()
LAST_YEAR = NOW_NS - 365 * 86_400 * 10**9


def framed(signal: str, request: Any, first_seq: int, events: int) -> bytes:
    payload = compress(request.SerializeToString())
    return FrameHeader(signal, SCOPE.workspace_id, "production", NOW_MS, first_seq, events, len(payload)).wrap(payload)


def rows_of(months: dict[int, tuple[int, bytes]] | None) -> dict[int, list[SpoolRow]]:
    assert months is not None
    found = {
        month: [msgspec.json.decode(line, type=SpoolRow) for line in body.splitlines()]
        for month, (_, body) in months.items()
    }
    assert {month: count for month, (count, _) in months.items()} == {month: len(rows) for month, rows in found.items()}
    return found


def test_frames_become_rows_of_their_months() -> None:
    first = framed(
        "traces",
        traces({"name": "a", "events": [{"name": "a1"}]}, {"name": "old", "start_time_unix_nano": LAST_YEAR}),
        7,
        3,
    )
    second = framed(
        "logs", logs({"event_name": "b", "attributes": {"user.id": "ann"}}, resource={"service.name": "s"}), 10, 1
    )
    months = rows_of(map_frames(first + second, 5))
    assert list(months) == [202511, 202611]
    placed = {month: [(row.seq, row.name) for row in rows] for month, rows in months.items()}
    assert placed == {202611: [(7, "a"), (8, "a1"), (10, "b")], 202511: [(9, "old")]}
    row = months[202611][-1]
    assert (row.workspace_id, row.environment, row.received_ms, row.spool) == (
        SCOPE.workspace_id,
        "production",
        NOW_MS,
        5,
    )
    assert (row.actor, row.source, row.actor_label, row.narrowed) == ("ann", "s", "", None)
    assert msgspec.json.decode(row.properties) == {"user.id": "ann", "service.name": "s"}


@pytest.mark.parametrize(("value", "is_marked"), [(2**53, False), (2**53 + 1, True), (-(2**63), True), (0.1, False)])
def test_integers_that_are_more_than_their_doubles_are_marked(value: float, is_marked: bool) -> None:
    body = framed("logs", logs({"event_name": "b", "attributes": {"x": value}}), 1, 1)
    [(_, lines)] = (map_frames(body, 5) or {}).values()
    assert (b"\t" in lines, lines.endswith(b",null]\n")) == (is_marked, not is_marked)


def test_the_same_range_is_the_same_bytes() -> None:
    body = framed("traces", traces(*[{"name": f"n{n}", "attributes": {"x": n, "a": "b"}} for n in range(50)]), 1, 50)
    assert map_frames(body, 1) == map_frames(body, 1)


def test_what_cannot_be_mapped_holds_nobody_up() -> None:
    """As a fault of the program would have it: rows that the store refuses, with all that was sent in the first."""
    request = traces({"name": "a"}, {"name": "b"})
    bad, good = framed("traces", request, 1, 3), framed("logs", logs({"event_name": "good"}), 4, 1)
    [(month, (events, body))] = (map_frames(bad + good, 1) or {}).items()
    assert (month, events) == (202611, 4)
    first, *rest = [msgspec.json.decode(line) for line in body.splitlines()]
    assert base64.b64decode(first[10]["payload"]) == request.SerializeToString()
    assert [isinstance(row[2], str) for row in (first, *rest)] == [True, True, True, False]
    assert [row[5] for row in (first, *rest)] == [1, 2, 3, 4]
    assert rest[-1][6] == "good"


@pytest.mark.parametrize("broken", [b"", b"x", b"[]\n", b"\xff\n"])
def test_what_is_no_frame_is_not_mapped(broken: bytes) -> None:
    good = framed("logs", logs({"event_name": "good"}), 4, 1)
    assert map_frames(good + broken, 1) == (map_frames(good, 1) if broken == b"" else None)
    assert map_frames(good[:-1], 1) is None
