"""P13: questions that read a property, with property columns, without any, and by hand on a table with such columns.

``python -m bench.property_columns`` takes about five minutes for a million events; ``--events`` chooses the sizes. The
server with columns and the one without have copies of the same data. Every answer is compared with the other two.
``--fill`` measures instead what a fill of columns costs others, with the last of the sizes (bench/fill_cost.py).
"""

import argparse
import shutil
import statistics
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from bench import by_hand
from bench.column_cost import COLUMN_COUNTS, measure_column_cost
from bench.compare import check_same
from bench.engine import stored_bytes
from bench.fill_cost import Waits, measure_fill
from bench.process import free_port
from bench.product import Account, Product
from bench.query import QuestionSides
from bench.questions import Question
from bench.span import HandQuestion
from bench.wide_history import by_hand_column, make_columns, make_wide_history
from tallyroom.core.data_directory import STORE_FOLDER

_SIZES = "1000000,10000000"
_ROUNDS = 7
_COST_ROWS = 100_000
_EVENT = {"event": "event_0"}
_COUNT = _EVENT | {"measure": "count"}
_PRO = [{"key": "plan", "op": "eq", "value": "pro"}]
_FUNNEL_STEPS = [{"event": f"event_{step}", "filters": _PRO} for step in range(3)]
_CENTS = f"toInt64(round({by_hand_column('amount')} * 100))"
_OF_PRO = f"name = 'event_0' AND {by_hand_column('plan')} = 'pro'"
_OF_PRO_STEPS = f"{by_hand_column('plan')} = 'pro'"
_MAX_BESIDE_HAND = 1.15
_MAX_WHILE_FILLING = 2.0
_FEW, _SOME = 0.2, 0.4  # the largest parts of what the maps take


class ColumnQuestion(NamedTuple):
    """A question, and the largest part that it may take of what it takes on the maps."""

    question: Question
    max_ratio: float | None


def _question(
    name: str, by_hand_: HandQuestion, max_ratio: float | None, type_: str = "metric", **config: Any
) -> ColumnQuestion:
    return ColumnQuestion(Question(name, "/v1/query", by_hand_, type_, config), max_ratio)


QUESTIONS = (
    _question("breakdown by text", by_hand.by_label(by_hand_column("plan")), _FEW, **_COUNT, breakdown="plan"),
    _question("breakdown by many texts", by_hand.by_label(by_hand_column("page")), _FEW, **_COUNT, breakdown="page"),
    _question(
        "breakdown by number",
        by_hand.by_label(f"toString({by_hand_column('items')})"),
        _FEW,
        **_COUNT,
        breakdown="items",
    ),
    _question("filter eq", by_hand.counter("count()", _OF_PRO), _FEW, **_COUNT, filters=_PRO),
    _question("sum", by_hand.counter(f"sum({_CENTS}) / 100"), _SOME, **_EVENT, measure="sum", property="amount"),
    _question("avg", by_hand.counter(f"avg({_CENTS}) / 100"), _SOME, **_EVENT, measure="avg", property="amount"),
    _question(
        "p95",
        by_hand.counter(f"quantileExactInclusive(0.95)({by_hand_column('ms')})"),
        _SOME,
        **_EVENT,
        measure="p95",
        property="ms",
    ),
    _question(
        "funnel of 3 with a filter",
        by_hand.funnel("actor", condition=_OF_PRO_STEPS),
        None,
        "funnel",
        steps=_FUNNEL_STEPS,
    ),
    _question(
        "uniq of ids",
        by_hand.counter(f"uniqExact({by_hand_column('session')})"),
        None,
        **_EVENT,
        measure="uniq",
        property="session",
    ),
)


def measure(folder: Path, event_count: int) -> dict[tuple[str, str], str]:
    """The cells of one size, by what is measured and its limit."""
    maps_folder, columns_folder = folder / "maps", folder / "columns"
    account = make_wide_history(maps_folder, event_count)
    shutil.copytree(maps_folder, columns_folder, symlinks=True)  # the engine has some of its own
    make_columns(columns_folder)
    maps_sides = _open_sides(maps_folder, account, "0")
    columns_sides = _open_sides(columns_folder, account, "64")
    cells = {}
    for question, max_ratio in QUESTIONS:
        pairs = [_ask(maps_sides, columns_sides, question) for _ in range(_ROUNDS)]
        maps_ms, columns_ms, by_hand_ms = (statistics.median(side) for side in zip(*pairs, strict=True))
        limit = "" if max_ratio is None else f"≤ {max_ratio} ×"
        cells[f"{question.name}, beside the maps", limit] = _format(columns_ms, maps_ms, max_ratio)
        cells[f"{question.name}, beside SQL by hand", f"≤ {_MAX_BESIDE_HAND} ×"] = _format(
            columns_ms, by_hand_ms, _MAX_BESIDE_HAND
        )
    for sides in (maps_sides, columns_sides):
        sides.product.stop()
    without, with_columns = (stored_bytes(path / STORE_FOLDER) / event_count for path in (maps_folder, columns_folder))
    cells["bytes a row, ten columns twice beside none", ""] = f"{with_columns:.1f} / {without:.1f}"
    return cells


