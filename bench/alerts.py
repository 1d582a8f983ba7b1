"""P10: what evaluating 500 alerts costs beside one statement by hand, what ingest notices of it, and back-tests.

``python -m bench.alerts`` takes about four minutes; ``--events 1000000`` chooses the sizes of the store. Every answer
by hand is compared with the product's.
"""

import argparse
import asyncio
import math
import statistics
import tempfile
import time
from collections.abc import Awaitable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table
from sqlalchemy import select, update

from bench import events as sent
from bench import load
from bench.alerts_by_hand import MINUTE_MS, parts_of, preview_by_hand, seen_by_hand
from bench.history import GROUP_PROPERTY, make_history
from bench.product import Account, Product
from tallyroom.alerts.back_test.back_test import BackTester
from tallyroom.alerts.evaluation.evaluation import AlertEvaluator
from tallyroom.alerts.evaluation.messages import AlertAnnouncer
from tallyroom.alerts.evaluation.outcomes import OutcomeWriter
from tallyroom.alerts.rule import AlertRule
from tallyroom.core.load_settings import load_settings
from tallyroom.queries.measures import Measure
from tallyroom.server.opening import open_services
from tallyroom.server.services import Services
from tallyroom.storage.event_store.backend.backend import MAX_RESULT_ROWS, ReadLimits
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.models import Alert

_SIZES = "1000000,10000000"
_ROUNDS = 9
_SECONDS = 10.0
_EVENTS_PER_SECOND = 5000
_BATCH = 50

_WINDOWS = (5, 15, 60, 360, 1440)
_CONDITIONS = ("above", "above", "below", "rises", "drops", "nodata", "anomaly", "above", "below", "rises")
_MEASURES: tuple[tuple[Measure, str | None], ...] = (
    ("count", None),
    ("count", None),
    ("uniq_actors", None),
    ("sum", "amount"),
    ("p95", "ms"),
)
_FILTERS: tuple[list[dict[str, Any]], ...] = (
    [],
    [{"key": "plan", "op": "eq", "value": "pro"}],
    [{"key": GROUP_PROPERTY, "op": "eq", "value": "server-1"}],
    [{"key": "plan", "op": "in", "value": ["pro", "team"]}],  # as a segment would have it
)

Row = tuple[str, str, str]


