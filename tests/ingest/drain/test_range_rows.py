"""Whichever byte changed, one event is set aside and the others stay (rules/safety#damaged-events)."""

from collections.abc import Mapping
from random import Random

import msgspec
import pytest

from harness.clients.telemetry import logs
from harness.stores.event_store import NOW_MS, event, fresh_scope, lines
from harness.stores.spool_batches import omission
from tallyroom.core.times import DAY_MS
from tallyroom.ingest.drain.frame import FrameHeader
from tallyroom.ingest.drain.pieces import prove_chunk
from tallyroom.ingest.drain.range_rows import Rows, build_range_rows
from tallyroom.ingest.otlp.pack import compress
from tallyroom.storage.spool.claim import WaitingChunk
from tallyroom.storage.spool.omissions import OmissionSpan
from tallyroom.storage.spool.row import UNMAPPED_MONTH, split_lines
from tallyroom.storage.spool.seal import BLOCK_BYTES, build_seal

SPOOL, MONTH = 9, 202611
SCOPE = fresh_scope()
FLIPS = (0x01, 0x20, 0x80)
VALUES = b'\0\n\r"]\xff'


def chunk_of(body: bytes, events: int, *, written: bytes | None = None, is_sealed: bool = True) -> WaitingChunk:
    """A chunk whose body was written as `written`."""
    seal = build_seal(MONTH, events, len(body), body if written is None else written) if is_sealed else None
    return WaitingChunk(1, MONTH, events, len(body), body, seal)


def body_of(events: int, filling: int = 0) -> bytes:
    properties = msgspec.json.encode({"text": "y" * filling, "list": ["0190b5a0-0000-7000-8000-000000000000"]})
    return lines([event(SCOPE, f"n{at}", actor="ann", spool=SPOOL, properties=properties) for at in range(events)])


def examined(*chunks: WaitingChunk) -> Mapping[int, Rows]:
    return build_range_rows([prove_chunk(chunk, SPOOL) for chunk in chunks], SPOOL).rows_by_month


def rows_of(chunk: WaitingChunk) -> Rows:
    [(month, rows)] = examined(chunk).items()
    assert month == MONTH
    assert len(split_lines(rows.body)) == rows.event_count
    return rows


def others(rows: Rows) -> list[bytes]:
    return [line for place, line in enumerate(split_lines(rows.body)) if place not in rows.stand_in_indexes]


def unchanged_lines(body: bytes, now: bytes) -> list[bytes]:
    """The lines whose bytes are the same; a line may end where a changed block begins."""
    unchanged, stop = [], 0
    for line in split_lines(body):
        start, stop = stop, stop + len(line)
        if now[start:stop] == line:
            unchanged.append(line)
    return unchanged


def changes(body: bytes) -> list[bytes]:
    """The body with each byte changed in several ways."""
    return [
        body[:at] + bytes([value]) + body[at + 1 :]
        for at, byte in enumerate(body)
        for value in {byte ^ flip for flip in FLIPS} | set(VALUES) - {byte}
    ]


@pytest.mark.long
def test_whichever_byte_changed_its_event_alone_is_set_aside() -> None:
    body = body_of(3)
    written = split_lines(body)
    for now in changes(body):
        at = next(place for place, (old, new) in enumerate(zip(body, now, strict=True)) if old != new)
        place = body[:at].count(b"\n")
        rows = rows_of(chunk_of(now, 3, written=body))
        assert (rows.event_count, rows.stand_in_indexes) == (3, (place,)), at
        assert others(rows) == written[:place] + written[place + 1 :], at


def test_a_stand_in_says_whose_the_event_is_and_has_its_bytes() -> None:
    body = body_of(2)
    now = body.replace(b'"n1"', b'"\xff1"')
    stand_in = msgspec.json.decode(split_lines(rows_of(chunk_of(now, 2, written=body)).body)[1])
    assert stand_in[:4] == [SCOPE.workspace_id, "production", NOW_MS, NOW_MS]
    assert (stand_in[4], stand_in[6], stand_in[7]) == (SPOOL, "n1", "ann")
    assert set(stand_in[10]) == {"base64"}
    readable = rows_of(chunk_of(body.replace(b'"n1"', b'"n7"'), 2, written=body))
    assert msgspec.json.decode(split_lines(readable.body)[1])[10]["text"] == split_lines(body)[1].decode().replace(
        "n1", "n7"
    )


