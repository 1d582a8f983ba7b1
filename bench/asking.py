"""Asking a server over one connection, in turns with another, and what an answer costs the server."""

import http.client
import json
import statistics
import time
from collections.abc import Callable

from bench.process import Process

Ask = Callable[[], float]
"""Asks once; milliseconds."""


class Connection:
    """One kept-alive connection.

    Args:
        port: of the server.
        token: what `authorization` says.
    """

    def __init__(self, port: int, token: str = "") -> None:
        self._http = http.client.HTTPConnection("127.0.0.1", port)
        self._headers = {"authorization": token}

    def get(self, path: str, status: int = 200, **headers: str) -> Ask:
        """Asks for `path`, and ends the benchmark when the answer has another status."""
        headers_sent = self._headers | headers

        def ask() -> float:
            started = time.perf_counter()
            self._http.request("GET", path, headers=headers_sent)
            answer = self._http.getresponse()
            body = answer.read()
            ms = (time.perf_counter() - started) * 1000
            if answer.status != status:
                raise SystemExit(f"{path}: {answer.status} {body.decode(errors='replace')}")
            return ms

        return ask

    def sql(self, text: str) -> Ask:
        """Asks the engine beside the product (bench/beside.py)."""

        def ask() -> float:
            self._http.request("POST", "/", text.encode())
            answer = json.loads(self._http.getresponse().read())
            if answer["error"] or not answer["rows"]:
                raise SystemExit(f"by hand: {answer}")
            ms: float = answer["ms"]
            return ms

        return ask


def measure_alternately(ask_one: Ask, ask_other: Ask, rounds: int) -> tuple[float, float]:
    """Medians of two that take turns."""
    pairs = [(ask_one(), ask_other()) for _ in range(rounds)]
    one_ms, other_ms = (statistics.median(side) for side in zip(*pairs[rounds // 10 :], strict=True))
    return one_ms, other_ms


def measure_processor_us(process: Process, ask: Ask, request_count: int = 3000) -> float:
    """Microseconds of processor time a request."""
    cpu_seconds_before = process.cpu_seconds
    for _ in range(request_count):
        ask()
    return (process.cpu_seconds - cpu_seconds_before) / request_count * 1e6
