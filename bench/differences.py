"""P3 of differences: what is different about a number, by the product and by hand, idle and beside ingest.

``python -m bench.differences --events 1000000`` measures one size of the store. The product also waits for the events
that were accepted before the question; SQL by hand does not.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random

from bench.busy import start_ingest
from bench.events import Event, build_program_event
from bench.history import make_history
from bench.query import Cells, QuestionSides, Refused, format_ratio, measure_alternately, print_table, start_product
from bench.questions import DIFFERENCES, DIFFERENCES_OF_MANY, Question

_SIZES = "1000000,10000000"
_MILLION = 1_000_000
_MAX_MS = 300
_INGEST_SECONDS = 60.0


def measure(folder: Path, event_count: int) -> Cells:
    """All bars at one size."""
    product, sides = start_product(folder, make_history(folder, event_count))
    questions = [*DIFFERENCES, DIFFERENCES_OF_MANY]
    is_big = event_count >= 10 * _MILLION
    cells = _measure_ratios(sides, questions, "", is_big=is_big)
    if event_count <= _MILLION:
        product_ms, _ = measure_alternately(sides, DIFFERENCES_OF_MANY)
        mark = "" if product_ms <= _MAX_MS else " !"
        cells["P3", f"{DIFFERENCES_OF_MANY.name}, at 1 M", f"≤ {_MAX_MS} ms"] = f"{product_ms:,.0f} ms{mark}"
    generator = start_ingest(product, _INGEST_SECONDS, _build_other_event)
    cells |= _measure_ratios(sides, questions, ", beside ingest", is_big=is_big)
    generator.terminate()
    generator.wait()
    product.stop()
    return cells


def _build_other_event(source: Random) -> Event:
    """An event of a program with a name that no question counts."""
    return build_program_event(source) | {"name": "beside"}


def _measure_ratios(sides: QuestionSides, questions: Sequence[Question], circumstance: str, *, is_big: bool) -> Cells:
    cells: Cells = {}
    for question in questions:
        try:
            product_ms, by_hand_ms = measure_alternately(sides, question)
        except Refused as refused:
            print(refused, file=sys.stderr)
            cell = "refused !"
        else:
            is_within_limit = product_ms <= 1.15 * by_hand_ms or not is_big
            cell = format_ratio(product_ms, by_hand_ms, is_within_limit=is_within_limit)
        cells["P3", f"{question.name}{circumstance}", "≤ 1.15 × at 10 M"] = cell
    return cells


def main() -> None:
    """Measure each size and print one table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--events", default=_SIZES)
    cells_by_event_count = {}
    for event_count in map(int, arguments.parse_args().events.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            cells_by_event_count[event_count] = measure(Path(folder), event_count)
    print_table(cells_by_event_count)


if __name__ == "__main__":
    main()