@pytest.mark.parametrize("size", [10, 100, 512, BLOCK_BYTES])
@pytest.mark.parametrize("seed", range(20))
def test_a_sector_of_garbage_sets_aside_no_event_outside_of_its_block(size: int, seed: int) -> None:
    chance = Random(f"{size}-{seed}")
    body = body_of(200, filling=100)
    start = chance.randrange(len(body) // BLOCK_BYTES) * BLOCK_BYTES + chance.randrange(0, BLOCK_BYTES - size + 1)
    now = body[:start] + chance.randbytes(size) + body[start + size :]
    rows = rows_of(chunk_of(now, 200, written=body))
    first, last = (
        body[: start // BLOCK_BYTES * BLOCK_BYTES].count(b"\n"),
        body[: start // BLOCK_BYTES * BLOCK_BYTES + BLOCK_BYTES].count(b"\n"),
    )
    hit = range(body[:start].count(b"\n"), body[: start + size].count(b"\n") + 1)
    assert rows.event_count == 200
    assert rows.stand_in_indexes
    written = split_lines(body)
    untouched = set(written[:first] + written[last + 1 :])
    assert untouched <= set(others(rows))
    assert set(others(rows)) <= set(written) - {written[place] for place in hit if written[place] not in now}


def test_of_good_rows_one_of_which_changed_none_counts() -> None:
    """Two digits of two times changed: nothing shows where."""
    body = body_of(100, filling=100)
    block = body[:BLOCK_BYTES]
    last = block.rindex(b"yyy")
    now = body[:last] + b"zz" + body[last + 2 :]
    rows = rows_of(chunk_of(now, 100, written=body))
    assert rows.stand_in_indexes == tuple(range(body[:BLOCK_BYTES].count(b"\n") + 1))


@pytest.mark.parametrize("name", ["month", "event_count", "byte_count"])
@pytest.mark.parametrize("value", [0, -1, 1, 10**12])
def test_numbers_that_changed_are_those_that_were_written(name: str, value: int) -> None:
    body = body_of(3)
    chunk = chunk_of(body, 3)
    changed = {"month": chunk.month, "event_count": chunk.event_count, "byte_count": chunk.byte_count} | {name: value}
    assert prove_chunk(WaitingChunk(1, **changed, body=body, seal=chunk.seal), SPOOL).chunk == chunk


@pytest.mark.parametrize("events", [1, 2, 3, 5, 10**12, -4, 0])
@pytest.mark.parametrize("month", [MONTH, UNMAPPED_MONTH, 202610])
def test_without_a_seal_a_chunk_has_a_line_for_each_event(events: int, month: int) -> None:
    """As an older version wrote it: with a number of events that may be, it has so many; else as many as lines."""
    body = body_of(3)
    chunk = chunk_of(body, events, is_sealed=False)._replace(month=month)
    rows = rows_of(chunk)
    assert rows.event_count == prove_chunk(chunk, SPOOL).chunk.event_count == (5 if events == 5 else 3)
    assert others(rows) == split_lines(body)


def test_without_a_seal_a_row_that_is_there_twice_counts_once() -> None:
    first, second, _ = split_lines(body_of(3))
    rows = rows_of(chunk_of(first + second + first, 3, is_sealed=False))
    assert others(rows) == [first, second]
    assert rows.stand_in_indexes == (2,)


def altered(body: bytes, *places: int) -> bytes:
    now = bytearray(body)
    for place in places:
        now[place] ^= 0x01
    return bytes(now)


def test_where_several_bytes_of_a_block_changed_none_of_its_events_counts() -> None:
    """One of the lines is no row any more; the other looks right, and is not what was sent."""
    body = body_of(100, filling=100)
    bracket = body.index(b"\n[") + 1
    now = altered(body, bracket, body.index(b"yyy", bracket + 1000))
    rows = rows_of(chunk_of(now, 100, written=body))
    last = body[:BLOCK_BYTES].count(b"\n")
    assert rows.stand_in_indexes == tuple(range(last + 1))
    assert others(rows) == split_lines(body)[last + 1 :]


def test_a_sector_that_was_copied_over_its_neighbour_takes_its_block_along() -> None:
    body = body_of(100, filling=100)
    now = body[: BLOCK_BYTES + 512] + body[BLOCK_BYTES : BLOCK_BYTES + 512] + body[BLOCK_BYTES + 1024 :]
    rows = rows_of(chunk_of(now, 100, written=body))
    first, last = body[:BLOCK_BYTES].count(b"\n"), body[: 2 * BLOCK_BYTES].count(b"\n")
    assert rows.stand_in_indexes == tuple(range(first, last + 1))


def test_a_block_that_was_copied_over_another_takes_no_other_along() -> None:
    body = b"".join([body_of(20, filling=100), body_of(40, filling=30), body_of(60, filling=10)])
    events = body.count(b"\n")
    for source in range(len(body) // BLOCK_BYTES):
        now = (
            body[: 2 * BLOCK_BYTES]
            + body[source * BLOCK_BYTES : source * BLOCK_BYTES + BLOCK_BYTES]
            + body[3 * BLOCK_BYTES :]
        )
        rows = rows_of(chunk_of(now, events, written=body))
        assert rows.event_count == events
        assert others(rows) == unchanged_lines(body, now)


@pytest.mark.parametrize("column", ["month", "event_count", "byte_count"])
def test_one_changed_byte_of_a_seal_changes_nothing(column: str) -> None:
    body = body_of(40, filling=100)
    chunk = chunk_of(altered(body, 100), 40, written=body)
    assert chunk.seal is not None
    for at in range(len(chunk.seal)):
        assert rows_of(chunk._replace(seal=altered(chunk.seal, at))).stand_in_indexes == (0,)
    damaged = chunk._replace(**{column: 1}, seal=altered(chunk.seal, 2), body=body)
    assert others(rows_of(damaged)) == split_lines(body)


def test_a_seal_that_is_gone_proves_nothing() -> None:
    """Only an older version writes no seal at all: then the column is NULL."""
    body = body_of(3)
    chunk = chunk_of(body, 3)
    assert chunk.seal is not None
    for seal in (b"", bytes(len(chunk.seal)), chunk.seal[:5], body):
        assert rows_of(chunk._replace(seal=seal)).stand_in_indexes == (0, 1, 2)


def test_a_seal_whose_beginning_is_gone_proves_the_blocks() -> None:
    body = body_of(100, filling=100)
    block = 2 * BLOCK_BYTES
    chunk = chunk_of(altered(body, block + 1, block + 2), 100, written=body)
    assert chunk.seal is not None
    rows = rows_of(chunk._replace(seal=bytes(9) + chunk.seal[9:]))
    assert rows.event_count == 100
    assert rows.stand_in_indexes == tuple(
        range(body[:block].count(b"\n"), body[: block + BLOCK_BYTES].count(b"\n") + 1)
    )


@pytest.mark.parametrize("is_mapped", [True, False])
@pytest.mark.parametrize("cut", [(0, 1), (5000, 5020), (8192, 12288), (20_000, 20_000)])
def test_of_a_body_that_grew_or_shrank_the_events_at_its_ends_are_kept(cut: tuple[int, int], is_mapped: bool) -> None:
    frames = [frame(f"n{number}", 2 * number + 1) for number in range(60)]
    written = split_lines(body_of(100, filling=50)) if is_mapped else frames
    body = b"".join(written)
    for filling in (b"", b"xyz\n" * 11):
        now = body[: cut[0]] + filling + body[cut[1] :]
        if now == body:
            continue
        if is_mapped:
            rows = rows_of(chunk_of(now, 100, written=body))
            assert rows.event_count == 100
            good, whole = others(rows), written
        else:
            seal = build_seal(UNMAPPED_MONTH, 120, 900, body, [(len(each), 2) for each in frames])
            months = examined(WaitingChunk(1, UNMAPPED_MONTH, 120, 900, now, seal))
            assert sum(rows.event_count for rows in months.values()) == 120
            good = [b"%d" % msgspec.json.decode(line)[5] for line in others(months[MONTH])]
            whole = [b"%d" % seq for seq in range(1, 121)]
        first, last = body[: cut[0] // BLOCK_BYTES * BLOCK_BYTES], body[-(-cut[1] // BLOCK_BYTES) * BLOCK_BYTES :]
        least = [each for each in written if each in first or each in last]
        assert len(least) > 20
        assert len(good) >= len(least) * (1 if is_mapped else 2)
        assert good == [each for each in whole if each in good]


def test_frames_without_the_beginning_of_their_seal_are_found_one_after_the_other() -> None:
    frames = [frame(f"n{number}", 2 * number + 1) for number in range(60)]
    body = b"".join(frames)
    seal = build_seal(UNMAPPED_MONTH, 120, 900, body, [(len(each), 2) for each in frames])
    at = len(b"".join(frames[:40])) + 120  # in a payload
    months = examined(WaitingChunk(1, UNMAPPED_MONTH, 120, 20_000, body, bytes(9) + seal[9:]))
    assert {month: rows.event_count for month, rows in months.items()} == {MONTH: 120}
    months = examined(WaitingChunk(1, UNMAPPED_MONTH, 120, 20_000, altered(body, at, at + 1), bytes(9) + seal[9:]))
    assert sum(rows.event_count for rows in months.values()) == 120
    before = len([each for each in frames if each in body[: at // BLOCK_BYTES * BLOCK_BYTES]])
    assert months[MONTH].event_count >= 2 * before > 20


def test_without_a_seal_a_good_row_of_another_spool_or_month_is_set_aside() -> None:
    rows = [
        event(SCOPE, spool=SPOOL),
        event(SCOPE, spool=SPOOL + 1),
        event(SCOPE, spool=SPOOL, timestamp_ms=NOW_MS - 60 * DAY_MS),
    ]
    assert rows_of(chunk_of(lines(rows), 3, is_sealed=False)).stand_in_indexes == (1, 2)


@pytest.mark.parametrize("size", [0, 10, 200])
def test_without_a_seal_a_body_that_was_cut_off_lacks_no_event(size: int) -> None:
    body = body_of(3)
    chunk = chunk_of(body, 3, is_sealed=False)._replace(body=body[: len(body) - size])
    rows = examined(chunk)[MONTH]
    assert rows.event_count == 3
    assert others(rows)[:1] == split_lines(body)[:1]


def frame(name: str, first_seq: int) -> bytes:
    payload = compress(
        logs({"event_name": name, "attributes": {"text": "x" * 50}}, {"event_name": name}).SerializeToString()
    )
    head = FrameHeader("logs", SCOPE.workspace_id, "production", NOW_MS, first_seq, 2, len(payload))
    return head.wrap(payload)


@pytest.mark.long
def test_whichever_byte_of_a_request_changed_the_others_are_mapped() -> None:
    frames = [frame("a", 1), frame("b", 3), frame("c", 5)]
    body = b"".join(frames)
    seal = build_seal(UNMAPPED_MONTH, 6, 900, body, [(len(each), 2) for each in frames])
    for now in changes(body):
        at = next(place for place, (old, new) in enumerate(zip(body, now, strict=True)) if old != new)
        hit = "abc"[(at >= len(frames[0])) + (at >= len(frames[0] + frames[1]))]
        months = examined(WaitingChunk(1, UNMAPPED_MONTH, 6, 900, now, seal))
        aside = months[197001]
        assert (aside.event_count, aside.stand_in_indexes) == (2, (0, 1))
        assert [msgspec.json.decode(line)[0] for line in split_lines(aside.body)] == [SCOPE.workspace_id] * 2
        good = [msgspec.json.decode(line)[6] for line in others(months[MONTH])]
        assert good == [name for name in "abc" if name != hit for _ in range(2)], at


@pytest.mark.parametrize("cut", [0, 1, 10, 60])
def test_without_a_seal_requests_that_cannot_be_read_are_set_aside(cut: int) -> None:
    body = frame("a", 1)[cut:] + frame("b", 3)[:-1]
    months = examined(WaitingChunk(1, UNMAPPED_MONTH, 4, 900, body, None))
    assert {month: (rows.event_count, rows.stand_in_indexes) for month, rows in months.items()} == {
        197001: (4, (0, 1, 2, 3))
    }


def test_the_same_range_gives_the_same_rows() -> None:
    body = body_of(3)
    chunks = [
        chunk_of(body.replace(b"n1", b"n7"), 3, written=body),
        WaitingChunk(2, UNMAPPED_MONTH, 2, 9, frame("a", 1), None),
    ]
    assert examined(*chunks) == examined(*chunks)
    assert examined(*chunks)[MONTH].stand_in_indexes == (1,)
    assert examined(*chunks)[MONTH].event_count == 5


def test_erased_events_of_a_request_are_left_out_once_it_is_mapped() -> None:
    body = frame("a", 1) + frame("b", 3)
    lengths = [(len(frame("a", 1)), 2), (len(frame("b", 3)), 2)]
    chunk = WaitingChunk(5, UNMAPPED_MONTH, 4, 900, body, build_seal(UNMAPPED_MONTH, 4, 900, body, lengths))
    line = body_of(2)
    written = WaitingChunk(4, *chunk_of(line, 2)[1:])
    for erased, events, omitted in ((omission(SCOPE, "ann"), 6, {}), (omission(SCOPE), 2, {"1": 4})):
        found = build_range_rows(
            [prove_chunk(each, SPOOL) for each in (written, chunk)], SPOOL, [OmissionSpan(erased, 5, 5)]
        )
        assert found.omitted_count_by_erasure_id == omitted
        assert found.rows_by_month[MONTH].event_count == events
        assert found.rows_by_month[MONTH].body.startswith(line)
