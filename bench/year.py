"""P3 at length: what a question costs by the length of its span, in a store with a year of events.

``python -m bench.year`` takes about a quarter of an hour, most of it to write 40 million events; ``--events`` chooses
how many. The store has 400 days of events, evenly. Each span ends now, and has so many events for each day; so what a
question costs for each million events of its span should be the same for a month and for a year, and no more than it
costs a week, which has the work of any question besides. Beside questions over time, the same SQL by hand is asked in
turns, so that one can see whether a growth is the engine's.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench import by_hand
from bench.history import make_history
from bench.process import free_port
from bench.product import Product
from bench.query import QuestionSides
from bench.questions import WIDGETS, Question
from bench.span import DAY_MS, Span
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
_MAX_DAYS_BY_DAY = 200  # longer spans are shown by week
_MEASURES_OVER_TIME = {"metric over time": "count()", "metric over time, actors": "uniqExact(actor)"}


def measure(sides: QuestionSides, question: Question, days: int) -> tuple[float, float]:
    """The milliseconds of one question about the last days, and by hand, 0 if it is not asked so.

    The window before would be another question.
    """
    until_ms = time.time_ns() // 1_000_000
    from_ms = until_ms - days * DAY_MS
    span = {"from": iso_ms(from_ms), "to": iso_ms(until_ms)}
    question_without_compare = question._replace(
        config={**(question.config or {}), "compare": False} if _compares(question) else None
    )
    asked_question = question_without_compare if question_without_compare.config else question
    hand_span = Span(sides.workspace_id, "production", from_ms, until_ms)
    hand_question = _build_hand_question(question, days)
    rounds = [
        (sides.ask(asked_question, span=span)[0], sides.by_hand(hand_question, hand_span)[0] if hand_question else 0.0)
        for _ in range(_ROUNDS)
    ]
    product_ms, by_hand_ms = (statistics.median(side) for side in zip(*rounds, strict=True))
    return product_ms, by_hand_ms


def _build_hand_question(question: Question, days: int) -> Question | None:
    measure_sql = _MEASURES_OVER_TIME.get(question.name)
    if measure_sql is None:
        return None
    by_interval = by_hand.by_day if days <= _MAX_DAYS_BY_DAY else by_hand.by_week
    return question._replace(by_hand=by_interval(measure_sql))


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
            both_ms_by_days = {days: measure(sides, question, days) for days in _SPANS}
            product_ms_by_days, hand_ms_by_days = (
                {days: both_ms[side] for days, both_ms in both_ms_by_days.items()} for side in range(2)
            )
            _add_row(table, question.name, product_ms_by_days, f"≤ {_MAX_GROWTH} ×")
            if all(hand_ms_by_days.values()):
                _add_row(table, f"{question.name}, by hand", hand_ms_by_days, "")
        product.stop()
    Console(width=200).print(table)


def _add_row(table: Table, name: str, ms_by_days: dict[int, float], limit: str) -> None:
    growth = (ms_by_days[365] / 365) / (ms_by_days[30] / 30)
    mark = " !" if limit and growth > _MAX_GROWTH else ""
    ms_cells = (f"{ms:,.0f} ms" for ms in ms_by_days.values())
    table.add_row(name, *ms_cells, f"{growth:.2f} ×{mark}", limit)


def _compares(question: Question) -> bool:
    return question.type == "metric" and not (question.config or {}).get("overTime")


if __name__ == "__main__":
    main()
