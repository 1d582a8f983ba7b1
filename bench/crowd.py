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
from bench.graphs import worst_case
from tallyroom.core.priority import lower_priority

_LONGEST_SECONDS = 300  # for pictures that were asked for last

Statuses = dict[str, int]
"""How often each was answered."""


def start(port: int, clients: int, seconds: float, *, patient: bool) -> "subprocess.Popen[bytes]":
    """Start to ask for pictures."""
    command = [sys.executable, "-m", "bench.crowd", str(port), str(clients), str(seconds), str(int(patient))]
    return subprocess.Popen(command, stdout=subprocess.PIPE)


def finish(process: "subprocess.Popen[bytes]") -> Statuses:
    """Wait until all are answered."""
    line, _ = process.communicate()
    found: Statuses = json.loads(line)["statuses"]
    return found


class _Crowd:
    def __init__(self, seconds: float, *, patient: bool) -> None:
        self._rest = worst_case()
        self._seconds = seconds
        self._patient = patient
        self._asked = self._answers = 0
        self._statuses: Counter[int | str] = Counter()

    async def run(self, port: int, clients: int) -> Statuses:
        exchanges = await connect(port, clients, self._answered)
        self._end = time.perf_counter() + self._seconds
        for exchange in exchanges:
            self._ask(exchange)
        end = self._end + _LONGEST_SECONDS
        while self._is_asking() or (self._answers < self._asked and time.perf_counter() < end):  # noqa: ASYNC110 # as in bench/load.py
            await asyncio.sleep(0.05)
        self._statuses["none"] += self._asked - self._answers
        return {str(status): n for status, n in sorted(self._statuses.items(), key=str) if n}

    def _is_asking(self) -> bool:
        return time.perf_counter() < self._end

    def _ask(self, exchange: Exchange) -> None:
        if not self._is_asking() or not exchange.open:
            return
        self._asked += 1
        title = b'{"name":"Picture %08d",' % self._asked
        head = (
            b"POST /custom/render.png HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n" % (len(title) + len(self._rest))
        )
        exchange.send([head, title, self._rest])

    def _answered(self, exchange: Exchange, status: int, retry_after: float) -> None:
        self._answers += 1
        self._statuses[status] += 1
        wait = retry_after if self._patient else 0.0
        asyncio.get_running_loop().call_later(wait, self._ask, exchange)


if __name__ == "__main__":
    lower_priority()  # they stand for other machines, and are not to take the processors from the server
    _port, _clients, _seconds, _patient = sys.argv[1:]
    _crowd = _Crowd(float(_seconds), patient=_patient == "1")
    print(json.dumps({"statuses": uvloop.run(_crowd.run(int(_port), int(_clients)))}))
