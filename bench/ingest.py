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

_SETTLE_SECONDS = 5.0  # by then, a server has checked its event store and is idle

_PEER_ARGUMENTS = (("parse only", "parse"), ("parse only, short way", "short"), ("append-only file", "append", "log"))


def measure_singles(table: Table, seconds: float, rounds: int) -> None:
    """One event a request, 64 connections."""
    bodies = events.build_single_bodies(2000)
    rates_and_costs: dict[str, list[tuple[float, float]]] = {}

    def measure(
        name: str, server: Process, requests: list[load.Request], wait_until_drained: Callable[[], object]
    ) -> None:
        cpu_seconds_before = server.cpu_seconds
        report = load.run(server.port, requests, connections=64, seconds=seconds)
        wait_until_drained()
        cpu_us_per_event = (server.cpu_seconds - cpu_seconds_before) / max(report.accepted_count, 1) * 1e6
        rates_and_costs.setdefault(name, []).append((report.accepted_count / report.seconds, cpu_us_per_event))
        server.stop()

    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            for name, kind, *extra_arguments in _PEER_ARGUMENTS:
                port = free_port()
                peer = Process(
                    ["bench.peers", kind, str(port), *(str(Path(folder) / argument) for argument in extra_arguments)],
                    port,
                )
                measure(name, peer, [load.http_request(body, "none", 1) for body in bodies], lambda: None)
            product = Product(Path(folder) / "a")
            measure("durable, drain running", product, product.build_requests(bodies, 1), product.wait_until_drained)
            blocked = Product(Path(folder) / "b", TALLYROOM_FAILPOINTS="store.insert=block", TALLYROOM_STOP_SECONDS="0")
            measure("durable, drain held", blocked, blocked.build_requests(bodies, 1), lambda: None)
    base_rate = statistics.median(rate for rate, _ in rates_and_costs["parse only"])
    limit_by_name = {"durable, drain running": "≥ 0.85, ≤ 40 µs", "durable, drain held": "≥ 0.9"}
    for name, rates_and_costs_of_one in rates_and_costs.items():
        rate = statistics.median(found for found, _ in rates_and_costs_of_one)
        cpu_us_per_event = statistics.median(found for _, found in rates_and_costs_of_one)
        table.add_row(
            "P1",
            name,
            f"{rate:,.0f} /s",
            f"{rate / base_rate:.2f} ×",
            f"{cpu_us_per_event:.1f} µs CPU",
            limit_by_name.get(name, ""),
        )


def measure_batches(table: Table, seconds: float) -> None:
    """Batches of 500, 16 connections."""
    bodies = events.build_batch_bodies(60)
    with tempfile.TemporaryDirectory() as folder:
        engine_rate = engine_rows_per_second(Path(folder) / "engine", bodies)
        product = Product(Path(folder) / "a", TALLYROOM_SPOOL_MAX_BYTES=str(8 * 1024**3))
        cpu_seconds_before = product.cpu_seconds
        report = load.run(product.port, product.build_requests(bodies, 500), connections=16, seconds=seconds)
        accepted_events = report.accepted_count * 500
        stored_meanwhile = product.read_metric("tallyroom_events_stored_total")
        catch_up_seconds = product.wait_until_drained()
        cpu_us_per_event = (product.cpu_seconds - cpu_seconds_before) / accepted_events * 1e6
        product.stop()
        sustained_rate = accepted_events / (report.seconds + catch_up_seconds)
        table.add_row("P2", "engine alone, same rows", f"{engine_rate:,.0f} events/s", "1 ×", "", "")
        table.add_row("P2", "accepted", f"{accepted_events / report.seconds:,.0f} events/s", "", "", "≥ 250,000/s")
        table.add_row(
            "P2", "queryable during the load", f"{stored_meanwhile / report.seconds:,.0f} events/s", "", "", ""
        )
        table.add_row(
            "P2",
            "accepted and queryable",
            f"{sustained_rate:,.0f} events/s",
            f"{sustained_rate / engine_rate:.2f} × engine",
            f"{cpu_us_per_event:.1f} µs CPU an event",
            "≥ 100,000/s",
        )
        lag_seconds, offered_rate = _measure_lag(Path(folder) / "b", bodies, seconds)
        table.add_row(
            "P2", f"lag at {offered_rate:,.0f}/s offered", f"{lag_seconds:.2f} s", "", "", "≤ 0.5 s at 80,000/s"
        )
        statuses, lost_count = _measure_bounded_spool(Path(folder) / "c", bodies, seconds)
        table.add_row("P2", "spool bound of 50 MB", json.dumps(statuses), f"lost {lost_count}", "", "503, lost 0")


