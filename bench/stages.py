"""Where the processor time of an accepted event goes: on the event loop, in the spool's thread and in the drain.

``python -m bench.stages`` takes half a minute. All parts are the product's own and run in this process. Only the
sockets are missing, so their system calls are not counted. Each figure is the least or the median of many rounds,
because a busy machine disturbs these less than a rate.
"""

import asyncio
import itertools
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import uvicorn
import uvloop
from rich.console import Console
from rich.table import Table
from uvicorn.server import ServerState

from bench import events, load
from tallyroom.core.load_settings import load_settings
from tallyroom.ingest.drain.insert_part import InsertPart
from tallyroom.ingest.drain.pieces import prove_chunk
from tallyroom.ingest.drain.range_rows import build_range_rows
from tallyroom.ingest.validation.fast import parse
from tallyroom.rest.answer import Exchange, HttpAnswer
from tallyroom.rest.body_families import BodyFamilies
from tallyroom.server.app import build_app
from tallyroom.server.opening import open_services
from tallyroom.server.protocol.backlog import Backlogs
from tallyroom.server.protocol.direct_routes import DirectRoutes
from tallyroom.server.protocol.fair_turns import ChunkTurns
from tallyroom.server.protocol.memory_quota import Allowance
from tallyroom.server.protocol.shortcut import ShortcutProtocol
from tallyroom.server.services import Services
from tallyroom.storage.spool.chunk_set import ChunkSet
from tallyroom.storage.spool.claim import Claim, read_waiting_chunks

_GROUP = 32  # events a commit, as 64 connections bring about
_ROUNDS = 700  # 22,400 events: a block of the store
_ACCEPTED = HttpAnswer(202, b'{"accepted":1}', ((b"x-request-id", b"a-1"),))


class _Transport:
    """A client that takes everything; `answered` is set once a whole group has its answers."""

    unanswered_count = 0
    answered: asyncio.Event

    def write(self, data: bytes) -> None:
        if not data.startswith(b"HTTP/1.1 "):  # a body, on the usual path
            return
        if not data.startswith(b"HTTP/1.1 202 "):
            raise SystemExit(data.decode())
        _Transport.unanswered_count -= 1
        if _Transport.unanswered_count == 0:
            _Transport.answered.set()

    def is_closing(self) -> bool:
        return False

    def close(self) -> None:
        """Do nothing: the process ends."""

    def get_extra_info(self, name: str) -> Any:
        return {"peername": ("127.0.0.1", 1), "sockname": ("127.0.0.1", 2)}.get(name)

    def get_write_buffer_size(self) -> int:
        return 0


def _open_connections(app: Any, handlers: Any, count: int) -> list[ShortcutProtocol]:
    routes, turns = DirectRoutes(handlers), ChunkTurns()
    allowance, backlogs = Allowance(100_000_000, BodyFamilies(["chat"])), Backlogs(100_000_000, lambda _: 0)
    state = ServerState()
    state.default_headers = [(b"date", b"Mon, 30 Nov 2026 12:00:00 GMT")]
    config = uvicorn.Config(app, interface="asgi3", log_config=None, ws="none")
    config.load()
    connections = []
    for _ in range(count):
        uvicorn_arguments = {"config": config, "server_state": state, "app_state": {}}
        connection = ShortcutProtocol(routes, allowance, backlogs, turns, **uvicorn_arguments)
        connection.connection_made(_Transport())  # type: ignore[arg-type] # all that it is asked for
        connections.append(connection)
    return connections


