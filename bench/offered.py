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
_LONGEST_SECONDS = 60  # for answers to what was sent last
_BODIES = 1000


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
    def __init__(self, requests: list[bytes], rate: float, seconds: float) -> None:
        self._requests = requests
        self._rate = rate
        self._count = int(rate * seconds)
        self._free: deque[Exchange] = deque()
        self._due: deque[float] = deque()
        self._sent: dict[Exchange, float] = {}
        self._next = 0
        self._statuses: Counter[int | str] = Counter()
        self._ms: list[float] = []

    async def run(self, port: int) -> Offered:
        self._free += await connect(port, _CONNECTIONS, self._answered)
        await self._introduce()
        started = time.perf_counter()
        for number in range(self._count):
            due = started + number / self._rate
            await asyncio.sleep(due - time.perf_counter())
            self._due.append(due)
            self._send()
        await self._answers(self._count)
        self._statuses["none"] += self._count - len(self._ms)
        ordered = sorted(self._ms)
        at = {q: round(ordered[int(len(ordered) * q)], 2) for q in (0.5, 0.99)}
        statuses = {str(status): n for status, n in self._statuses.items() if n}
        return Offered(statuses, at[0.5], at[0.99], round(ordered[-1], 2))

    async def _introduce(self) -> None:
        """Send one event on each connection before any counts, as a sender has that is there already."""
        self._due += [time.perf_counter()] * _CONNECTIONS
        self._send()
        await self._answers(_CONNECTIONS)
        self._ms.clear()
        self._statuses.clear()

    async def _answers(self, count: int) -> None:
        """Wait for so many answers, but not for ever."""
        end = time.perf_counter() + _LONGEST_SECONDS
        while len(self._ms) < count and time.perf_counter() < end:  # noqa: ASYNC110 # polled where nothing is measured
            await asyncio.sleep(0.05)

    def _send(self) -> None:
        while self._due and self._free:
            exchange = self._free.popleft()
            if exchange.open:
                self._sent[exchange] = self._due.popleft()
                exchange.send([self._requests[self._next % len(self._requests)]])
                self._next += 1

    def _answered(self, exchange: Exchange, status: int, _: float) -> None:
        self._ms.append((time.perf_counter() - self._sent.pop(exchange)) * 1000)
        self._statuses[status] += 1
        self._free.append(exchange)
        self._send()


if __name__ == "__main__":
    _port, _key, _rate, _seconds = sys.argv[1:]
    _requests = [http_request(body, _key, 1).data for body in events.singles(_BODIES)]
    print(json.dumps(uvloop.run(_Offer(_requests, float(_rate), float(_seconds)).run(int(_port)))._asdict()))
