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
from bench.asking import Ask, Connection, alternated
from bench.events import batches
from bench.product import Product
from bench.questions import DASHBOARD, Question
from harness.servers.events_server import front_server
from harness.servers.postgres import fresh_database, migrate, postgres

_BATCH = 500
_ROUNDS = 25
_REPEATED = 10  # times that each body of 500 events is sent
_IDLE_SECONDS = 0.1  # what a worker without work takes in a second, at most
_SECONDS = 120.0  # the longest time that sending may take
_DRAIN_SECONDS = 300
_ROUNDS_OF_METADATA = 400
_DAY = {"timeRange": "24h"}
_EVERYTHING = {"events": "all", "measure": "count"}
_QUESTION, _REQUEST = "≤ 1.3 × + 3 ms", "≤ 1.5 ×"
_PATHS = ("/v1/auth/me", "/v1/workspace", "/v1/dashboards", "/v1/keys", "/v1/members")


def measure_events(folder: Path, events: int, table: Table) -> None:
    """The same dashboard over the same events: in the process, and on a server."""
    with front_server(folder / "front") as front:
        alone, beside = Product(folder / "alone"), _with(front.settings(), folder / "beside")
        bodies = batches(events // _BATCH)
        for product in (alone, beside):
            _send(product, bodies)
        for question in DASHBOARD:
            server, embedded = alternated(_asking(beside, question), _asking(alone, question), _ROUNDS)
            held = server <= 1.3 * embedded + 3
            table.add_row(f"question: {question.name}", *_ratio(server, embedded, held=held), _QUESTION)
        alone.stop()
        beside.stop()


def measure_metadata(folder: Path, table: Table) -> None:
    """The same requests over the same rows: in a file, and in PostgreSQL."""
    with postgres() as server, fresh_database(server, migrate) as database:
        alone, beside = Product(folder / "file"), _with({"db_dsn": _dsn(database)}, folder / "rows")
        for path in _PATHS:
            ours, theirs = (
                Connection(product.port, f"Bearer {product.account.token}").get(path) for product in (beside, alone)
            )
            on_server, in_file = alternated(ours, theirs, _ROUNDS_OF_METADATA)
            held = on_server <= 1.5 * in_file
            table.add_row(f"request: GET {path}", *_ratio(on_server, in_file, held=held), _REQUEST)
        alone.stop()
        beside.stop()


def measure_workers(folder: Path, table: Table) -> None:
    """Batches for one worker, for two and for four, until all of it can be read: what an event costs all processes."""
    bodies = batches(60) * _REPEATED
    alone = 0.0
    for workers in (1, 2, 4):
        data = folder / f"{workers} workers"
        (data / "workers").mkdir(parents=True)  # so that there is a parent for one worker, too
        with front_server(data / "front") as front, postgres() as server, fresh_database(server, migrate) as database:
            product = _with(front.settings() | {"db_dsn": _dsn(database)}, data, TALLYROOM_WORKERS=str(workers))
            _until_all_serve(product, workers)
            before = product.cpu_seconds_of_all
            load.run(product.port, product.requests(bodies, _BATCH), connections=16, seconds=_SECONDS, once=True)
            _until_counted(product, len(bodies) * _BATCH)
            each = len(bodies) * _BATCH / (product.cpu_seconds_of_all - before)
            product.stop()
        alone = alone or each
        held = abs(each / alone - 1) <= 0.15
        said = f"{each:,.0f} / {alone:,.0f} a second of processor time", f"{each / alone:.2f} ×{'' if held else ' !'}"
        table.add_row(f"events, {workers} workers", *said, "≤ 15 % off")


def _until_all_serve(product: Product, workers: int) -> None:
    """Wait until each has joined, and has done what a start has to do."""
    while not re.search(rf"^tallyroom_workers\S* {workers}\.0$", product.fetch("/metrics").decode(), re.MULTILINE):
        time.sleep(0.1)
    spent, before = product.cpu_seconds_of_all, 0.0
    while spent - before > _IDLE_SECONDS * workers:
        time.sleep(1)
        spent, before = product.cpu_seconds_of_all, spent


def _until_counted(product: Product, events: int) -> None:
    """Wait until a question counts all of them; more would end the benchmark."""
    question = {"environment": "production", "timeRange": "24h", "type": "metric", "config": _EVERYTHING}
    deadline = time.monotonic() + _DRAIN_SECONDS
    while (found := product.post("/v1/query", question)[0]["value"]) < events and time.monotonic() < deadline:
        time.sleep(0.05)
    if found != events:
        raise SystemExit(f"{found} of {events} events can be read")


def _dsn(database: URL) -> str:
    return database.set(drivername="postgresql").render_as_string(hide_password=False)


def _with(servers: Mapping[str, str], folder: Path, **settings: str) -> Product:
    """A server with settings that it does not take from its environment yet."""
    return Product(folder, None, ["harness.servers.serve", json.dumps(servers)], **settings)


def _send(product: Product, bodies: Sequence[bytes]) -> None:
    for body in bodies:
        product.post("/v1/events", json.loads(body), product.account.key)
    product.drained()


def _asking(product: Product, question: Question) -> Ask:
    method, path, body = question.request("production", _DAY)
    connection = http.client.HTTPConnection("127.0.0.1", product.port)
    headers = {"authorization": f"Bearer {product.account.token}", "content-type": "application/json"}
    text = json.dumps(body).encode()

    def ask() -> float:
        started = time.perf_counter()
        connection.request(method, path, text, headers)
        answer = connection.getresponse()
        told = answer.read()
        ms = (time.perf_counter() - started) * 1000
        if answer.status != 200:
            raise SystemExit(f"{question.name}: {answer.status} {told.decode()}")
        return ms

    return ask


def _ratio(one: float, other: float, *, held: bool) -> tuple[str, str]:
    return f"{one:.2f} / {other:.2f} ms", f"{one / other:.2f} ×{'' if held else ' !'}"


def main() -> None:
    """Run everything and print one table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--events", type=int, default=100_000)
    arguments.add_argument("--only", choices=["questions", "requests", "workers"])
    asked = arguments.parse_args()
    table = Table("what", "on a server / alone", "ratio", "limit", title=f"P12, {asked.events:,} events")
    with tempfile.TemporaryDirectory() as folder:
        if asked.only in {None, "questions"}:
            measure_events(Path(folder), asked.events, table)
        if asked.only in {None, "requests"}:
            measure_metadata(Path(folder), table)
        if asked.only in {None, "workers"}:
            measure_workers(Path(folder), table)
    Console(width=160).print(table)


if __name__ == "__main__":
    main()
