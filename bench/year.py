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
from bench.query import Sides
from bench.questions import WIDGETS, Question
from bench.span import DAY_MS
from tallyroom.core.times import iso_ms

_EVENTS = 40_000_000
_DAYS = 400
_SPANS = (7, 30, 90, 365)
_ROUNDS = 5
_ASKED = (
    "metric",
    "metric over time",
    "metric over time, actors",
    "metric by text",
    "metric, sum",
    "funnel of 3",
    "histogram",
    "heatmap",
)
_MOST_GROWTH = 1.25  # of the cost for each million events, from 30 days to 365


def measure(sides: Sides, question: Question, days: int) -> float:
    """The milliseconds of one question about the last days; the window before would be another question."""
    until_ms = time.time_ns() // 1_000_000
    span = {"from": iso_ms(until_ms - days * DAY_MS), "to": iso_ms(until_ms)}
    alone = question._replace(config={**(question.config or {}), "compare": False} if _compares(question) else None)
    asked = alone if alone.config else question
    return statistics.median(sides.ask(asked, span=span)[0] for _ in range(_ROUNDS))


def main() -> None:
    """Fill a store, ask, and print one table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--events", type=int, default=_EVENTS)
    events = arguments.parse_args().events
    table = Table("what", *(f"{days} days" for days in _SPANS), "for each million events, 365 days beside 30", "limit")
    with tempfile.TemporaryDirectory() as folder:
        account = make_history(Path(folder), events, _DAYS)
        sql_port = free_port()
        product = Product(Path(folder), account, "bench.beside", BENCH_SQL_PORT=str(sql_port))
        sides = Sides(product, sql_port)
        for question in (each for each in WIDGETS if each.name in _ASKED):
            ms = {days: measure(sides, question, days) for days in _SPANS}
            growth = (ms[365] / 365) / (ms[30] / 30)
            held = "" if growth <= _MOST_GROWTH else " !"
            shown = (f"{each:,.0f} ms" for each in ms.values())
            table.add_row(question.name, *shown, f"{growth:.2f} ×{held}", f"≤ {_MOST_GROWTH} ×")
        product.stop()
    Console(width=200).print(table)


def _compares(question: Question) -> bool:
    return question.type == "metric" and not (question.config or {}).get("overTime")


if __name__ == "__main__":
    main()