class _Sides(NamedTuple):
    product: Product
    sides: QuestionSides


def _open_sides(folder: Path, account: Account, column_count: str) -> _Sides:
    sql_port = free_port()
    product = Product(
        folder,
        account,
        "bench.beside",
        BENCH_SQL_PORT=str(sql_port),
        TALLYROOM_PROPERTY_COLUMNS=column_count,
        TALLYROOM_PROPERTY_COLUMN_MIN_BYTES="0",
    )
    return _Sides(product, QuestionSides(product, sql_port))


def _ask(maps_sides: _Sides, columns_sides: _Sides, question: Question) -> tuple[float, float, float]:
    """Milliseconds on the maps, on columns, and by hand."""
    maps_ms, maps_answer = maps_sides.sides.ask(question)
    columns_ms, columns_answer = columns_sides.sides.ask(question)
    by_hand_ms, by_hand_answer = columns_sides.sides.by_hand(question, columns_sides.sides.span())
    check_same(maps_answer, by_hand_answer, question.name)
    check_same(columns_answer, by_hand_answer, question.name)
    return maps_ms, columns_ms, by_hand_ms


def _format(ms: float, other_ms: float, max_ratio: float | None) -> str:
    is_missed = max_ratio is not None and ms > max_ratio * other_ms
    return f"{ms:,.1f} / {other_ms:,.1f} ms = {ms / other_ms:.2f} ×{' !' if is_missed else ''}"


def describe_costs(folder: Path, row_count: int) -> list[tuple[str, str, str]]:
    """Lines of what is measured, the figure, and its limit."""
    without, *others = measure_column_cost(folder, row_count)
    lines = [("insert by the engine alone, no columns", f"{without.rows_per_second:,.0f} rows/s", "")]
    lines += [
        (
            f"insert with {cost.column_count} columns, beside none",
            f"{cost.rows_per_second / without.rows_per_second:.2f} ×",
            "≥ 0.95 ×" if cost.column_count == COLUMN_COUNTS[1] else "",
        )
        for cost in others
    ]
    lines += [("bytes a row on disk, no columns", f"{without.bytes_per_row:.1f}", "")]
    lines += [
        (
            f"bytes a row with {cost.column_count} columns",
            f"{cost.bytes_per_row:.1f} = {cost.bytes_per_row / without.bytes_per_row:.2f} ×",
            "≤ 1.15 ×" if cost.column_count == COLUMN_COUNTS[1] else "",
        )
        for cost in others
    ]
    return lines


def describe_fill(idle_waits: Waits, filling_waits: Waits) -> list[tuple[str, str, str]]:
    """Lines of what is measured, the figure, and its limit."""
    return [
        (
            "acknowledgement p99 while columns are filled, beside idle",
            _format(filling_waits.ack_ms, idle_waits.ack_ms, _MAX_WHILE_FILLING),
            f"≤ {_MAX_WHILE_FILLING} ×",
        ),
        ("slowest filter on the maps, likewise", _format(filling_waits.answer_ms, idle_waits.answer_ms, None), ""),
        ("how many filters, idle; in all, and during a fill", _count_answers(idle_waits, filling_waits), ""),
    ]


def _count_answers(idle_waits: Waits, filling_waits: Waits) -> str:
    return f"{idle_waits.answer_count}; {filling_waits.answer_count}, {filling_waits.filling_count}"


def _in_scratch_folder(work: Callable[[Path, int], Any], count: int) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        return work(Path(folder), count)


def _print_fill(waits: tuple[Waits, Waits]) -> None:
    table = Table("bar", "what", "figure", "limit")
    for line in describe_fill(*waits):
        table.add_row("P13", *line)
    Console(width=200).print(table)


def main() -> None:
    """Measure everything and print two tables."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--events", default=_SIZES)
    arguments.add_argument("--fill", action="store_true")
    options = arguments.parse_args()
    sizes = [int(size) for size in options.events.split(",")]
    if options.fill:
        filter_question = next(question for question, _ in QUESTIONS if question.name == "filter eq")
        _print_fill(_in_scratch_folder(partial(measure_fill, question=filter_question), sizes[-1]))
        return
    cells_by_event_count = {size: _in_scratch_folder(measure, size) for size in sizes}
    table = Table("bar", "what", *(f"{size:,} events" for size in sizes), "limit")
    for what, limit in cells_by_event_count[sizes[0]]:
        table.add_row("P13", what, *(cells_by_event_count[size][what, limit] for size in sizes), limit)
    Console(width=200).print(table)
    cost_table = Table("bar", "what", "figure", "limit")
    for line in _in_scratch_folder(describe_costs, _COST_ROWS):
        cost_table.add_row("P13", *line)
    Console(width=200).print(cost_table)


if __name__ == "__main__":
    main()
