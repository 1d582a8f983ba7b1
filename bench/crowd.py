"""Many clients that ask for the most costly picture there is, none of them twice for the same, in their own process.

``python -m bench.crowd PORT CLIENTS SECONDS PATIENT`` prints one JSON line, ``{"statuses": {"200": n, "503": n}}``. A
client asks again as soon as it is answered; with PATIENT = 1 it first waits as long as `retry-after` says.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections import Counter

import uvloop

from bench.exchange import Exchange, connect
from bench.graphs import build_worst_case
from tallyroom.core.priority import lower_priority

_MAX_WAIT_SECONDS = 300  # for pictures that were asked for last

Statuses = dict[str, int]
"""How often each was answered."""


def start(port: int, clients: int, seconds: float, *, is_patient: bool) -> "subprocess.Popen[bytes]":
    """Start to ask for pictures."""
    command = [sys.executable, "-m", "bench.crowd", str(port), str(clients), str(seconds), str(int(is_patient))]
    return subprocess.Popen(command, stdout=subprocess.PIPE)


def finish(process: "subprocess.Popen[bytes]") -> Statuses:
    """Wait until all are answered."""
    line, _ = process.communicate()
    statuses: Statuses = json.loads(line)["statuses"]
    return statuses


class _Crowd:
    def __init__(self, seconds: float, *, is_patient: bool) -> None:
        self._body_without_name = build_worst_case()
        self._seconds = seconds
        self._is_patient = is_patient
        self._asked_count = self._answer_count = 0
        self._statuses: Counter[int | str] = Counter()

    async def run(self, port: int, clients: int) -> Statuses:
        exchanges = await connect(port, clients, self._on_answer)
        self._end_s = time.perf_counter() + self._seconds
        for exchange in exchanges:
            self._ask(exchange)
        wait_end_s = self._end_s + _MAX_WAIT_SECONDS
        while self._is_asking() or (self._answer_count < self._asked_count and time.perf_counter() < wait_end_s):  # noqa: ASYNC110 # as in bench/load.py
            await asyncio.sleep(0.05)
        self._statuses["none"] += self._asked_count - self._answer_count
        return {str(status): count for status, count in sorted(self._statuses.items(), key=str) if count}

    def _is_asking(self) -> bool:
        return time.perf_counter() < self._end_s

    def _ask(self, exchange: Exchange) -> None:
        if not self._is_asking() or not exchange.is_open:
            return
        self._asked_count += 1
        title = b'{"name":"Picture %08d",' % self._asked_count
        head = (
            b"POST /custom/render.png HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n" % (len(title) + len(self._body_without_name))
        )
        exchange.send([head, title, self._body_without_name])

    def _on_answer(self, exchange: Exchange, status: int, retry_after: float) -> None:
        self._answer_count += 1
        self._statuses[status] += 1
        wait = retry_after if self._is_patient else 0.0
        asyncio.get_running_loop().call_later(wait, self._ask, exchange)


if __name__ == "__main__":
    lower_priority()  # they stand for other machines, and are not to take the processors from the server
    _port, _clients, _seconds, _is_patient = sys.argv[1:]
    _crowd = _Crowd(float(_seconds), is_patient=_is_patient == "1")
    print(json.dumps({"statuses": uvloop.run(_crowd.run(int(_port), int(_clients)))}))
