"""One hostile client, in a process of its own: prebuilt requests, each as soon as the one before was answered.

``python -m bench.attacker PORT CONNECTIONS SECONDS < requests`` reads length-prefixed requests, sends them in turn and
prints one JSON line, ``{"200": n, "400": n, "none": n}``. It asks for priority behind the server, as it stands for
another machine. A connection that the server ends is opened anew.
"""

import asyncio
import json
import struct
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence

import uvloop

from bench.exchange import LOST_STATUS, Exchange, connect
from tallyroom.core.priority import lower_priority

_LENGTH = struct.Struct("<I")
_MAX_WAIT_SECONDS = 20  # for answers to what was sent last

Statuses = dict[str, int]
"""How often each was answered."""


def start(port: int, requests: Sequence[bytes], connections: int, seconds: float) -> "subprocess.Popen[bytes]":
    """Start to attack."""
    command = [sys.executable, "-m", "bench.attacker", str(port), str(connections), str(seconds)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdin is not None
    for request in requests:
        process.stdin.write(_LENGTH.pack(len(request)) + request)
    process.stdin.close()
    return process


def finish(process: "subprocess.Popen[bytes]") -> Statuses:
    """Wait until all are answered, or it is clear that they will not be."""
    assert process.stdout is not None
    statuses: Statuses = json.loads(process.stdout.read())
    process.wait()
    return statuses


class _Attack:
    def __init__(self, port: int, requests: list[bytes], seconds: float) -> None:
        self._port = port
        self._requests = requests
        self._end_s = time.perf_counter() + seconds
        self._sent_count = self._answer_count = 0
        self._statuses: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self, connections: int) -> Statuses:
        for _ in range(connections):
            await self._open_connection()
        wait_end_s = self._end_s + _MAX_WAIT_SECONDS
        while time.perf_counter() < self._end_s or (  # noqa: ASYNC110 # as in bench/load.py
            self._answer_count < self._sent_count and time.perf_counter() < wait_end_s
        ):
            await asyncio.sleep(0.05)
        self._statuses["none"] += self._sent_count - self._answer_count
        return {status: count for status, count in sorted(self._statuses.items()) if count}

    async def _open_connection(self) -> None:
        [exchange] = await connect(self._port, 1, self._on_answer)
        self._send(exchange)

    def _send(self, exchange: Exchange) -> None:
        if time.perf_counter() < self._end_s:
            exchange.send([self._requests[self._sent_count % len(self._requests)]])
            self._sent_count += 1

    def _on_answer(self, exchange: Exchange, status: int, _: float) -> None:
        self._answer_count += 1
        self._statuses["lost" if status == LOST_STATUS else str(status)] += 1
        if exchange.is_open:
            asyncio.get_running_loop().call_soon(self._send_or_reconnect, exchange)
        else:
            self._reconnect()

    def _send_or_reconnect(self, exchange: Exchange) -> None:
        if exchange.is_open:  # some refusals end the connection
            self._send(exchange)
        else:
            self._reconnect()

    def _reconnect(self) -> None:
        task = asyncio.get_running_loop().create_task(self._open_connection())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _read_requests() -> list[bytes]:
    data, offset, requests = sys.stdin.buffer.read(), 0, []
    while offset < len(data):
        (length,) = _LENGTH.unpack_from(data, offset)
        offset += _LENGTH.size + length
        requests.append(data[offset - length : offset])
    return requests


if __name__ == "__main__":
    _port, _connections, _seconds = sys.argv[1:]
    _requests = _read_requests()
    lower_priority()
    print(json.dumps(uvloop.run(_Attack(int(_port), _requests, float(_seconds)).run(int(_connections)))))
