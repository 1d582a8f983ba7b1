"""P1, P2 and P8: how fast events become durable and queryable, and what the server costs at rest.

``python -m bench.ingest`` takes about two minutes; ``--quick`` a third of it, ``--disk 10000000`` also fills the store.
"""

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench import events, load
from bench.engine import engine_rows_per_second, stored_bytes
from bench.process import Process, free_port
from bench.product import Product

_PEERS = (("parse only", "parse"), ("parse only, short way", "short"), ("append-only file", "append", "log"))


def p1(table: Table, seconds: float, rounds: int) -> None:
    """One event a request, 64 connections."""
    bodies = events.singles(2000)
    figures: dict[str, list[tuple[float, float]]] = {}

    def measure(name: str, server: Process, requests: list[load.Request], wait: Callable[[], object]) -> None:
        before = server.cpu_seconds
        report = load.run(server.port, requests, connections=64, seconds=seconds)
        wait()
        cost = (server.cpu_seconds - before) / max(report.accepted, 1) * 1e6
        figures.setdefault(name, []).append((report.accepted / report.seconds, cost))
        server.stop()

    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            for name, kind, *extra in _PEERS:
                port = free_port()
                peer = Process(["bench.peers", kind, str(port), *(str(Path(folder) / each) for each in extra)], port)
                measure(name, peer, [load.http_request(body, "none", 1) for body in bodies], lambda: None)
            product = Product(Path(folder) / "a")
            measure("durable, drain running", product, product.requests(bodies, 1), product.drained)
            blocked = Product(Path(folder) / "b", TALLYROOM_FAILPOINTS="store.insert=block", TALLYROOM_STOP_SECONDS="0")
            measure("durable, drain held", blocked, blocked.requests(bodies, 1), lambda: None)
    base = statistics.median(rate for rate, _ in figures["parse only"])
    limits = {"durable, drain running": "≥ 0.5, ≤ 45 µs", "durable, drain held": "≥ 0.75"}
    for name, runs in figures.items():
        rate = statistics.median(found for found, _ in runs)
        cost = statistics.median(found for _, found in runs)
        table.add_row("P1", name, f"{rate:,.0f} /s", f"{rate / base:.2f} ×", f"{cost:.1f} µs CPU", limits.get(name, ""))


def p2(table: Table, seconds: float) -> None:
    """Batches of 500, 16 connections."""
    bodies = events.batches(60)
    with tempfile.TemporaryDirectory() as folder:
        engine = engine_rows_per_second(Path(folder) / "engine", bodies)
        product = Product(Path(folder) / "a", TALLYROOM_SPOOL_MAX_BYTES=str(8 * 1024**3))
        before = product.cpu_seconds
        report = load.run(product.port, product.requests(bodies, 500), connections=16, seconds=seconds)
        accepted = report.accepted * 500
        during = product.metric("tallyroom_events_stored_total")
        catch_up = product.drained()
        cost = (product.cpu_seconds - before) / accepted * 1e6
        product.stop()
        sustained = accepted / (report.seconds + catch_up)
        table.add_row("P2", "engine alone, same rows", f"{engine:,.0f} events/s", "1 ×", "", "")
        table.add_row("P2", "accepted", f"{accepted / report.seconds:,.0f} events/s", "", "", "≥ 250,000/s")
        table.add_row("P2", "queryable during the load", f"{during / report.seconds:,.0f} events/s", "", "", "")
        table.add_row(
            "P2",
            "accepted and queryable",
            f"{sustained:,.0f} events/s",
            f"{sustained / engine:.2f} × engine",
            f"{cost:.1f} µs CPU an event",
            "≥ 100,000/s",
        )
        lag, offered = _lag(Path(folder) / "b", bodies, seconds)
        table.add_row("P2", f"lag at {offered:,.0f}/s offered", f"{lag:.2f} s", "", "", "≤ 0.5 s at 80,000/s")
        statuses, lost = _bounded(Path(folder) / "c", bodies, seconds)
        table.add_row("P2", "spool bound of 50 MB", json.dumps(statuses), f"lost {lost}", "", "503, lost 0")


