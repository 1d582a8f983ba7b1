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
        sent = self._headers | headers

        def ask() -> float:
            started = time.perf_counter()
            self._http.request("GET", path, headers=sent)
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


def alternated(one: Ask, other: Ask, rounds: int) -> tuple[float, float]:
    """Medians of two that take turns."""
    pairs = [(one(), other()) for _ in range(rounds)]
    first, second = (statistics.median(side) for side in zip(*pairs[rounds // 10 :], strict=True))
    return first, second


def processor_us(process: Process, ask: Ask, requests: int = 3000) -> float:
    """Microseconds of processor time a request."""
    before = process.cpu_seconds
    for _ in range(requests):
        ask()
    return (process.cpu_seconds - before) / requests * 1e6
