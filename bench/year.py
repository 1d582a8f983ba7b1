"""P3 at length: what a question costs by the length of its span, in a store with a year of events.

``python -m bench.year`` takes about a quarter of an hour, most of it to write 40 million events; ``--events`` chooses
how many. The store has 400 days of events, evenly. Each span ends now, and has so many events for each day; so what a
question costs for each million events of its span should be the same for a month and for a year, and no more than it
costs a week, which has the work of any question besides.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.history import make_history
from bench.process import free_port
from bench.product import Product
from bench.query import QuestionSides
from bench.questions import WIDGETS, Question
from bench.span import DAY_MS
from tallyroom.core.times import iso_ms

_EVENTS = 40_000_000
_DAYS = 400
_SPANS = (7, 30, 90, 365)
_ROUNDS = 5
_ASKED_NAMES = (
    "metric",
    "metric over time",
    "metric over time, actors",
    "metric by text",
    "metric, sum",
    "funnel of 3",
    "histogram",
    "heatmap",
)
_MAX_GROWTH = 1.25  # of the cost for each million events, from 30 days to 365


def measure(sides: QuestionSides, question: Question, days: int) -> float:
    """The milliseconds of one question about the last days; the window before would be another question."""
    until_ms = time.time_ns() // 1_000_000
    span = {"from": iso_ms(until_ms - days * DAY_MS), "to": iso_ms(until_ms)}
    question_without_compare = question._replace(
        config={**(question.config or {}), "compare": False} if _compares(question) else None
    )
    asked_question = question_without_compare if question_without_compare.config else question
    return statistics.median(sides.ask(asked_question, span=span)[0] for _ in range(_ROUNDS))


def main() -> None:
    """Fill a store, ask, and print one table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--events", type=int, default=_EVENTS)
    event_count = arguments.parse_args().events
    table = Table("what", *(f"{days} days" for days in _SPANS), "for each million events, 365 days beside 30", "limit")
    with tempfile.TemporaryDirectory() as folder:
        account = make_history(Path(folder), event_count, _DAYS)
        sql_port = free_port()
        product = Product(Path(folder), account, "bench.beside", BENCH_SQL_PORT=str(sql_port))
        sides = QuestionSides(product, sql_port)
        for question in (widget for widget in WIDGETS if widget.name in _ASKED_NAMES):
            ms_by_days = {days: measure(sides, question, days) for days in _SPANS}
            growth = (ms_by_days[365] / 365) / (ms_by_days[30] / 30)
            mark = "" if growth <= _MAX_GROWTH else " !"
            ms_cells = (f"{ms:,.0f} ms" for ms in ms_by_days.values())
            table.add_row(question.name, *ms_cells, f"{growth:.2f} ×{mark}", f"≤ {_MAX_GROWTH} ×")
        product.stop()
    Console(width=200).print(table)


def _compares(question: Question) -> bool:
    return question.type == "metric" and not (question.config or {}).get("overTime")


if __name__ == "__main__":
    main()