def _measure_lag(folder: Path, bodies: list[bytes], seconds: float) -> tuple[float, float]:
    """The longest time between an acknowledgement and the store, at an offered 80,000 events/s."""
    product = Product(folder)
    generator = load.start(
        product.port, product.build_requests(bodies, 500), connections=16, seconds=seconds, rate=80_000
    )
    samples: list[tuple[float, float, float]] = []
    while generator.poll() is None:
        acked_count = product.read_metric("tallyroom_events_acked_total")
        samples.append((time.perf_counter(), acked_count, product.read_metric("tallyroom_events_stored_total")))
        time.sleep(0.03)
    report = load.finish(generator)
    product.stop()
    max_lag_seconds = 0.0
    for now, _, stored_count in samples:
        acked_at = next((sample_at for sample_at, acked_count, _ in samples if acked_count > stored_count), now)
        max_lag_seconds = max(max_lag_seconds, now - acked_at)
    return max_lag_seconds, report.accepted_count * 500 / report.seconds


def _measure_bounded_spool(folder: Path, bodies: list[bytes], seconds: float) -> tuple[dict[str, int], int]:
    product = Product(folder, TALLYROOM_SPOOL_MAX_BYTES="50000000")
    report = load.run(product.port, product.build_requests(bodies, 500), connections=16, seconds=seconds)
    product.wait_until_drained()
    acked_count = product.read_metric("tallyroom_events_acked_total")
    lost_count = int(acked_count - product.read_metric("tallyroom_events_stored_total"))
    product.stop()
    return report.statuses, lost_count


def measure_at_rest(table: Table, disk_events: int) -> None:
    """At rest: start, memory, bytes on disk of both kinds of events."""
    with tempfile.TemporaryDirectory() as folder:
        product = Product(Path(folder))
        table.add_row("P8", "start to ready, first start", f"{product.start_seconds:.2f} s", "", "", "≤ 1.5 s")
        time.sleep(_SETTLE_SECONDS)
        table.add_row("P8", "resident memory, idle, fresh", f"{product.rss_mb:.0f} MB", "", "", "≤ 180 MB")
        sent_count = _fill_store(product, disk_events, events.build_program_event)
        port = free_port()
        idle_process = Process(["tallyroom", "serve", "--port", str(port), "--data", folder], port)
        time.sleep(_SETTLE_SECONDS)
        table.add_row("P8", "start to ready, with data", f"{idle_process.start_seconds:.2f} s", "", "", "≤ 1.5 s")
        table.add_row("P8", "resident memory, idle, with data", f"{idle_process.rss_mb:.0f} MB", "", "", "≤ 200 MB")
        idle_process.stop()
        _add_disk_row(table, Path(folder), sent_count, "a program", "≤ 60 at 10 M")
    with tempfile.TemporaryDirectory() as folder:
        _add_disk_row(
            table,
            Path(folder),
            _fill_store(Product(Path(folder)), disk_events, events.build_web_event),
            "a web site",
            "",
        )


def _fill_store(product: Product, min_events: int, make_event: events.MakeEvent) -> int:
    """Send so many events at least, and stop the server when they are stored; how many were sent."""
    sent_count, seed = 0, 0
    while sent_count < min_events:
        seed += 1
        requests = product.build_requests(events.build_batch_bodies(400, seed=seed, make_event=make_event), 500)
        sent_count += load.run(product.port, requests, connections=4, seconds=3600, once=True).accepted_count * 500
    product.wait_until_drained()
    product.stop()
    return sent_count


def _add_disk_row(table: Table, folder: Path, event_count: int, sender: str, limit: str) -> None:
    bytes_per_event = stored_bytes(folder / "events") / event_count
    table.add_row(
        "P8", f"disk, {event_count:,} events of {sender}", f"{bytes_per_event:.1f} bytes an event", "", "", limit
    )


def main() -> None:
    """Run everything and print one table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--quick", action="store_true")
    arguments.add_argument("--disk", type=int, default=1_000_000)
    options = arguments.parse_args()
    seconds, rounds = (3.0, 1) if options.quick else (6.0, 3)
    table = Table("bar", "what", "figure", "ratio", "cost", "limit")
    measure_singles(table, seconds, rounds)
    measure_batches(table, seconds * 1.5)
    measure_at_rest(table, options.disk)
    Console(width=140).print(table)


if __name__ == "__main__":
    main()