def rules() -> list[AlertRule]:
    """Make 500 rules: 5 windows, 10 conditions, 20 names, 5 measures, 4 sets of filters."""
    found = []
    for number in range(500):
        measure, property_ = _MEASURES[number // 5 % 5]
        rule = {
            "event": f"event_{number * 7 % 20}",
            "measure": measure,
            "property": property_,
            "filters": _FILTERS[number // 25 % 4],
            "condition": _CONDITIONS[number // 50],
            "threshold": 1e12,  # nobody is told: messages are another measurement
            "window_minutes": _WINDOWS[number % 5],
        }
        found.append(msgspec.convert(rule, AlertRule))
    return found


class Bench:
    """One store, with the product and SQL by hand in one process."""

    def __init__(self, folder: Path, account: Account) -> None:
        self.services: Services = open_services(load_settings({}, data=str(folder), disk_reserve_bytes=1_000_000))
        self.scope = Scope(account.workspace_id, "production")
        self.back_tests = BackTester(self.services.reader, self.services.clock)
        writer = OutcomeWriter(self.services.database, AlertAnnouncer(self.back_tests, _nobody, ""), self.services.ids)
        self.evaluator = AlertEvaluator(self.services.reader, self.services.database, writer, self.services.clock, 60)
        limits = ReadLimits(seconds=60, memory_bytes=400_000_000, max_rows=MAX_RESULT_ROWS)
        self._reader = self.services.writer.backend.open_reader(limits)

    async def add_alerts(self) -> None:
        """Store the alerts."""
        async with self.services.database.session(write=True) as db:
            db.add_all(_stored(rule, number, self.scope) for number, rule in enumerate(rules()))

    async def timed(self, work: Awaitable[Any]) -> tuple[float, Any]:
        """Return the milliseconds of some work, and its result."""
        self.services.writer.command("SYSTEM DROP QUERY CONDITION CACHE")
        started = time.perf_counter()
        found = await work
        return (time.perf_counter() - started) * 1000, found

    async def sql(self, sql: str) -> list[Any]:
        """Return the rows of a statement."""
        answer = await asyncio.to_thread(self._reader.query, sql, {})
        return [msgspec.json.decode(line) for line in answer.splitlines()]

    async def close(self) -> None:
        """Close the store."""
        self._reader.close()
        await self.back_tests.close()
        await self.services.close()


async def measure_evaluation(bench: Bench) -> Row:
    """All alerts at a beat, and the statement by hand, in turns."""
    found = []
    beat_ms = (bench.services.clock.now_ms() // MINUTE_MS - 40) * MINUTE_MS
    for number in range(_ROUNDS):
        beat = beat_ms + number * MINUTE_MS
        ours, _ = await bench.timed(bench.evaluator.run(beat))
        theirs, rows = await bench.timed(bench.sql(seen_by_hand(rules(), bench.scope, beat)))
        await _check(bench, rows)
        found.append((ours, theirs))
    return "500 alerts at a beat, beside one statement by hand", _written(found), "≤ 1.5 ×"


async def measure_back_tests(bench: Bench) -> list[Row]:
    """Back-tests, beside one metric of 30 days by minute."""
    found: list[Row] = []
    by_hand = {
        "count": ("count", None, "count()"),
        "sum": ("sum", "amount", "sum(toInt64(round(numbers['amount'] * 100)))"),
        "actors": ("uniq_actors", None, "uniqExact(actor)"),
        "p95": ("p95", "ms", "quantileExactInclusive(0.95)(numbers['ms'])"),
    }
    for name, (measure, property_, value) in by_hand.items():
        given = {"event": "event_0", "measure": measure, "property": property_, "filters": []}
        rule = msgspec.convert(given | {"condition": "above", "threshold": 5, "window_minutes": 60}, AlertRule)
        sql = preview_by_hand("event_0", value, bench.scope, bench.services.clock.now_ms())
        pairs = []
        for _ in range(5):
            ours, _result = await bench.timed(bench.back_tests.run(rule, bench.scope))
            theirs, _rows = await bench.timed(bench.sql(sql))
            pairs.append((ours, theirs))
        found.append((f"back-test of 30 days: {name}, beside that metric by minute", _written(pairs), "≤ 3 ×"))
    return found


def measure_ingest(folder: Path, account: Account) -> Row:
    """The 99th percentile of an acknowledgement while all alerts are evaluated every second, and while none is."""
    found = []
    for _ in range(2):
        evaluating = _p99(folder, account, "1")
        found.append((evaluating, _p99(folder, account, "3600")))
    return "ingest p99 at 5,000/s, evaluating every second beside not", _written(found), "≤ 1.5 ×"


def _p99(folder: Path, account: Account, seconds: str) -> float:
    product = Product(folder, account, TALLYROOM_ALERT_SECONDS=seconds)
    requests = product.requests(sent.batches(400, _BATCH), _BATCH)
    time.sleep(3)  # the first beat comes at once, whenever the next one does
    report = load.finish(load.start(product.port, requests, connections=4, seconds=_SECONDS, rate=_EVENTS_PER_SECOND))
    product.drained()
    product.stop()
    return report.p99_ms


async def _check(bench: Bench, rows: Sequence[Any]) -> None:
    """Compare what the alerts show with what was found by hand."""
    async with bench.services.database.session(write=False) as db:
        shown = {alert.name: alert.value for alert in await db.scalars(select(Alert))}
    values = {(row["part"], row["window"]): row["values"] for row in rows}
    for part, indices in enumerate(parts_of(rules())):
        for place, index in enumerate(indices):
            by_hand = values[part, 0][place] if (part, 0) in values else None
            ours = shown[str(index)]
            if not math.isclose(ours or 0, by_hand or 0, rel_tol=1e-9):
                raise SystemExit(f"alert {index}: {ours} beside {by_hand} by hand")


async def _nobody(*_: object) -> None:
    """Tell nobody."""


def _stored(rule: AlertRule, number: int, scope: Scope) -> Alert:
    fields = msgspec.to_builtins(rule) | {"filters": msgspec.json.encode(rule.filters).decode()}
    return Alert(
        id=f"bench-{number}",
        workspace_id=scope.workspace_id,
        environment=scope.environment,
        name=str(number),
        severity="warning",
        cooldown_minutes=1440,
        enabled=True,
        status="ok",
        created_at_ms=number,
        updated_at_ms=number,
        **fields,
    )


def _written(pairs: Sequence[tuple[float, float]]) -> str:
    one, other = (statistics.median(side) for side in zip(*pairs, strict=True))
    return f"{one:,.1f} / {other:,.1f} ms = {one / other:.2f} ×"


async def _in_process(folder: Path, account: Account) -> list[Row]:
    bench = Bench(folder, account)
    try:
        await bench.add_alerts()
        found = [await measure_evaluation(bench), *await measure_back_tests(bench)]
        async with bench.services.database.session(write=True) as db:
            await db.execute(update(Alert).values(evaluated_at_ms=None))
        return found
    finally:
        await bench.close()


def main() -> None:
    """Run everything and print one table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--events", default=_SIZES)
    sizes = [int(size) for size in arguments.parse_args().events.split(",")]
    found: dict[int, list[Row]] = {}
    for events in sizes:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            account = make_history(folder, events)
            found[events] = [*asyncio.run(_in_process(folder, account)), measure_ingest(folder, account)]
    table = Table("what", *(f"{events:,} events" for events in sizes), "limit")
    for lines in zip(*found.values(), strict=True):
        table.add_row(lines[0][0], *(line[1] for line in lines), lines[0][2])
    Console(width=200).print(table)


if __name__ == "__main__":
    main()
