"""No query leaves its workspace, and values stay values."""

import asyncio
import os
import sys
import threading
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from harness.stores.event_store import LIMITS, EventStore, event, fresh_scope
from harness.suite.few import few
from tallyroom.core.errors import Internal
from tallyroom.core.ids import IdGenerator
from tallyroom.storage.event_store import cancellation, reader
from tallyroom.storage.event_store.errors import QuestionTooCostly, StoreUnavailable
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.regex_cost import MAX_STEPS, RegexText
from tallyroom.storage.event_store.scope import Scope, UnscopedQuery, compile_scope

MINE = "SELECT count() AS n FROM events WHERE {scope}"


class Number(msgspec.Struct):
    n: int


class Text(msgspec.Struct):
    v: str


class Texts(msgspec.Struct):
    v: list[str]


@pytest.mark.long
async def test_two_workspaces_with_the_same_data_never_see_each_other(event_store: EventStore) -> None:
    one = fresh_scope()
    scopes = [one, Scope(one.workspace_id, "development"), fresh_scope()]
    for number, scope in enumerate(scopes, 1):
        event_store.insert([event(scope, actor="ann", label=f"Ann {number}", seq=seq) for seq in range(1, 1 + number)])

    async def seen(scope: Scope) -> tuple[int, str]:
        [found] = await event_store.reader.fetch_rows(MINE, scope, {}, Number)
        sql = "SELECT tupleElement(max(newest), 'label') AS v FROM actor_labels WHERE {scope} GROUP BY actor"
        [label] = await event_store.reader.fetch_rows(sql, scope, {}, Text)
        return found.n, label.v

    expected = [(1, "Ann 1"), (2, "Ann 2"), (3, "Ann 3")]
    assert [await seen(scope) for scope in scopes] == expected
    assert await asyncio.gather(*(seen(scope) for scope in scopes * 5)) == expected * 5


