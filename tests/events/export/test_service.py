"""An export has each event of its scope, time range and cut once, in order, as it was sent (rules/events#export)."""

import asyncio
import gc
import json
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from harness.oracles.export_files import COLUMNS, read_csv, read_parquet_files
from harness.stores.event_store import NOW_MS, EventStore, event, fresh_scope
from harness.stores.questions import rolling_windows
from harness.suite.few import few
from tallyroom.core import failpoints
from tallyroom.core.errors import RateLimited, Unavailable
from tallyroom.core.peers import NoPeers, Peers
from tallyroom.core.ranges import FixedRange
from tallyroom.core.times import iso_ms
from tallyroom.events.export import service, slices
from tallyroom.events.export.schemas import Format
from tallyroom.events.export.service import MAX_CONCURRENT_EXPORTS, Exports
from tallyroom.events.export.time_range import parse_time_range
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.row import SpoolRow

DAY = 86_400_000
ALL = parse_time_range(None, None)
LAST_SEQ = 10**9
TEXTS = [
    "",
    "a",
    "A b",
    'q"u\\o/te',
    "it's",
    "line\nbreak\r\n",
    "tab\t",
    "é😀 \u2028\u2029",
    "\x01\x1f\x7f",
    ",;|",
    "{x}",
    "NULL",
]
PROPERTIES = [
    b"{}",
    b'{"n": 1.50, "m": 1e3, "big": 12345678901234567890123}',
    b'{"text":"\\u0041\\/ \\"\\n","list":["a",1,null],"deep":{"x":[{}]},"no":null,"yes":true}',
    '{"é😀":"\u2028","":""}'.encode(),
    b'{ "spaced" :  [ 1 , 2 ] }',
]
SPANS = {
    "all": ALL,
    "a day": FixedRange(NOW_MS - DAY, NOW_MS),
    "a millisecond": FixedRange(NOW_MS, NOW_MS + 1),
    "nothing": FixedRange(5, 6),
}


class Drained:
    """A drain with nothing to do."""

    def __init__(self, *, caught_up: bool = True) -> None:
        self._caught_up = caught_up

    async def wait_caught_up(self, _: float, scope: Scope) -> bool:
        return self._caught_up


class Acknowledged:
    """A spool that has acknowledged so many events."""

    def __init__(self, identity: int = 1, last_seq: int = LAST_SEQ) -> None:
        self.identity = identity
        self.last_seq = last_seq


def exports(
    event_store: EventStore,
    spool: Acknowledged | None = None,
    drain: Drained | None = None,
    peers: Peers | None = None,
) -> Exports:
    windows = rolling_windows(event_store)
    return Exports(event_store.reader, windows, spool or Acknowledged(), drain or Drained(), peers)  # type: ignore[arg-type] # all that it asks of them


class Others(NoPeers):
    """Other workers whose spools have got so far."""

    def __init__(self, ends: dict[int, int]) -> None:
        self._ends = ends

    async def wait_until_stored(self, *_: object) -> dict[int, int]:  # they have
        return self._ends


async def whole(pieces: AsyncIterator[bytes]) -> bytes:
    return b"".join([piece async for piece in pieces])


def random_events(seed: int, scopes: list[Scope]) -> list[SpoolRow]:
    chance = random.Random(seed)
    return [
        event(
            chance.choice(scopes),
            chance.choice(TEXTS[1:]),
            actor=chance.choice(TEXTS),
            label=chance.choice(TEXTS),
            source=chance.choice(TEXTS),
            properties=chance.choice(PROPERTIES),
            timestamp_ms=NOW_MS
            + chance.choice([0, 0, 1, -1, -DAY, -DAY - 1, -400 * DAY, DAY - 1, chance.randint(-DAY, DAY)]),
            received_ms=NOW_MS + chance.choice([0, 1]),
            spool=chance.choice([1, 2]),
        )
        for _ in range(200)
    ]


