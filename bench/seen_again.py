"""P14: a dashboard of twelve widgets that is looked at again after a minute, beside its first look.

``python -m bench.seen_again --events 1000000`` prints one table. A look is the time until all answers are there, and
the processor time of the server meanwhile; each is done on the same server with answers kept and without. Beside
ingest, the server also accepts and stores 5,000 events a second, in whose processor time the looks are not visible.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from bench import events, load
from bench.busy import EVENTS_PER_SECOND, Browser, make_dashboard
from bench.history import GROUP_PROPERTY, make_history
from bench.product import Account, Product
from bench.questions import DASHBOARD

_BATCH = 50
_SENDER_COUNT = 4
_ROUNDS = 3
_LOOKS_AGAIN = 3
_WAIT_SECONDS = 60.0


class Look(NamedTuple):
    """One look at the dashboard: until all answers were there, and processor time of the server; in ms."""

    wall_ms: float
    processor_ms: float


class Looks(NamedTuple):
    """Medians of first looks and of looks again, and the bytes that were kept in the end."""

    first: Look
    again: Look
    kept_bytes: float


def measure_looks(
    folder: Path, account: Account, *, kept_mb: int, wait_seconds: float, is_ingesting: bool, rounds: int
) -> Looks:
    """Start the server anew for each first look, and look again after a while."""
    first_looks: list[Look] = []
    looks_again: list[Look] = []
    kept_bytes = 0.0
    for _ in range(rounds):
        product = Product(folder, account, TALLYROOM_KEPT_ANSWERS_MB=str(kept_mb))
        warm_up = Browser(product, make_dashboard(product, DASHBOARD, "7d", "development"))
        browser = Browser(product, make_dashboard(product, DASHBOARD, "30d"))
        warm_up.open()
        if is_ingesting:
            requests = product.build_requests(events.build_batch_bodies(400, _BATCH), _BATCH)
            seconds = wait_seconds + 20
            generator = load.start(
                product.port, requests, connections=_SENDER_COUNT, seconds=seconds, rate=EVENTS_PER_SECOND
            )
            time.sleep(2)
        first_looks.append(_look(product, browser))
        time.sleep(wait_seconds)
        for _ in range(_LOOKS_AGAIN):
            looks_again.append(_look(product, browser))
            time.sleep(1)
        kept_bytes = product.read_metric("tallyroom_kept_answers_bytes")
        if is_ingesting:
            load.finish(generator)
            product.wait_until_drained()
        product.stop()
    return Looks(_median(first_looks), _median(looks_again), kept_bytes)


def _look(product: Product, browser: Browser) -> Look:
    processor_seconds = product.cpu_seconds
    wall_ms = max(browser.open())
    return Look(wall_ms, (product.cpu_seconds - processor_seconds) * 1000)


def _median(looks: list[Look]) -> Look:
    return Look(*(statistics.median(values) for values in zip(*looks, strict=True)))


def _format_ratio(one: Look, other: Look) -> str:
    wall_ratio, processor_ratio = one.wall_ms / other.wall_ms, one.processor_ms / max(other.processor_ms, 1)
    return (
        f"{one.wall_ms:,.0f} / {other.wall_ms:,.0f} ms = {wall_ratio:.2f} ×"
        f" ({one.processor_ms:,.0f} / {other.processor_ms:,.0f} ms = {processor_ratio:.2f} × of a processor)"
    )


def add_rows(table: Table, folder: Path, event_count: int, wait_seconds: float, rounds: int) -> None:
    """Measure idle and beside ingest, and add what was found to a table."""
    account = make_history(folder, event_count)
    warm_product = Product(folder, account)
    warm_product.post("/v1/groups/keys", {"propKey": GROUP_PROPERTY})
    warm_product.stop()
    for name, limit, is_ingesting in (("idle", "≤ 0.25 ×", False), ("beside 5,000 events/s", "≤ 0.4 ×", True)):
        kept, cold = (
            measure_looks(
                folder,
                account,
                kept_mb=kept_mb,
                wait_seconds=wait_seconds,
                is_ingesting=is_ingesting,
                rounds=1 if is_ingesting else rounds,
            )
            for kept_mb in (64, 0)
        )
        rows = (
            ("again, beside its first look", _format_ratio(kept.again, kept.first), limit),
            ("again, beside the same without", _format_ratio(kept.again, cold.again), ""),
            ("first, beside the same without", _format_ratio(kept.first, cold.first), ""),
            ("memory of what is kept", f"{kept.kept_bytes / 1e6:.2f} MB", "≤ 64 MB"),
        )
        for what, measured, row_limit in rows:
            table.add_row("P14", f"{event_count:,} events, {name}: {what}", measured, row_limit)


def main() -> None:
    """Measure each size and print one table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--events", default="1000000,10000000")
    arguments.add_argument("--wait", type=float, default=_WAIT_SECONDS)
    arguments.add_argument("--rounds", type=int, default=_ROUNDS)
    options = arguments.parse_args()
    table = Table("bar", "what", "measured", "limit")
    for event_count in [int(size) for size in options.events.split(",")]:
        with tempfile.TemporaryDirectory() as folder:
            add_rows(table, Path(folder), event_count, options.wait, options.rounds)
    Console(width=200).print(table)


if __name__ == "__main__":
    main()