async def test_a_question_is_compiled_in_the_thread_that_asks_it(
    event_store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[str] = []

    def compiled(sql: str, *, hides_events: bool) -> str:
        threads.append(threading.current_thread().name)
        return compile_scope(sql, hides_events=hides_events)

    monkeypatch.setattr(reader, "compile_scope", compiled)
    assert await event_store.reader.fetch_rows(MINE, fresh_scope(), {}, Number) == [Number(0)]
    assert [name.startswith("store-read") for name in threads] == [True]


async def test_parameters_cannot_take_the_place_of_the_scope(event_store: EventStore) -> None:
    mine, theirs = fresh_scope(), fresh_scope()
    event_store.insert([event(theirs)])
    stolen = {"workspace_id": theirs.workspace_id, "environment": theirs.environment}
    assert await event_store.reader.fetch_rows(MINE, mine, stolen, Number) == [Number(0)]


HOSTILE = {
    "quote": "'",
    "quotes": "it''s \"so\" `so`",
    "backslash": "\\",
    "backslash quote": "\\'",
    "escapes as text": "a\\nb\\x41\\0\\N",
    "control": "\n\t\r\b\x1b\x7f",
    "nul": "a\0b",
    "only nul": "\0",
    "empty": "",
    "unicode": "é 😀 \u2028 \x85 \ufeff",
    "null": "NULL",
    "placeholder": "{scope} {v:String} %(v)s %s",
    "sql": "'; DROP TABLE events --",
    "64 KiB": "'\\x" * 21_845,
}


@few(3, "value", HOSTILE.values(), ids=HOSTILE)
async def test_hostile_values_stay_values(event_store: EventStore, value: str) -> None:
    scope = fresh_scope()
    event_store.insert([event(scope, actor=value), event(scope, actor=f"{value}other")])
    reader = event_store.reader
    where = "FROM events WHERE {scope} AND "
    equal = await reader.fetch_rows(f"SELECT actor AS v {where} actor = {{v:String}}", scope, {"v": value}, Text)
    assert [row.v for row in equal] == [value]
    listed = await reader.fetch_rows(
        f"SELECT [actor] AS v {where} actor IN {{v:Array(String)}}", scope, {"v": [value]}, Texts
    )
    assert [row.v for row in listed] == [[value]]


@pytest.mark.parametrize("environment", ["it's", "\\", "a\0b", "{scope}"])
async def test_a_hostile_environment_stays_a_value(event_store: EventStore, environment: str) -> None:
    scope = fresh_scope(environment)
    event_store.insert([event(scope)])
    assert await event_store.reader.fetch_rows(MINE, scope, {}, Number) == [Number(1)]


@pytest.mark.long
async def test_too_much_is_the_askers_fault_and_a_wrong_column_ours(event_store: EventStore) -> None:
    scope = fresh_scope()
    event_store.insert([event(scope)])
    huge = "SELECT length(groupArray(a)) AS n FROM (SELECT arrayJoin(range(90000000)) AS a FROM events WHERE {scope})"
    with pytest.raises(StoreUnavailable):
        await event_store.reader.fetch_rows(huge, scope, {}, Number)
    with pytest.raises(Internal) as failed:
        await event_store.reader.fetch_rows("SELECT nosuch AS n FROM events WHERE {scope}", scope, {}, Number)
    assert "nosuch" not in failed.value.message


async def test_an_answer_as_the_engine_writes_it(event_store: EventStore) -> None:
    scope = fresh_scope()
    event_store.insert([event(scope, actor='a "b"/c')])
    sql = "SELECT actor, 1 AS n FROM events WHERE {scope}"
    assert await event_store.reader.fetch_bytes(sql, scope, {}, "CSV") == b'"a ""b""/c",1\n'
    assert await event_store.reader.fetch_bytes(sql, scope, {}, "JSONEachRow") == b'{"actor":"a \\"b\\"/c","n":1}\n'
    with pytest.raises(UnscopedQuery):
        await event_store.reader.fetch_bytes("SELECT 1 AS n FROM events", scope, {}, "CSV")


async def test_a_refused_text_never_reaches_the_store(event_store: EventStore, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(event_store.reader, "_take_reader", lambda: asked.append("reader"))
    with pytest.raises(UnscopedQuery):
        await event_store.reader.fetch_rows("SELECT count() AS n FROM events", fresh_scope(), {}, Number)
    assert asked == []


STEP = "SELECT toUInt64(sum(sleepEachRow(0.1))) AS n FROM events WHERE {scope}"  # of two events, a fifth of a second
ONE_SECOND, SLOW = (" UNION ALL ".join([STEP] * steps) for steps in (5, 40))


async def until(condition: Any) -> None:
    async with asyncio.timeout(4):  # the reader's own limit is 5 seconds
        while not condition():  # noqa: ASYNC110 # nobody tells
            await asyncio.sleep(0.005)


@pytest.mark.long
@pytest.mark.parametrize("begun_seconds", [0.3, 0])
async def test_a_query_ends_when_nobody_waits_for_it(event_store: EventStore, begun_seconds: float) -> None:
    scope, reader = fresh_scope(), event_store.reader
    event_store.insert([event(scope) for _ in range(2)])
    before = reader.cancellations.cancelled_count
    asked = asyncio.create_task(reader.fetch_rows(SLOW, scope, {}, Number))
    await until(lambda: reader.slots.running_count)
    await asyncio.sleep(begun_seconds)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    assert reader.cancellations.cancelled_count == before + 1
    await until(lambda: not reader.slots.running_count)
    assert await reader.fetch_rows(MINE, scope, {}, Number) == [Number(2)]


@pytest.fixture
def pools(event_store: EventStore) -> Iterator[list[EventReader]]:
    """Two more on the same store, as two processes would have them."""
    limits = {
        "connection_count": 1,
        "slots_per_workspace": 1,
        "max_waiting_per_workspace": 1,
        "catch_up_seconds": 1,
    }
    found = [
        EventReader(
            event_store.backend,
            LIMITS,
            has_hidden_events=event_store.hidden.has_hidden_events,
            id_generator=IdGenerator(),
            **limits,
        )
        for _ in range(2)
    ]
    yield found
    for pool in found:
        pool.close()


async def test_a_query_that_is_stopped_stops_no_other_pools(event_store: EventStore, pools: list[EventReader]) -> None:
    """It is the first of each pool, and nothing but their names can tell them apart."""
    scope = fresh_scope()
    event_store.insert([event(scope) for _ in range(2)])
    left, stays = (asyncio.create_task(pool.fetch_rows(ONE_SECOND, scope, {}, Number)) for pool in pools)
    await until(lambda: all(pool.slots.running_count for pool in pools))
    await asyncio.sleep(0.2)
    left.cancel()
    await until(lambda: not pools[0].slots.running_count)
    assert not stays.done()
    assert await stays == [Number(0)] * 5


@pytest.mark.long
async def test_what_others_ask_goes_on_when_one_leaves(event_store: EventStore) -> None:
    """The reader of a query that ends in the moment in which it is given up serves the next one."""
    scope, reader = fresh_scope(), event_store.reader
    event_store.insert([event(scope)])

    async def one(number: int) -> None:
        asked = asyncio.create_task(reader.fetch_rows(MINE, scope, {}, Number))
        if number % 3 == 0:
            await asyncio.sleep(number / 20_000)
            asked.cancel()
            await asyncio.wait({asked})
        else:
            assert await asked == [Number(1)]

    async with asyncio.timeout(30):
        for start in range(0, 120, 30):
            await asyncio.gather(*(one(number) for number in range(start, start + 30)))


async def test_one_workspace_leaves_places_to_others(event_store: EventStore) -> None:
    crowd, other, reader = fresh_scope(), fresh_scope(), event_store.reader
    event_store.insert([event(crowd), event(other)])
    asked = [reader.fetch_rows(MINE, crowd, {}, Number) for _ in range(30)]
    answers = await asyncio.gather(*asked, reader.fetch_rows(MINE, other, {}, Number))
    assert answers == [[Number(1)]] * 31


@pytest.mark.skipif(sys.platform != "linux", reason="priorities of threads")
async def test_a_question_steps_back_behind_ingest(event_store: EventStore) -> None:
    async def priority() -> int:
        thread = asyncio.get_running_loop().run_in_executor(event_store.reader._threads, threading.get_native_id)  # type: ignore[arg-type] # all that the loop asks of it
        return os.getpriority(os.PRIO_PROCESS, await thread)

    assert await priority() == min(os.getpriority(os.PRIO_PROCESS, 0) + 10, 19)


SETTING = "SELECT toUInt64(getSetting('{}')) AS n FROM events WHERE {{scope}} AND match(actor, {{regex:String}})"
BLOCKS, BYTES, MEMORY = (
    SETTING.format(name) for name in ("max_block_size", "preferred_block_size_bytes", "use_query_condition_cache")
)


@pytest.mark.long
@pytest.mark.parametrize(("pattern", "rows"), [("a" * 60 + "|b", 128), (r"\pL|b", 128), (r".{1000}|b", 2)])
async def test_a_query_with_a_pattern_can_be_stopped_after_a_few_events(
    event_store: EventStore, pattern: str, rows: int
) -> None:
    scope, bound = fresh_scope(), {"regex": RegexText(pattern)}
    event_store.insert([event(scope, actor="b")])
    for sql, value in ((BLOCKS, rows), (BYTES, 0), (MEMORY, 0)):  # either of the others makes a block a whole granule
        assert await event_store.reader.fetch_rows(sql, scope, bound, Number) == [Number(value)]
    [usual] = await event_store.reader.fetch_rows(BLOCKS, scope, {"regex": pattern}, Number)
    assert usual.n > 10_000


async def test_a_pattern_that_was_saved_under_other_limits_is_not_run(event_store: EventStore) -> None:
    with pytest.raises(QuestionTooCostly, match="simpler patterns"):
        await event_store.reader.fetch_rows(BLOCKS, fresh_scope(), {"regex": RegexText("a" * (MAX_STEPS + 1))}, Number)


class Hanging:
    """Stands for a reader whose query nobody can stop."""

    query_name, max_block_rows = "hangs", None

    def __init__(self) -> None:
        self.released = threading.Event()

    def query(self, *_: object) -> bytes:
        self.released.wait()
        return b""

    def close(self) -> None:
        """Nothing to give back."""


@pytest.fixture
def hanging(pools: list[EventReader], monkeypatch: pytest.MonkeyPatch) -> Iterator[Hanging]:
    found = Hanging()
    monkeypatch.setattr(pools[0], "_take_reader", lambda _: found)
    for module, limit in (
        (reader, "_CLOSE_SECONDS"),
        (reader, "_GRACE_SECONDS"),
        (cancellation, "_KILL_INTERVAL_SECONDS"),
    ):
        monkeypatch.setattr(module, limit, 0.01)
    monkeypatch.setattr(pools[0], "_limits", msgspec.structs.replace(LIMITS, seconds=0))
    yield found
    found.released.set()


@pytest.mark.long
async def test_a_query_that_goes_on_beyond_its_limit_was_too_costly_and_is_counted_until_it_ends(
    pools: list[EventReader], hanging: Hanging
) -> None:
    with pytest.raises(QuestionTooCostly, match="shorter time range"):
        await pools[0].fetch_rows(MINE, fresh_scope(), {}, Number)
    await until(lambda: pools[0].is_blocked)
    assert pools[0].cancellations.stuck_count == 1
    hanging.released.set()
    await until(lambda: not pools[0].cancellations.stuck_count)
    assert not pools[0].is_blocked


async def test_a_pool_is_closed_although_a_query_does_not_stop(pools: list[EventReader], hanging: Hanging) -> None:
    with pytest.raises(QuestionTooCostly):
        await pools[0].fetch_rows(MINE, fresh_scope(), {}, Number)
    await asyncio.to_thread(pools[0].close)
    assert pools[0].is_abandoned
    assert not hanging.released.is_set()
    await asyncio.to_thread(pools[1].close)
    assert not pools[1].is_abandoned