class Scene:
    """Random events of three scopes, and what an export of each must be."""

    def __init__(self, event_store: EventStore) -> None:
        one = fresh_scope()
        self.scopes = [one, Scope(one.workspace_id, "development"), fresh_scope()]
        self.rows = random_events(1, self.scopes)
        for start in range(0, len(self.rows), 100):
            event_store.insert(self.rows[start : start + 100])
        self.exports = exports(event_store)

    def expected(self, scope: Scope, time_range: FixedRange) -> list[list[str]]:
        """The cells of each row, as text."""
        found = [
            row
            for row in self.rows
            if (row.workspace_id, row.environment) == (scope.workspace_id, scope.environment)
            and time_range.from_ms <= row.timestamp_ms < time_range.to_ms
        ]
        found.sort(key=lambda row: (row.timestamp_ms, row.received_ms, row.spool, row.seq))
        return [
            [row.name, iso_ms(row.timestamp_ms), row.actor, row.actor_label, row.source, properties_of(row)]
            for row in found
        ]


def properties_of(row: SpoolRow) -> str:
    sent = bytes(row.properties).decode()
    return "" if sent == "{}" else sent


@pytest.fixture(scope="module")
def scene(event_store: EventStore) -> Scene:
    return Scene(event_store)


@pytest.fixture(params=[None, 19], ids=["one slice", "many slices"])
def sizes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param:
        monkeypatch.setattr(
            service,
            "split_into_slices",
            lambda found, time_range: slices.split_into_slices(found, time_range, request.param, 2000),
        )


def line(cells: list[str]) -> bytes:
    """The line of an event, put together by hand; properties stand in it as sent."""
    fields = [f"{json.dumps(name)}:{json.dumps(cell)}" for name, cell in zip(COLUMNS, cells[:5], strict=False) if cell]
    return ("{" + ",".join([*fields, *([f'"properties":{cells[5]}'] if cells[5] else [])]) + "}").encode()


@pytest.mark.long
@pytest.mark.usefixtures("sizes")
@pytest.mark.parametrize("time_range", SPANS.values(), ids=SPANS)
async def test_lines(scene: Scene, time_range: FixedRange) -> None:
    for scope in scene.scopes:
        content = await whole(await scene.exports.open_export(scope, "ndjson", time_range))
        expected = scene.expected(scope, time_range)
        assert content.count(b"\n") == len(expected)
        for found, cells in zip(content.split(b"\n"), expected, strict=False):
            assert json.loads(found) == json.loads(line(cells))
            if cells[5]:
                assert found.endswith(f',"properties":{cells[5]}}}'.encode())


@pytest.mark.usefixtures("sizes")
@few(2, "time_range", SPANS.values(), ids=SPANS)
async def test_csv(scene: Scene, time_range: FixedRange) -> None:
    scope = scene.scopes[0]  # what is another's, `test_lines` keeps apart
    content = await whole(await scene.exports.open_export(scope, "csv", time_range))
    assert read_csv(content) == [COLUMNS, *scene.expected(scope, time_range)]


@pytest.mark.long
@pytest.mark.usefixtures("sizes")
async def test_parquet(scene: Scene, tmp_path: Path) -> None:
    scope, text = scene.scopes[0], "Nullable(String)"
    paths = {name: tmp_path / f"{name}.parquet" for name in SPANS}
    for name, path in paths.items():
        path.write_bytes(await whole(await scene.exports.open_export(scope, "parquet", SPANS[name])))
    for time_range, (types, rows) in zip(SPANS.values(), read_parquet_files(list(paths.values())), strict=True):
        assert list(types) == COLUMNS
        assert [types[column] for column in COLUMNS] == ["String", "DateTime64(3, 'UTC')", text, text, text, text]
        assert [[cell or "" for cell in row] for row in rows] == scene.expected(scope, time_range)


async def test_what_was_acknowledged_after_the_start_is_not_in_it(event_store: EventStore) -> None:
    scope = fresh_scope()
    event_store.insert([event(scope, f"e{seq}", seq=seq, spool=spool) for seq in range(1, 9) for spool in (1, 2)])
    content = await whole(await exports(event_store, Acknowledged(2, 5)).open_export(scope, "csv", ALL))
    names = [row[0] for row in read_csv(content)[1:]]
    assert names == [*(f"e{seq}" for seq in range(1, 9)), *(f"e{seq}" for seq in range(1, 6))]


