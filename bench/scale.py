"""P12: what a question costs with the events on a server, and a request with the metadata on one, beside neither.

And what an event costs several workers, in processor time of all their processes, beside one worker.

``make bench-scale`` takes about three minutes; ``--events 1000000`` puts more into the event store. The two sides are
two servers with the same events, which are asked in turns. In place of ClickHouse stands the HTTP front of the tests
over the same engine; in place of a PostgreSQL server of one's own, the one that tests start, which does not sync, so
only requests that read are compared (TALLYROOM_TEST_POSTGRES_DSN names another one).
"""

import argparse
import http.client
import json
import re
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from sqlalchemy import URL

from bench import load
from bench.asking import Ask, Connection, measure_alternately
from bench.events import build_batch_bodies
from bench.product import Product
from bench.questions import DASHBOARD, Question
from harness.servers.events_server import front_server
from harness.servers.postgres import fresh_database, migrate, postgres

_BATCH = 500
_ROUNDS = 25
_REPEAT_COUNT = 10  # times that each body of 500 events is sent
_MAX_IDLE_CPU_SECONDS = 0.1  # what a worker without work takes in a second, at most
_MAX_SEND_SECONDS = 120.0  # the longest time that sending may take
_MAX_DRAIN_SECONDS = 300
_ROUNDS_OF_METADATA = 400
_LAST_DAY = {"timeRange": "24h"}
_COUNT_ALL_CONFIG = {"events": "all", "measure": "count"}
_QUESTION_LIMIT, _REQUEST_LIMIT = "≤ 1.3 × + 3 ms", "≤ 1.5 ×"
_PATHS = ("/v1/auth/me", "/v1/workspace", "/v1/dashboards", "/v1/keys", "/v1/members")


