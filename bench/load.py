"""A load generator in a process of its own: prebuilt requests over kept-alive connections, as fast as answered.

``python -m bench.load PORT CONNECTIONS SECONDS RATE ONCE < requests`` reads length-prefixed requests and sends them in
turn (RATE events a second over all connections when above 0; each a single time with ONCE = 1). It prints one JSON
line:
``{"seconds", "statuses": {"202": n}, "p50_ms", "p99_ms"}``.
"""

import asyncio
import json
import struct
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from typing import cast

import uvloop

_LENGTH = struct.Struct("<II")  # bytes of the request, events in it


@dataclass(frozen=True)
class Request:
    """Bytes of a whole HTTP request and how many events it holds."""

    data: bytes
    event_count: int


@dataclass(frozen=True)
class Report:
    """What one run of the generator saw."""

    seconds: float
    statuses: dict[str, int]
    p50_ms: float
    p99_ms: float

    @property
    def accepted_count(self) -> int:
        """Requests that were answered 202."""
        return self.statuses.get("202", 0)


def http_request(body: bytes, key: str, events: int) -> Request:
    """A `POST /v1/events` with `body`."""
    head = (
        "POST /v1/events HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n"
        f"Authorization: Bearer {key}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return Request(head.encode() + body, events)


def run(port: int, requests: list[Request], *, connections: int, seconds: float, once: bool = False) -> Report:
    """Run the generator beside the server and wait for its report."""
    return finish(start(port, requests, connections=connections, seconds=seconds, once=once))


def start(
    port: int, requests: list[Request], *, connections: int, seconds: float, rate: float = 0, once: bool = False
) -> "subprocess.Popen[bytes]":
    """Start the generator."""
    command = [sys.executable, "-m", "bench.load", str(port), str(connections), str(seconds), str(rate), str(int(once))]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    for request in requests:
        process.stdin.write(_LENGTH.pack(len(request.data), request.event_count) + request.data)
    process.stdin.close()
    return process


def finish(process: "subprocess.Popen[bytes]") -> Report:
    """Wait for the report of a started generator."""
    assert process.stdout is not None
    line = process.stdout.read()
    process.wait()
    return Report(**json.loads(line))


Generator = subprocess.Popen[bytes]
"""A generator that runs."""


class _Connection(asyncio.Protocol):
    def __init__(self, load: "_Load") -> None:
        self._load = load
        self._sent_s = 0.0
        self._answer_bytes = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's own class is not a subclass
        self._send()

    def data_received(self, data: bytes) -> None:
        self._answer_bytes += data
        if not self._answer_bytes.endswith(b"}"):  # every answer is one JSON object; it may come in two pieces
            return
        self._load.add_answer(self._answer_bytes[9:12], time.perf_counter() - self._sent_s)
        self._answer_bytes = b""
        self._send()

    def _send(self) -> None:
        wait = self._load.reserve_turn()
        if wait > 0:
            asyncio.get_running_loop().call_later(wait, self._write)
        else:
            self._write()

    def _write(self) -> None:
        if self._load.is_over():
            return
        self._sent_s = time.perf_counter()
        self._transport.write(self._load.take_next_request())


class _Load:
    def __init__(self, requests: list[Request], seconds: float, events_per_second: float, *, is_once: bool) -> None:
        self._requests = requests
        self._events_per_second = events_per_second
        self._is_once = is_once
        self._next_index = 0
        self._statuses: Counter[str] = Counter()
        self._latencies_s: list[float] = []
        self._started_s = self._next_turn_s = time.perf_counter()
        self._end_s = self._started_s + seconds

    def is_over(self) -> bool:
        if self._is_once:
            return self._next_index >= len(self._requests)
        return time.perf_counter() >= self._end_s

    def has_all_answers(self) -> bool:
        """Whether a run of ONCE has all its answers."""
        return self._is_once and sum(self._statuses.values()) >= len(self._requests)

    def reserve_turn(self) -> float:
        """Seconds until this connection may send, so that all together keep the rate."""
        if not self._events_per_second:
            return 0
        now = time.perf_counter()
        self._next_turn_s = max(self._next_turn_s, now - 0.1) + self._requests[0].event_count / self._events_per_second
        return self._next_turn_s - now

    def take_next_request(self) -> bytes:
        request = self._requests[self._next_index % len(self._requests)]
        self._next_index += 1
        return request.data

    def add_answer(self, status: bytes, latency_s: float) -> None:
        self._statuses[status.decode()] += 1
        self._latencies_s.append(latency_s)

    def report(self) -> str:
        latencies = sorted(self._latencies_s) or [0.0]
        ms_by_quantile = {
            quantile: latencies[min(int(len(latencies) * quantile), len(latencies) - 1)] * 1000
            for quantile in (0.5, 0.99)
        }
        elapsed = min(time.perf_counter(), self._end_s) - self._started_s
        return json.dumps(
            {
                "seconds": elapsed,
                "statuses": self._statuses,
                "p50_ms": round(ms_by_quantile[0.5], 2),
                "p99_ms": round(ms_by_quantile[0.99], 2),
            }
        )


async def _main(port: int, connections: int, seconds: float, load: _Load) -> None:
    loop = asyncio.get_running_loop()
    for _ in range(connections):
        await loop.create_connection(lambda: _Connection(load), "127.0.0.1", port)
    end = time.perf_counter() + seconds + 0.3
    while time.perf_counter() < end and not load.has_all_answers():  # noqa: ASYNC110 # nobody could set an event cheaper
        await asyncio.sleep(0.05)
    sys.stdout.write(load.report())


def _read_requests() -> list[Request]:
    data, position, requests = sys.stdin.buffer.read(), 0, []
    while position < len(data):
        length, events = _LENGTH.unpack_from(data, position)
        position += _LENGTH.size
        requests.append(Request(data[position : position + length], events))
        position += length
    return requests


if __name__ == "__main__":
    _port, _connections, _seconds, _events_per_second, _is_once = sys.argv[1:]
    _load = _Load(_read_requests(), float(_seconds), float(_events_per_second), is_once=_is_once == "1")
    uvloop.run(_main(int(_port), int(_connections), float(_seconds), _load))