def _lag(folder: Path, bodies: list[bytes], seconds: float) -> tuple[float, float]:
    """The longest time between an acknowledgement and the store, at an offered 80,000 events/s."""
    product = Product(folder)
    generator = load.start(product.port, product.requests(bodies, 500), connections=16, seconds=seconds, rate=80_000)
    samples: list[tuple[float, float, float]] = []
    while generator.poll() is None:
        acked = product.metric("tallyroom_events_acked_total")
        samples.append((time.perf_counter(), acked, product.metric("tallyroom_events_stored_total")))
        time.sleep(0.03)
    report = load.finish(generator)
    product.stop()
    worst = 0.0
    for now, _, stored in samples:
        reached = next((at for at, acked, _ in samples if acked > stored), now)
        worst = max(worst, now - reached)
    return worst, report.accepted * 500 / report.seconds


def _bounded(folder: Path, bodies: list[bytes], seconds: float) -> tuple[dict[str, int], int]:
    product = Product(folder, TALLYROOM_SPOOL_MAX_BYTES="50000000")
    report = load.run(product.port, product.requests(bodies, 500), connections=16, seconds=seconds)
    product.drained()
    acked = product.metric("tallyroom_events_acked_total")
    lost = int(acked - product.metric("tallyroom_events_stored_total"))
    product.stop()
    return report.statuses, lost


def p8(table: Table, disk_events: int) -> None:
    """At rest: start, memory, bytes on disk of both kinds of events."""
    with tempfile.TemporaryDirectory() as folder:
        product = Product(Path(folder))
        table.add_row("P8", "start to ready, first start", f"{product.start_seconds:.2f} s", "", "", "≤ 1.5 s")
        time.sleep(1)
        table.add_row("P8", "resident memory, idle, fresh", f"{product.rss_mb:.0f} MB", "", "", "≤ 300 MB")
        sent = _fill(product, disk_events, events.event)
        port = free_port()
        idle = Process(["tallyroom", "serve", "--port", str(port), "--data", folder], port)
        time.sleep(1)
        table.add_row("P8", "start to ready, with data", f"{idle.start_seconds:.2f} s", "", "", "≤ 1.5 s")
        table.add_row("P8", "resident memory, idle, with data", f"{idle.rss_mb:.0f} MB", "", "", "≤ 300 MB")
        idle.stop()
        _disk(table, Path(folder), sent, "a program", "≤ 60 at 10 M")
    with tempfile.TemporaryDirectory() as folder:
        _disk(table, Path(folder), _fill(Product(Path(folder)), disk_events, events.visit), "a web site", "")


def _fill(product: Product, wanted: int, make: events.Make) -> int:
    """Send so many events at least, and stop the server when they are stored; how many were sent."""
    sent, seed = 0, 0
    while sent < wanted:
        seed += 1
        requests = product.requests(events.batches(400, seed=seed, make=make), 500)
        sent += load.run(product.port, requests, connections=4, seconds=3600, once=True).accepted * 500
    product.drained()
    product.stop()
    return sent


def _disk(table: Table, folder: Path, sent: int, whose: str, limit: str) -> None:
    each = stored_bytes(folder / "events") / sent
    table.add_row("P8", f"disk, {sent:,} events of {whose}", f"{each:.1f} bytes an event", "", "", limit)


def main() -> None:
    """Run everything and print one table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--quick", action="store_true")
    arguments.add_argument("--disk", type=int, default=1_000_000)
    options = arguments.parse_args()
    seconds, rounds = (3.0, 1) if options.quick else (6.0, 3)
    table = Table("bar", "what", "figure", "ratio", "cost", "limit")
    p1(table, seconds, rounds)
    p2(table, seconds * 1.5)
    p8(table, options.disk)
    Console(width=140).print(table)


if __name__ == "__main__":
    main()
