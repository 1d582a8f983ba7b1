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
from bench.product import Account, Product
from bench.questions import DASHBOARD, PAGES, WIDGETS, WITH_HISTORY, Question
from bench.span import DAY_MS, Span

_SIZES = "100000,1000000,10000000"
_SECONDS_PER_QUESTION = 2.0  # what a question is repeated for, on both sides together
_MIN_ROUNDS, _MAX_ROUNDS = 5, 25  # rounds
_BUSY_SECONDS = 6.0
_ALL_DAYS = {"timeRange": "90d"}
_LAST_DAY = {"timeRange": "24h"}

_BESIDE_HAND_LIMIT = "≤ 1.15 × at 10 M, ≤ 1.5 × + 3 ms at 100 k"

TableLine = tuple[str, str, str]
"""Of the table: bar, what, limit."""

Cells = dict[TableLine, str]
"""What one size measured."""


class Refused(Exception):
    """The product does not answer the question."""


class QuestionSides:
    """The product over HTTP on one side, SQL in the same process on the other."""

    def __init__(self, product: Product, sql_port: int) -> None:
        self.workspace_id = product.account.workspace_id
        self._headers = {"authorization": f"Bearer {product.account.token}", "content-type": "application/json"}
        self._http = http.client.HTTPConnection("127.0.0.1", product.port)
        self._sql = http.client.HTTPConnection("127.0.0.1", sql_port)

    def ask(
        self, question: Question, environment: str = "production", span: Mapping[str, str] = _ALL_DAYS
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
        answer_generator, total_ms = question.by_hand(span), 0.0
        sql = next(answer_generator)
        while True:
            ms, rows = self.sql(sql)
            total_ms += ms
            try:
                sql = answer_generator.send(rows)
            except StopIteration as end:
                return total_ms, end.value

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


def measure_questions(sides: QuestionSides, bar: str, questions: Sequence[Question], *, is_big: bool) -> Cells:
    """Each question A B A B …, by the product and by hand."""
    cells: Cells = {}
    for question in questions:
        try:
            product_ms, by_hand_ms = measure_alternately(sides, question)
        except Refused as refused:
            print(refused, file=sys.stderr)
            cells[bar, question.name, _BESIDE_HAND_LIMIT] = "refused !"
            continue
        is_within_limit = product_ms <= (1.15 * by_hand_ms if is_big else 1.5 * by_hand_ms + 3)
        cells[bar, question.name, _BESIDE_HAND_LIMIT] = format_ratio(
            product_ms, by_hand_ms, is_within_limit=is_within_limit
        )
    return cells


def measure_scan(sides: QuestionSides, *, is_big: bool) -> Cells:
    """A rare actor beside a look at the actor of every event."""
    rare_actor_question = next(page for page in PAGES if page.name == "rare actor")
    pairs = [(sides.ask(rare_actor_question)[0], sides.sql(full_scan(sides.span()))[0]) for _ in range(_MIN_ROUNDS)]
    rare_actor_ms, full_scan_ms = (statistics.median(side) for side in zip(*pairs, strict=True))
    is_within_limit = rare_actor_ms <= 0.1 * full_scan_ms or not is_big
    return {
        ("P4", "rare actor, beside a full scan", "≤ 0.1 × at 10 M"): format_ratio(
            rare_actor_ms, full_scan_ms, is_within_limit=is_within_limit
        )
    }


def measure_history(sides: QuestionSides, questions: Sequence[Question]) -> Cells:
    """The same questions about one day, with ninety days of history behind it and with three."""
    cells: Cells = {}
    for question in questions:
        pairs = [
            (sides.ask(question, span=_LAST_DAY)[0], sides.ask(question, "development", _LAST_DAY)[0]) for _ in range(9)
        ]
        with_history_ms, without_history_ms = (statistics.median(side) for side in zip(*pairs, strict=True))
        cells["P3", f"24 h, beside no history: {question.name}", "does not grow"] = format_ratio(
            with_history_ms, without_history_ms
        )
    return cells


def start_product(folder: Path, account: Account) -> tuple[Product, QuestionSides]:
    """The server on a history, with a group key and without kept answers, and questions of it and of SQL by hand."""
    sql_port = free_port()
    product = Product(folder, account, "bench.beside", BENCH_SQL_PORT=str(sql_port), TALLYROOM_KEPT_ANSWERS_MB="0")
    product.post("/v1/groups/keys", {"propKey": GROUP_PROPERTY})
    return product, QuestionSides(product, sql_port)


def measure(folder: Path, event_count: int) -> Cells:
    """All bars at one size."""
    account = make_history(folder, event_count)
    product, sides = start_product(folder, account)
    is_big = event_count >= 10_000_000
    cells = measure_questions(sides, "P3", WIDGETS, is_big=is_big) | measure_history(sides, WITH_HISTORY)
    cells |= measure_questions(sides, "P4", PAGES, is_big=is_big) | measure_scan(sides, is_big=is_big)
    product.stop()
    widget_p95, ack_p99 = measure_busy(folder, account, DASHBOARD, _BUSY_SECONDS)
    cells["P5", "12 widgets, p95, ingesting beside idle", "≤ 1.5 ×"] = format_ratio(
        widget_p95.together, widget_p95.alone, is_within_limit=widget_p95.together <= 1.5 * widget_p95.alone
    )
    cells["P5", "ingest, p99, dashboard beside idle", "≤ 2 ×"] = format_ratio(
        ack_p99.together, ack_p99.alone, is_within_limit=ack_p99.together <= 2 * ack_p99.alone
    )
    return cells


def measure_alternately(sides: QuestionSides, question: Question) -> tuple[float, float]:
    """Medians of milliseconds by the product and by hand, whose answers must be the same."""
    product_ms_list: list[float] = []
    by_hand_ms_list: list[float] = []
    spent_ms = 0.0
    while len(product_ms_list) < _MIN_ROUNDS or (
        spent_ms < _SECONDS_PER_QUESTION * 1000 and len(product_ms_list) < _MAX_ROUNDS
    ):
        product_ms, answer = sides.ask(question)
        by_hand_ms, by_hand_answer = sides.by_hand(question, sides.span())
        check_same(answer, by_hand_answer, question.name)
        product_ms_list.append(product_ms)
        by_hand_ms_list.append(by_hand_ms)
        spent_ms += product_ms + by_hand_ms
    return statistics.median(product_ms_list), statistics.median(by_hand_ms_list)


def format_ratio(product_ms: float, by_hand_ms: float, *, is_within_limit: bool = True) -> str:
    """Two medians and their ratio, marked where the bar is missed."""
    return (
        f"{product_ms:,.1f} / {by_hand_ms:,.1f} ms = {product_ms / by_hand_ms:.2f} ×{'' if is_within_limit else ' !'}"
    )


def print_table(cells_by_event_count: Mapping[int, Cells]) -> None:
    """One table of all sizes, which have the same lines."""
    table = Table("bar", "what", *(f"{event_count:,} events" for event_count in cells_by_event_count), "limit")
    for line in next(iter(cells_by_event_count.values())):
        bar, what, limit = line
        table.add_row(bar, what, *(cells.get(line, "") for cells in cells_by_event_count.values()), limit)
    Console(width=200).print(table)


def main() -> None:
    """Run everything and print one table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--events", default=_SIZES)
    sizes = [int(size) for size in arguments.parse_args().events.split(",")]
    cells_by_event_count = {}
    for event_count in sizes:
        with tempfile.TemporaryDirectory() as folder:
            cells_by_event_count[event_count] = measure(Path(folder), event_count)
    print_table(cells_by_event_count)


if __name__ == "__main__":
    main()