@pytest.mark.long
async def test_events_that_come_in_meanwhile_change_nothing(
    event_store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        service, "split_into_slices", lambda found, time_range: slices.split_into_slices(found, time_range, 10)
    )
    scope = fresh_scope()
    event_store.insert(
        [event(scope, f"e{number}", timestamp_ms=NOW_MS + number, seq=number) for number in range(1, 101)]
    )
    pieces = await exports(event_store, Acknowledged(1, 100)).open_export(scope, "ndjson", ALL)
    first = await anext(pieces)
    for seq in range(101, 131):  # before, between and after what is read already
        event_store.insert([event(scope, "late", timestamp_ms=NOW_MS + seq * 7 % 130, seq=seq)])
    rest = await whole(pieces)
    assert [json.loads(found)["name"] for found in (first + rest).splitlines()] == [f"e{n}" for n in range(1, 101)]


@pytest.mark.parametrize("format_", ["ndjson", "csv", "parquet"])
async def test_what_waits_for_the_store_is_not_left_out_silently(event_store: EventStore, format_: Format) -> None:
    with pytest.raises(Unavailable):
        await exports(event_store, drain=Drained(caught_up=False)).open_export(fresh_scope(), format_, ALL)


@pytest.mark.long
async def test_a_workspace_has_a_few_exports_at_once(event_store: EventStore) -> None:
    scope, found = fresh_scope(), exports(event_store)
    event_store.insert([event(scope)])
    under_way: list[Any] = [await found.open_export(scope, "csv", ALL) for _ in range(MAX_CONCURRENT_EXPORTS)]
    with pytest.raises(RateLimited):
        await found.open_export(Scope(scope.workspace_id, "development"), "csv", ALL)
    await whole(await found.open_export(fresh_scope(), "csv", ALL))  # another workspace has its own
    await whole(under_way.pop())
    await whole(await found.open_export(scope, "csv", ALL))
    # Begun and left, or never begun to be sent: nobody has to say so.
    await anext(under_way[0])
    under_way.clear()
    gc.collect()
    await asyncio.sleep(0)
    under_way = [await found.open_export(scope, "csv", ALL) for _ in range(MAX_CONCURRENT_EXPORTS)]
    assert len([await whole(pieces) for pieces in under_way]) == MAX_CONCURRENT_EXPORTS


async def test_an_error_ends_the_export_and_gives_its_place_back(
    event_store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        service, "split_into_slices", lambda found, time_range: slices.split_into_slices(found, time_range, 1)
    )
    scope, found = fresh_scope(), exports(event_store)
    event_store.insert([event(scope, timestamp_ms=NOW_MS + number) for number in range(5)])
    try:
        for _ in range(MAX_CONCURRENT_EXPORTS + 1):
            failpoints.configure("export.slice=error@3")
            pieces = await found.open_export(scope, "ndjson", ALL)
            with pytest.raises(failpoints.InjectedFault):
                await whole(pieces)
    finally:
        failpoints.configure("")


async def test_it_has_what_each_worker_accepted_before_and_nothing_of_what_came_later(event_store: EventStore) -> None:
    scope = fresh_scope()
    event_store.insert(
        [event(scope, f"{spool}-{seq}", spool=spool, seq=seq) for spool in (1, 2, 3, 4) for seq in (8, 9)]
    )
    several = exports(event_store, Acknowledged(1, 8), peers=Others({2: 8, 3: LAST_SEQ}))
    text = await whole(await several.open_export(scope, "ndjson", ALL))
    assert [json.loads(line)["name"] for line in text.splitlines()] == ["1-8", "2-8", "3-8", "3-9"]
    alone = exports(event_store, Acknowledged(1, 8))
    text = await whole(await alone.open_export(scope, "ndjson", ALL))
    assert len(text.splitlines()) == 7
