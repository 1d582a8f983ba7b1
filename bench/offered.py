"""Events that come whether or not the ones before were answered, in a process of its own.

``python -m bench.offered PORT KEY RATE SECONDS`` offers single events at a constant rate and prints one JSON line,
``{"statuses": {"202": n}, "p50_ms", "p99_ms", "most_ms"}``. The time of an answer runs from when its event was to be
sent.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections import Counter, deque
from typing import NamedTuple

import uvloop

from bench import events
from bench.exchange import Exchange, connect
from bench.load import http_request

_CONNECTIONS = 64
_MAX_WAIT_SECONDS = 60  # for answers to what was sent last
_BODY_COUNT = 1000


class Offered(NamedTuple):
    """How events were answered."""

    statuses: dict[str, int]
    p50_ms: float
    p99_ms: float
    most_ms: float


def start(port: int, key: str, rate: float, seconds: float) -> "subprocess.Popen[bytes]":
    """Start to offer events."""
    command = [sys.executable, "-m", "bench.offered", str(port), key, str(rate), str(seconds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE)


def finish(process: "subprocess.Popen[bytes]") -> Offered:
    """Wait until all are answered."""
    line, _ = process.communicate()
    return Offered(**json.loads(line))


class _Offer:
    def __init__(self, requests: list[bytes], events_per_second: float, seconds: float) -> None:
        self._requests = requests
        self._events_per_second = events_per_second
        self._event_count = int(events_per_second * seconds)
        self._free_exchanges: deque[Exchange] = deque()
        self._due_times_s: deque[float] = deque()
        self._due_s_by_exchange: dict[Exchange, float] = {}
        self._next_index = 0
        self._statuses: Counter[int | str] = Counter()
        self._latencies_ms: list[float] = []

    async def run(self, port: int) -> Offered:
        self._free_exchanges += await connect(port, _CONNECTIONS, self._on_answer)
        await self._warm_up_connections()
        started_s = time.perf_counter()
        for number in range(self._event_count):
            due_s = started_s + number / self._events_per_second
            await asyncio.sleep(due_s - time.perf_counter())
            self._due_times_s.append(due_s)
            self._send()
        await self._wait_for_answers(self._event_count)
        self._statuses["none"] += self._event_count - len(self._latencies_ms)
        sorted_latencies = sorted(self._latencies_ms)
        ms_by_quantile = {
            quantile: round(sorted_latencies[int(len(sorted_latencies) * quantile)], 2) for quantile in (0.5, 0.99)
        }
        statuses = {str(status): count for status, count in self._statuses.items() if count}
        return Offered(statuses, ms_by_quantile[0.5], ms_by_quantile[0.99], round(sorted_latencies[-1], 2))

    async def _warm_up_connections(self) -> None:
        """Send one event on each connection before any counts, as a sender has that is there already."""
        self._due_times_s += [time.perf_counter()] * _CONNECTIONS
        self._send()
        await self._wait_for_answers(_CONNECTIONS)
        self._latencies_ms.clear()
        self._statuses.clear()

    async def _wait_for_answers(self, count: int) -> None:
        """Wait for so many answers, but not for ever."""
        wait_end_s = time.perf_counter() + _MAX_WAIT_SECONDS
        while len(self._latencies_ms) < count and time.perf_counter() < wait_end_s:  # noqa: ASYNC110 # polled where nothing is measured
            await asyncio.sleep(0.05)

    def _send(self) -> None:
        while self._due_times_s and self._free_exchanges:
            exchange = self._free_exchanges.popleft()
            if exchange.is_open:
                self._due_s_by_exchange[exchange] = self._due_times_s.popleft()
                exchange.send([self._requests[self._next_index % len(self._requests)]])
                self._next_index += 1

    def _on_answer(self, exchange: Exchange, status: int, _: float) -> None:
        self._latencies_ms.append((time.perf_counter() - self._due_s_by_exchange.pop(exchange)) * 1000)
        self._statuses[status] += 1
        self._free_exchanges.append(exchange)
        self._send()


if __name__ == "__main__":
    _port, _key, _events_per_second, _seconds = sys.argv[1:]
    _requests = [http_request(body, _key, 1).data for body in events.build_single_bodies(_BODY_COUNT)]
    print(
        json.dumps(uvloop.run(_Offer(_requests, float(_events_per_second), float(_seconds)).run(int(_port)))._asdict())
    )
