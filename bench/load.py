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
    events: int


@dataclass(frozen=True)
class Report:
    """What one run of the generator saw."""

    seconds: float
    statuses: dict[str, int]
    p50_ms: float
    p99_ms: float

    @property
    def accepted(self) -> int:
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
        process.stdin.write(_LENGTH.pack(len(request.data), request.events) + request.data)
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
        self._sent = 0.0
        self._answer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's own class is not a subclass
        self._send()

    def data_received(self, data: bytes) -> None:
        self._answer += data
        if not self._answer.endswith(b"}"):  # every answer is one JSON object; it may come in two pieces
            return
        self._load.answered(self._answer[9:12], time.perf_counter() - self._sent)
        self._answer = b""
        self._send()

    def _send(self) -> None:
        wait = self._load.take_turn()
        if wait > 0:
            asyncio.get_running_loop().call_later(wait, self._write)
        else:
            self._write()

    def _write(self) -> None:
        if self._load.over():
            return
        self._sent = time.perf_counter()
        self._transport.write(self._load.next_request())


class _Load:
    def __init__(self, requests: list[Request], seconds: float, rate: float, *, once: bool) -> None:
        self._requests = requests
        self._rate = rate
        self._once = once
        self._next = 0
        self._statuses: Counter[str] = Counter()
        self._latencies: list[float] = []
        self._started = self._turn = time.perf_counter()
        self._end = self._started + seconds

    def over(self) -> bool:
        if self._once:
            return self._next >= len(self._requests)
        return time.perf_counter() >= self._end

    def finished(self) -> bool:
        """Whether a run of ONCE has all its answers."""
        return self._once and sum(self._statuses.values()) >= len(self._requests)

    def take_turn(self) -> float:
        """Seconds until this connection may send, so that all together keep the rate."""
        if not self._rate:
            return 0
        now = time.perf_counter()
        self._turn = max(self._turn, now - 0.1) + self._requests[0].events / self._rate
        return self._turn - now

    def next_request(self) -> bytes:
        request = self._requests[self._next % len(self._requests)]
        self._next += 1
        return request.data

    def answered(self, status: bytes, seconds: float) -> None:
        self._statuses[status.decode()] += 1
        self._latencies.append(seconds)

    def report(self) -> str:
        ordered = sorted(self._latencies) or [0.0]
        at = {q: ordered[min(int(len(ordered) * q), len(ordered) - 1)] * 1000 for q in (0.5, 0.99)}
        elapsed = min(time.perf_counter(), self._end) - self._started
        return json.dumps(
            {"seconds": elapsed, "statuses": self._statuses, "p50_ms": round(at[0.5], 2), "p99_ms": round(at[0.99], 2)}
        )


async def _main(port: int, connections: int, seconds: float, load: _Load) -> None:
    loop = asyncio.get_running_loop()
    for _ in range(connections):
        await loop.create_connection(lambda: _Connection(load), "127.0.0.1", port)
    end = time.perf_counter() + seconds + 0.3
    while time.perf_counter() < end and not load.finished():  # noqa: ASYNC110 # nobody could set an event cheaper
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
    _port, _connections, _seconds, _rate, _once = sys.argv[1:]
    _load = _Load(_read_requests(), float(_seconds), float(_rate), once=_once == "1")
    uvloop.run(_main(int(_port), int(_connections), float(_seconds), _load))
