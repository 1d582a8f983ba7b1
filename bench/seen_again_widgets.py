"""P14 by widget: the processor time of a question that is asked again after a minute, in one process.

``python -m bench.seen_again_widgets --events 1000000`` prints a table. The events are those of 30 days; as many days
before them have events as well. Each widget is asked without anything kept, for the first time, a minute later, and
after another minute in which 5,000 events a second arrived, now and then without anything kept for comparison. Answers
must be equal. Beside each time are the slices and answers that were used again, and those that were read.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
import uuid
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from rich.console import Console
from rich.table import Table

from bench.history import fill, insert_block
from bench.questions import DASHBOARD, Question
from tallyroom.core.ids import IdGenerator
from tallyroom.core.times import MINUTE_MS
from tallyroom.dashboards.registry import KINDS
from tallyroom.queries import question as questions
from tallyroom.queries.answer import run_query_plan
from tallyroom.queries.config import Result
from tallyroom.queries.kept_answers.kept_answers import KeptAnswers
from tallyroom.queries.time_ranges import resolve_window
from tallyroom.storage.event_store.backend.backend import MAX_RESULT_ROWS, ReadLimits
from tallyroom.storage.event_store.backend.embedded.backend import EmbeddedBackend
from tallyroom.storage.event_store.migrate import migrate
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.event_store.writer import Writer

_DAYS = 60
_KEPT_BYTES = 64_000_000
_EVENTS_PER_SECOND = 5_000
_SECONDS = 60
_LOOKS = ("off", "first", "again", "again, busy", "off, busy")


class Cost(NamedTuple):
    """The processor time of a look in milliseconds, and how many slices and answers were used again and read."""

    processor_ms: float
    hit_count: int
    miss_count: int


class Bench:
    """One store with a history, and the costs of each widget by look."""

    def __init__(self, folder: Path, event_count: int) -> None:
        self._backend = EmbeddedBackend(folder)
        self._writer = Writer(self._backend)
        migrate(self._writer)
        self._scope = Scope(str(uuid.uuid4()), "production")
        fill(self._writer, self._scope.workspace_id, 2 * event_count, _DAYS)
        limits = ReadLimits(seconds=60, memory_bytes=2_000_000_000, max_rows=MAX_RESULT_ROWS)
        self._reader = EventReader(
            self._backend,
            limits,
            connection_count=2,
            slots_per_workspace=2,
            max_waiting_per_workspace=40,
            catch_up_seconds=0,
            has_hidden_events=lambda _: False,
            id_generator=IdGenerator(),
        )
        self._start_ms = time.time_ns() // 1_000_000
        self.costs: dict[tuple[str, str], list[Cost]] = defaultdict(list)
        self.kept_bytes = 0

    async def measure(self, rounds: int) -> None:
        """Look at each widget in turn, first, idle and then beside ingest."""
        nothing_kept = KeptAnswers(self._reader, 0, int)
        now_ms = self._start_ms
        for round_number in range(rounds):
            kept_answers = KeptAnswers(self._reader, _KEPT_BYTES, int)
            now_ms += 1_000
            for widget in DASHBOARD:
                sides = [("off", nothing_kept), ("first", kept_answers)]
                for look, side in sides if round_number % 2 else sides[::-1]:
                    await self._look(widget, look, now_ms, side)
            for widget in DASHBOARD:
                await self._look(widget, "again", now_ms + MINUTE_MS, kept_answers)
        self.kept_bytes = kept_answers.cache.byte_count
        self._ingest(now_ms + MINUTE_MS)
        for widget in DASHBOARD:
            answers = [
                await self._look(widget, look, now_ms + 2 * MINUTE_MS, side)
                for look, side in (("again, busy", kept_answers), ("off, busy", nothing_kept))
            ]
            if answers[0] != answers[1]:
                raise SystemExit(f"{widget.name}: the answers differ")

    def close(self) -> None:
        """Close the store."""
        self._reader.close()
        self._writer.close()

    async def _look(self, widget: Question, look: str, now_ms: int, kept_answers: KeptAnswers) -> bytes:
        kind, cache = KINDS[widget.type], kept_answers.cache
        config = msgspec.convert(widget.config, kind.config)
        question = questions.Question(
            window=resolve_window("30d", now_ms, "UTC", None), now_ms=now_ms, time_range="30d", timezone="UTC"
        )
        hit_count, miss_count = cache.hit_count, cache.miss_count
        started_s = time.process_time()
        query_plan = kind.build_query_plan(config, question)
        result: Result = await run_query_plan(query_plan, self._reader, self._scope, kept_answers=kept_answers)
        processor_ms = (time.process_time() - started_s) * 1000
        cost = Cost(processor_ms, cache.hit_count - hit_count, cache.miss_count - miss_count)
        self.costs[widget.name, look].append(cost)
        return msgspec.json.encode(result)

    def _ingest(self, from_ms: int) -> None:
        event_count = _SECONDS * _EVENTS_PER_SECOND
        for first in range(0, event_count, _EVENTS_PER_SECOND):
            numbers = range(first, first + _EVENTS_PER_SECOND)
            until_ms, span_ms = from_ms + _SECONDS * 1000, _SECONDS * 1000
            insert_block(self._writer, self._scope.workspace_id, numbers, event_count, until_ms, span_ms)
        time.sleep(5)  # so that merges end


def build_table(bench: Bench, event_count: int) -> Table:
    """Return one row for each widget, and one for all."""
    table = Table("widget", *_LOOKS, "again / first", "again, busy / first", title=f"{event_count:,} events in 30 days")
    totals = dict.fromkeys(_LOOKS, 0.0)
    for widget in DASHBOARD:
        cells = []
        medians = {
            look: statistics.median(cost.processor_ms for cost in bench.costs[widget.name, look]) for look in _LOOKS
        }
        for look, median_ms in medians.items():
            totals[look] += median_ms
            _, hit_count, miss_count = bench.costs[widget.name, look][-1]
            cells.append(f"{median_ms:,.1f} ms" + (f" ({hit_count}, {miss_count})" if hit_count + miss_count else ""))
        table.add_row(widget.name, *cells, *_list_ratios(medians))
    table.add_row("all twelve", *(f"{total_ms:,.0f} ms" for total_ms in totals.values()), *_list_ratios(totals))
    return table


def _list_ratios(ms_by_look: dict[str, Any]) -> list[str]:
    return [f"{ms_by_look[look] / ms_by_look['first']:.2f} ×" for look in ("again", "again, busy")]


def main() -> None:
    """Measure and print one table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--events", type=int, default=1_000_000)
    arguments.add_argument("--rounds", type=int, default=5)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), options.events)
        asyncio.run(bench.measure(options.rounds))
        Console(width=200).print(build_table(bench, options.events))
        Console().print(f"kept: {bench.kept_bytes / 1e6:.2f} MB")
        bench.close()


if __name__ == "__main__":
    main()
