"""What a fill of property columns costs others: how long they wait meanwhile, beside the same on an idle server.

The server gives four properties their columns at once, as after many questions, and fills them month by month.
"""

import time
from pathlib import Path
from typing import NamedTuple

from bench import events, load
from bench.process import free_port
from bench.product import Account, Product
from bench.query import QuestionSides
from bench.questions import Question
from bench.wide_history import make_wide_history, note_reads
from tallyroom.storage.event_store.column_fill import IS_FILL_SQL

_EVENTS_PER_SECOND = 500
_BATCH = 10
_CONNECTIONS = 4
_SECONDS = 10.0
_PATIENCE_SECONDS = 180
_COUNT_FILLS = f"SELECT count() AS fills FROM system.mutations WHERE NOT is_done AND {IS_FILL_SQL}"


class Waits(NamedTuple):
    """How long others wait in ms: acknowledgements at the 99th percentile, and the slowest of the answers.

    `filling_count` of the `answer_count` questions began while a fill was under way.
    """

    ack_ms: float
    answer_ms: float
    answer_count: int
    filling_count: int


def measure_fill(folder: Path, event_count: int, question: Question) -> tuple[Waits, Waits]:
    """The waits on an idle server, and while columns are filled."""
    account = make_wide_history(folder, event_count)
    sides = _serve(folder, account, column_count=0)
    idle_waits = _measure_waits(sides, question)
    sides.product.stop()
    note_reads(folder)
    sides = _serve(folder, account, column_count=64)
    _wait_for_fill(sides)
    filling_waits = _measure_waits(sides, question)
    sides.product.stop()
    return idle_waits, filling_waits


class _Sides(NamedTuple):
    product: Product
    questions: QuestionSides

    def has_fill(self) -> bool:
        _, [row] = self.questions.sql(_COUNT_FILLS)
        return int(row["fills"]) > 0


def _serve(folder: Path, account: Account, column_count: int) -> _Sides:
    sql_port = free_port()
    settings = {"BENCH_SQL_PORT": str(sql_port), "TALLYROOM_PROPERTY_COLUMNS": str(column_count)}
    product = Product(folder, account, "bench.beside", **settings)
    return _Sides(product, QuestionSides(product, sql_port))


def _wait_for_fill(sides: _Sides) -> None:
    deadline = time.perf_counter() + _PATIENCE_SECONDS
    while not sides.has_fill():
        if time.perf_counter() > deadline:
            raise SystemExit("no fill began")
        time.sleep(0.05)


def _measure_waits(sides: _Sides, question: Question) -> Waits:
    requests = sides.product.build_requests(events.build_batch_bodies(400, _BATCH), _BATCH)
    generator = load.start(
        sides.product.port, requests, connections=_CONNECTIONS, seconds=_SECONDS, rate=_EVENTS_PER_SECOND
    )
    answer_ms_list, filling_list = [], []
    while generator.poll() is None:
        filling_list.append(sides.has_fill())
        answer_ms_list.append(sides.questions.ask(question)[0])
    report = load.finish(generator)
    sides.product.wait_until_drained()
    return Waits(report.p99_ms, max(answer_ms_list), len(answer_ms_list), sum(filling_list))
