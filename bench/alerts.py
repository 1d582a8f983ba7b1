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
from bench.alerts_by_hand import MINUTE_MS, build_preview_statement, build_statement, group_rules
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
_INGEST_SECONDS = 10.0
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

TableRow = tuple[str, str, str]


def build_rules() -> list[AlertRule]:
    """Make 500 rules: 5 windows, 10 conditions, 20 names, 5 measures, 4 sets of filters."""
    rules = []
    for number in range(500):
        measure, property_ = _MEASURES[number // 5 % 5]
        rule_fields = {
            "event": f"event_{number * 7 % 20}",
            "measure": measure,
            "property": property_,
            "filters": _FILTERS[number // 25 % 4],
            "condition": _CONDITIONS[number // 50],
            "threshold": 1e12,  # nobody is told: messages are another measurement
            "window_minutes": _WINDOWS[number % 5],
        }
        rules.append(msgspec.convert(rule_fields, AlertRule))
    return rules


class AlertBench:
    """One store, with the product and SQL by hand in one process."""

    def __init__(self, folder: Path, account: Account) -> None:
        self.services: Services = open_services(load_settings({}, data=str(folder), disk_reserve_bytes=1_000_000))
        self.scope = Scope(account.workspace_id, "production")
        self.back_tests = BackTester(self.services.reader, self.services.clock)
        writer = OutcomeWriter(
            self.services.database, AlertAnnouncer(self.back_tests, _send_to_nobody, ""), self.services.ids
        )
        self.evaluator = AlertEvaluator(self.services.reader, self.services.database, writer, self.services.clock, 60)
        limits = ReadLimits(seconds=60, memory_bytes=400_000_000, max_rows=MAX_RESULT_ROWS)
        self._reader = self.services.writer.backend.open_reader(limits)

    async def add_alerts(self) -> None:
        """Store the alerts."""
        async with self.services.database.session(write=True) as db:
            db.add_all(_build_alert(rule, number, self.scope) for number, rule in enumerate(build_rules()))

    async def measure_ms(self, awaitable: Awaitable[Any]) -> tuple[float, Any]:
        """Return the milliseconds of some work, and its result."""
        self.services.writer.command("SYSTEM DROP QUERY CONDITION CACHE")
        started = time.perf_counter()
        result = await awaitable
        return (time.perf_counter() - started) * 1000, result

    async def fetch_rows(self, sql: str) -> list[Any]:
        """Return the rows of a statement."""
        json_lines = await asyncio.to_thread(self._reader.query, sql, {})
        return [msgspec.json.decode(line) for line in json_lines.splitlines()]

    async def close(self) -> None:
        """Close the store."""
        self._reader.close()
        await self.back_tests.close()
        await self.services.close()


async def measure_evaluation(bench: AlertBench) -> TableRow:
    """All alerts at a beat, and the statement by hand, in turns."""
    pairs = []
    first_beat_ms = (bench.services.clock.now_ms() // MINUTE_MS - 40) * MINUTE_MS
    for number in range(_ROUNDS):
        beat_ms = first_beat_ms + number * MINUTE_MS
        product_ms, _ = await bench.measure_ms(bench.evaluator.run(beat_ms))
        by_hand_ms, rows = await bench.measure_ms(
            bench.fetch_rows(build_statement(build_rules(), bench.scope, beat_ms))
        )
        await _check(bench, rows)
        pairs.append((product_ms, by_hand_ms))
    return "500 alerts at a beat, beside one statement by hand", _format_ratio(pairs), "≤ 1.5 ×"


async def measure_back_tests(bench: AlertBench) -> list[TableRow]:
    """Back-tests, beside one metric of 30 days by minute."""
    table_rows: list[TableRow] = []
    measure_by_name = {
        "count": ("count", None, "count()"),
        "sum": ("sum", "amount", "sum(toInt64(round(numbers['amount'] * 100)))"),
        "actors": ("uniq_actors", None, "uniqExact(actor)"),
        "p95": ("p95", "ms", "quantileExactInclusive(0.95)(numbers['ms'])"),
    }
    for name, (measure, property_, value) in measure_by_name.items():
        rule_fields = {"event": "event_0", "measure": measure, "property": property_, "filters": []}
        rule = msgspec.convert(rule_fields | {"condition": "above", "threshold": 5, "window_minutes": 60}, AlertRule)
        sql = build_preview_statement("event_0", value, bench.scope, bench.services.clock.now_ms())
        pairs = []
        for _ in range(5):
            product_ms, _result = await bench.measure_ms(bench.back_tests.run(rule, bench.scope))
            by_hand_ms, _rows = await bench.measure_ms(bench.fetch_rows(sql))
            pairs.append((product_ms, by_hand_ms))
        table_rows.append(
            (f"back-test of 30 days: {name}, beside that metric by minute", _format_ratio(pairs), "≤ 3 ×")
        )
    return table_rows


def measure_ingest(folder: Path, account: Account) -> TableRow:
    """The 99th percentile of an acknowledgement while all alerts are evaluated every second, and while none is."""
    pairs = []
    for _ in range(2):
        evaluating_ms = _measure_ingest_p99_ms(folder, account, "1")
        pairs.append((evaluating_ms, _measure_ingest_p99_ms(folder, account, "3600")))
    return "ingest p99 at 5,000/s, evaluating every second beside not", _format_ratio(pairs), "≤ 1.5 ×"


def _measure_ingest_p99_ms(folder: Path, account: Account, alert_seconds: str) -> float:
    product = Product(folder, account, TALLYROOM_ALERT_SECONDS=alert_seconds)
    requests = product.build_requests(sent.build_batch_bodies(400, _BATCH), _BATCH)
    time.sleep(3)  # the first beat comes at once, whenever the next one does
    report = load.finish(
        load.start(product.port, requests, connections=4, seconds=_INGEST_SECONDS, rate=_EVENTS_PER_SECOND)
    )
    product.wait_until_drained()
    product.stop()
    return report.p99_ms


async def _check(bench: AlertBench, rows: Sequence[Any]) -> None:
    """Compare what the alerts show with what was found by hand."""
    async with bench.services.database.session(write=False) as db:
        value_by_alert_name = {alert.name: alert.value for alert in await db.scalars(select(Alert))}
    values_by_part_and_window = {(row["part"], row["window"]): row["values"] for row in rows}
    for part, indices in enumerate(group_rules(build_rules())):
        for place, index in enumerate(indices):
            by_hand_value = (
                values_by_part_and_window[part, 0][place] if (part, 0) in values_by_part_and_window else None
            )
            product_value = value_by_alert_name[str(index)]
            if not math.isclose(product_value or 0, by_hand_value or 0, rel_tol=1e-9):
                raise SystemExit(f"alert {index}: {product_value} beside {by_hand_value} by hand")


async def _send_to_nobody(*_: object) -> None:
    """Tell nobody."""


def _build_alert(rule: AlertRule, number: int, scope: Scope) -> Alert:
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


def _format_ratio(pairs: Sequence[tuple[float, float]]) -> str:
    product_ms, by_hand_ms = (statistics.median(side) for side in zip(*pairs, strict=True))
    return f"{product_ms:,.1f} / {by_hand_ms:,.1f} ms = {product_ms / by_hand_ms:.2f} ×"


async def _in_process(folder: Path, account: Account) -> list[TableRow]:
    bench = AlertBench(folder, account)
    try:
        await bench.add_alerts()
        table_rows = [await measure_evaluation(bench), *await measure_back_tests(bench)]
        async with bench.services.database.session(write=True) as db:
            await db.execute(update(Alert).values(evaluated_at_ms=None))
        return table_rows
    finally:
        await bench.close()


def main() -> None:
    """Run everything and print one table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--events", default=_SIZES)
    sizes = [int(size) for size in arguments.parse_args().events.split(",")]
    rows_by_event_count: dict[int, list[TableRow]] = {}
    for event_count in sizes:
        with tempfile.TemporaryDirectory() as folder_name:
            folder = Path(folder_name)
            account = make_history(folder, event_count)
            rows_by_event_count[event_count] = [
                *asyncio.run(_in_process(folder, account)),
                measure_ingest(folder, account),
            ]
    table = Table("what", *(f"{event_count:,} events" for event_count in sizes), "limit")
    for same_rows in zip(*rows_by_event_count.values(), strict=True):
        table.add_row(same_rows[0][0], *(row[1] for row in same_rows), same_rows[0][2])
    Console(width=200).print(table)


if __name__ == "__main__":
    main()