async def _measure_acceptance(table: Table, services: Services) -> None:
    app = build_app(services)
    key = await _create_key(app)
    bodies = events.build_single_bodies(2_000)
    requests = [load.http_request(body, key, 1).data for body in bodies]
    _Transport.answered = asyncio.Event()

    def answer(exchange: Exchange) -> bool:
        exchange.answer(_ACCEPTED)
        return True

    [connection] = _open_connections(app, {("POST", "/v1/events"): answer}, 1)
    _add_row(table, "loop", "read a request and answer it", _find_least(connection.data_received, requests), 1)
    now_ms = services.clock.now_ms()
    _add_row(table, "loop", "validate", _find_least(lambda body: parse(body, now_ms), bodies), 1)
    connections = _open_connections(app, app.direct_handlers, _GROUP)
    spool_thread = next(thread for thread in threading.enumerate() if thread.name == "spool")
    spool_clock = time.pthread_getcpuclockid(spool_thread.ident or 0)
    loop_seconds, spool_seconds = [], []
    for round_number in range(_ROUNDS):
        loop_start, spool_start = time.thread_time(), time.clock_gettime(spool_clock)
        _Transport.unanswered_count = _GROUP
        _Transport.answered.clear()
        for index, connection in enumerate(connections, round_number * _GROUP):
            connection.data_received(requests[index % len(requests)])
        await _Transport.answered.wait()
        loop_seconds.append(time.thread_time() - loop_start)
        spool_seconds.append(time.clock_gettime(spool_clock) - spool_start)
    _add_row(table, "loop", "both, and key, limits, row, queue, outcome", loop_seconds, _GROUP)
    _add_row(table, "spool", "commit and fsync", spool_seconds, _GROUP)


async def _create_key(app: Any) -> str:
    user = {"email": "bench@example.com", "password": "a password for the bench", "name": "Bench"}
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as client:
        signed_up = await client.post("/v1/auth/signup", json=user)
        headers = {"authorization": f"Bearer {signed_up.headers['x-session-token']}"}
        answer = await client.post("/v1/keys", json={"name": "b", "environment": "production"}, headers=headers)
    key: str = answer.json()["secret"]
    return key


def _measure_drain(table: Table, services: Services) -> None:
    reader, spool_id = services.spool.open_reader(), services.spool.identity
    claim = Claim(ChunkSet.of_range(1, services.spool.last_id))
    chunks = read_waiting_chunks(reader, claim)
    proven_chunks = [prove_chunk(chunk, spool_id) for chunk in chunks]
    [(month, (event_count, body, _))] = build_range_rows(proven_chunks, spool_id).rows_by_month.items()
    first_identity = InsertPart(spool_id, claim, month, 0, event_count, body, ()).first_identity
    numbers = itertools.count()
    steps: list[tuple[str, Callable[[], object]]] = [
        (f"read the chunks of a block of {event_count:,} events", partial(read_waiting_chunks, reader, claim)),
        ("compare them with their seals", lambda: [prove_chunk(chunk, spool_id) for chunk in chunks]),
        ("join their lines", lambda: build_range_rows(proven_chunks, spool_id)),
        ("insert by the engine", lambda: services.writer.insert_events(body, f"bench-{next(numbers)}")),
        ("look up the first event", lambda: services.writer.has_event(*first_identity)),
    ]
    for name, step in steps:
        _add_row(table, "drain", name, [_time_process(step) for _ in range(7)], event_count)
    reader.close()


def _find_least(step: Callable[[bytes], object], pieces: list[bytes], group: int = 64) -> list[float]:
    """Return seconds of this thread for one piece, by groups."""
    seconds = []
    for start in range(0, len(pieces) - group, group):
        group_start = time.thread_time()
        for piece in pieces[start : start + group]:
            step(piece)
        seconds.append((time.thread_time() - group_start) / group)
    return seconds


def _time_process(step: Callable[[], object]) -> float:
    start = time.process_time()
    step()
    return time.process_time() - start


def _add_row(table: Table, place: str, name: str, seconds: list[float], event_count: int) -> None:
    least, median = min(seconds) / event_count, statistics.median(seconds) / event_count
    table.add_row(place, name, f"{least * 1e6:.2f} µs", f"{median * 1e6:.2f} µs")


def main() -> None:
    """Run everything and print one table."""
    table = Table("where", "what", "least", "median")
    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings(
            {},
            data=str(Path(folder) / "data"),
            ingest_rate_per_minute=0,
            disk_reserve_bytes=1_000_000,
            testing=True,
            failpoints="store.insert=block",
            stop_seconds=0,
        )
        services = open_services(settings)
        uvloop.run(_measure_acceptance(table, services))
        _measure_drain(table, services)
        Console(width=120).print(table)
        services.drain.stop(0)
        services.spool.close()
        services.writer.close()


if __name__ == "__main__":
    main()