def measure_events(folder: Path, event_count: int, table: Table) -> None:
    """The same dashboard over the same events: in the process, and on a server."""
    with front_server(folder / "front") as front:
        embedded_product, server_product = (
            Product(folder / "alone"),
            _start_product(front.settings(), folder / "beside"),
        )
        bodies = build_batch_bodies(event_count // _BATCH)
        for product in (embedded_product, server_product):
            _send_bodies(product, bodies)
        for question in DASHBOARD:
            server_ms, embedded_ms = measure_alternately(
                _build_ask(server_product, question), _build_ask(embedded_product, question), _ROUNDS
            )
            is_within_limit = server_ms <= 1.3 * embedded_ms + 3
            table.add_row(
                f"question: {question.name}",
                *_ratio(server_ms, embedded_ms, is_within_limit=is_within_limit),
                _QUESTION_LIMIT,
            )
        embedded_product.stop()
        server_product.stop()


def measure_metadata(folder: Path, table: Table) -> None:
    """The same requests over the same rows: in a file, and in PostgreSQL."""
    with postgres() as server, fresh_database(server, migrate) as database:
        file_product, server_product = (
            Product(folder / "file"),
            _start_product({"db_dsn": _dsn(database)}, folder / "rows"),
        )
        for path in _PATHS:
            ask_server, ask_file = (
                Connection(product.port, f"Bearer {product.account.token}").get(path)
                for product in (server_product, file_product)
            )
            server_ms, file_ms = measure_alternately(ask_server, ask_file, _ROUNDS_OF_METADATA)
            is_within_limit = server_ms <= 1.5 * file_ms
            table.add_row(
                f"request: GET {path}", *_ratio(server_ms, file_ms, is_within_limit=is_within_limit), _REQUEST_LIMIT
            )
        file_product.stop()
        server_product.stop()


def measure_workers(folder: Path, table: Table) -> None:
    """Batches for one worker, for two and for four, until all of it can be read: what an event costs all processes."""
    bodies = build_batch_bodies(60) * _REPEAT_COUNT
    rate_of_one_worker = 0.0
    for worker_count in (1, 2, 4):
        data_dir = folder / f"{worker_count} workers"
        (data_dir / "workers").mkdir(parents=True)  # so that there is a parent for one worker, too
        with (
            front_server(data_dir / "front") as front,
            postgres() as server,
            fresh_database(server, migrate) as database,
        ):
            product = _start_product(
                front.settings() | {"db_dsn": _dsn(database)}, data_dir, TALLYROOM_WORKERS=str(worker_count)
            )
            _wait_until_all_serve(product, worker_count)
            cpu_seconds_before = product.cpu_seconds_of_all
            load.run(
                product.port,
                product.build_requests(bodies, _BATCH),
                connections=16,
                seconds=_MAX_SEND_SECONDS,
                once=True,
            )
            _wait_until_counted(product, len(bodies) * _BATCH)
            events_per_cpu_second = len(bodies) * _BATCH / (product.cpu_seconds_of_all - cpu_seconds_before)
            product.stop()
        rate_of_one_worker = rate_of_one_worker or events_per_cpu_second
        is_within_limit = abs(events_per_cpu_second / rate_of_one_worker - 1) <= 0.15
        cells = (
            f"{events_per_cpu_second:,.0f} / {rate_of_one_worker:,.0f} a second of processor time",
            f"{events_per_cpu_second / rate_of_one_worker:.2f} ×{'' if is_within_limit else ' !'}",
        )
        table.add_row(f"events, {worker_count} workers", *cells, "≤ 15 % off")


def _wait_until_all_serve(product: Product, worker_count: int) -> None:
    """Wait until each has joined, and has done what a start has to do."""
    while not re.search(rf"^tallyroom_workers\S* {worker_count}\.0$", product.fetch("/metrics").decode(), re.MULTILINE):
        time.sleep(0.1)
    cpu_seconds, cpu_seconds_before = product.cpu_seconds_of_all, 0.0
    while cpu_seconds - cpu_seconds_before > _MAX_IDLE_CPU_SECONDS * worker_count:
        time.sleep(1)
        cpu_seconds, cpu_seconds_before = product.cpu_seconds_of_all, cpu_seconds


def _wait_until_counted(product: Product, event_count: int) -> None:
    """Wait until a question counts all of them; more would end the benchmark."""
    question = {"environment": "production", "timeRange": "24h", "type": "metric", "config": _COUNT_ALL_CONFIG}
    deadline = time.monotonic() + _MAX_DRAIN_SECONDS
    while (counted := product.post("/v1/query", question)[0]["value"]) < event_count and time.monotonic() < deadline:
        time.sleep(0.05)
    if counted != event_count:
        raise SystemExit(f"{counted} of {event_count} events can be read")


def _dsn(database: URL) -> str:
    return database.set(drivername="postgresql").render_as_string(hide_password=False)


def _start_product(servers: Mapping[str, str], folder: Path, **settings: str) -> Product:
    """A server with settings that it does not take from its environment yet."""
    return Product(folder, None, ["harness.servers.serve", json.dumps(servers)], **settings)


def _send_bodies(product: Product, bodies: Sequence[bytes]) -> None:
    for body in bodies:
        product.post("/v1/events", json.loads(body), product.account.key)
    product.wait_until_drained()


def _build_ask(product: Product, question: Question) -> Ask:
    method, path, body = question.request("production", _LAST_DAY)
    connection = http.client.HTTPConnection("127.0.0.1", product.port)
    headers = {"authorization": f"Bearer {product.account.token}", "content-type": "application/json"}
    text = json.dumps(body).encode()

    def ask() -> float:
        started = time.perf_counter()
        connection.request(method, path, text, headers)
        answer = connection.getresponse()
        answer_body = answer.read()
        ms = (time.perf_counter() - started) * 1000
        if answer.status != 200:
            raise SystemExit(f"{question.name}: {answer.status} {answer_body.decode()}")
        return ms

    return ask


def _ratio(first_ms: float, second_ms: float, *, is_within_limit: bool) -> tuple[str, str]:
    return f"{first_ms:.2f} / {second_ms:.2f} ms", f"{first_ms / second_ms:.2f} ×{'' if is_within_limit else ' !'}"


def main() -> None:
    """Run everything and print one table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--events", type=int, default=100_000)
    arguments.add_argument("--only", choices=["questions", "requests", "workers"])
    options = arguments.parse_args()
    table = Table("what", "on a server / alone", "ratio", "limit", title=f"P12, {options.events:,} events")
    with tempfile.TemporaryDirectory() as folder:
        if options.only in {None, "questions"}:
            measure_events(Path(folder), options.events, table)
        if options.only in {None, "requests"}:
            measure_metadata(Path(folder), table)
        if options.only in {None, "workers"}:
            measure_workers(Path(folder), table)
    Console(width=160).print(table)


if __name__ == "__main__":
    main()
