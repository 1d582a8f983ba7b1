"""P3, P4 and P5: what a question costs beside SQL by hand, and what ingest costs a dashboard.

``python -m bench.query`` takes about eight minutes; ``--events 100000,1000000`` chooses the sizes of the store, three
of them by default. Every answer by hand is compared with the product's.
"""

import argparse
import http.client
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.busy import measure_busy
from bench.by_hand_pages import full_scan
from bench.compare import check_same
from bench.history import GROUP_PROPERTY, make_history
from bench.process import free_port
from bench.product import Product
from bench.questions import DASHBOARD, PAGES, WIDGETS, WITH_HISTORY, Question
from bench.span import DAY_MS, Span

_SIZES = "100000,1000000,10000000"
_SECONDS_EACH = 2.0  # what a question is repeated for, on both sides together
_FEWEST, _MOST = 5, 25  # rounds
_BUSY_SECONDS = 6.0
_ALL = {"timeRange": "90d"}
_DAY = {"timeRange": "24h"}

_BESIDE_HAND = "≤ 1.15 × at 10 M, ≤ 1.5 × + 3 ms at 100 k"

Line = tuple[str, str, str]
"""Of the table: bar, what, limit."""

Cells = dict[Line, str]
"""What one size measured."""


class Refused(Exception):
    """The product does not answer the question."""


class Sides:
    """The product over HTTP on one side, SQL in the same process on the other."""

    def __init__(self, product: Product, sql_port: int) -> None:
        self.workspace_id = product.account.workspace_id
        self._headers = {"authorization": f"Bearer {product.account.token}", "content-type": "application/json"}
        self._http = http.client.HTTPConnection("127.0.0.1", product.port)
        self._sql = http.client.HTTPConnection("127.0.0.1", sql_port)

    def ask(
        self, question: Question, environment: str = "production", span: Mapping[str, str] = _ALL
    ) -> tuple[float, Any]:
        """Milliseconds and answer of the product.

        Raises:
            Refused: the product says that the question costs too much, or is wrong.
        """
        self.sql("")  # which empties the cache of conditions
        method, path, body = question.request(environment, span)
        started = time.perf_counter()
        self._http.request(method, path, json.dumps(body).encode() if body else None, self._headers)
        response = self._http.getresponse()
        text = response.read()
        ms = (time.perf_counter() - started) * 1000
        if response.status != 200:
            raise Refused(f"{question.name}: {text.decode()}")
        return ms, json.loads(text)

    def by_hand(self, question: Question, span: Span) -> tuple[float, Any]:
        """Milliseconds and answer of the SQL by hand."""
        asking, total = question.by_hand(span), 0.0
        sql = next(asking)
        while True:
            ms, rows = self.sql(sql)
            total += ms
            try:
                sql = asking.send(rows)
            except StopIteration as end:
                return total, end.value

    def sql(self, sql: str) -> tuple[float, list[Any]]:
        """Milliseconds and rows of one statement."""
        self._sql.request("POST", "/", sql.encode())
        answer = json.loads(self._sql.getresponse().read())
        if answer["error"]:
            raise SystemExit(f"by hand: {answer['error']}")
        return answer["ms"], answer["rows"]

    def span(self) -> Span:
        """The last 90 days; no event is so old or so new that a moment more or less would change an answer."""
        until_ms = time.time_ns() // 1_000_000
        return Span(self.workspace_id, "production", until_ms - 90 * DAY_MS, until_ms)


def measure_questions(sides: Sides, bar: str, questions: Sequence[Question], *, big: bool) -> Cells:
    """Each question A B A B …, by the product and by hand."""
    found: Cells = {}
    for each in questions:
        try:
            product, by_hand = _alternated(sides, each)
        except Refused as refused:
            print(refused, file=sys.stderr)
            found[bar, each.name, _BESIDE_HAND] = "refused !"
            continue
        held = product <= (1.15 * by_hand if big else 1.5 * by_hand + 3)
        found[bar, each.name, _BESIDE_HAND] = _written(product, by_hand, held=held)
    return found


def measure_scan(sides: Sides, *, big: bool) -> Cells:
    """A rare actor beside a look at the actor of every event."""
    rare = next(each for each in PAGES if each.name == "rare actor")
    pairs = [(sides.ask(rare)[0], sides.sql(full_scan(sides.span()))[0]) for _ in range(_FEWEST)]
    one, other = (statistics.median(each) for each in zip(*pairs, strict=True))
    held = one <= 0.1 * other or not big
    return {("P4", "rare actor, beside a full scan", "≤ 0.1 × at 10 M"): _written(one, other, held=held)}


def measure_history(sides: Sides, questions: Sequence[Question]) -> Cells:
    """The same questions about one day, with ninety days of history behind it and with three."""
    found: Cells = {}
    for each in questions:
        pairs = [(sides.ask(each, span=_DAY)[0], sides.ask(each, "development", _DAY)[0]) for _ in range(9)]
        one, other = (statistics.median(side) for side in zip(*pairs, strict=True))
        found["P3", f"24 h, beside no history: {each.name}", "does not grow"] = _written(one, other)
    return found


def measure(folder: Path, events: int) -> Cells:
    """All bars at one size."""
    account = make_history(folder, events)
    sql_port = free_port()
    product = Product(folder, account, "bench.beside", BENCH_SQL_PORT=str(sql_port))
    product.post("/v1/groups/keys", {"propKey": GROUP_PROPERTY})
    sides = Sides(product, sql_port)
    big = events >= 10_000_000
    cells = measure_questions(sides, "P3", WIDGETS, big=big) | measure_history(sides, WITH_HISTORY)
    cells |= measure_questions(sides, "P4", PAGES, big=big) | measure_scan(sides, big=big)
    product.stop()
    widget, ack = measure_busy(folder, account, DASHBOARD, _BUSY_SECONDS)
    cells["P5", "12 widgets, p95, ingesting beside idle", "≤ 1.5 ×"] = _written(
        widget.together, widget.alone, held=widget.together <= 1.5 * widget.alone
    )
    cells["P5", "ingest, p99, dashboard beside idle", "≤ 2 ×"] = _written(
        ack.together, ack.alone, held=ack.together <= 2 * ack.alone
    )
    return cells


def _alternated(sides: Sides, question: Question) -> tuple[float, float]:
    product: list[float] = []
    by_hand: list[float] = []
    spent = 0.0
    while len(product) < _FEWEST or (spent < _SECONDS_EACH * 1000 and len(product) < _MOST):
        product_ms, answer = sides.ask(question)
        by_hand_ms, found = sides.by_hand(question, sides.span())
        check_same(answer, found, question.name)
        product.append(product_ms)
        by_hand.append(by_hand_ms)
        spent += product_ms + by_hand_ms
    return statistics.median(product), statistics.median(by_hand)


def _written(one: float, other: float, *, held: bool = True) -> str:
    """Two medians and their ratio, marked where the bar is missed."""
    return f"{one:,.1f} / {other:,.1f} ms = {one / other:.2f} ×{'' if held else ' !'}"


def main() -> None:
    """Run everything and print one table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--events", default=_SIZES)
    sizes = [int(size) for size in arguments.parse_args().events.split(",")]
    found = {}
    for events in sizes:
        with tempfile.TemporaryDirectory() as folder:
            found[events] = measure(Path(folder), events)
    table = Table("bar", "what", *(f"{events:,} events" for events in sizes), "limit")
    for line in found[sizes[0]]:
        bar, what, limit = line
        table.add_row(bar, what, *(found[events][line] for events in sizes), limit)
    Console(width=200).print(table)


if __name__ == "__main__":
    main()
