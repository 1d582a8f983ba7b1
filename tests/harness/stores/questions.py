"""Questions to the engine over events that a test makes up, and what the plain-Python oracles share."""

import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import msgspec

from harness.stores.event_store import NOW_MS, EventStore, event
from tallyroom.core.ranges import RANGE_DURATION_MS, RollingRange, TimeRange
from tallyroom.queries.answer import run_query_plan
from tallyroom.queries.filters import Filter
from tallyroom.queries.kept_answers.kept_answers import KeptAnswers
from tallyroom.queries.kind import QuestionKind
from tallyroom.queries.query_plan import Query
from tallyroom.queries.question import ChosenInterval, Comparison, Question
from tallyroom.queries.time_ranges import resolve_window
from tallyroom.queries.workspace_windows import WindowResolver
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.spool.row import SpoolRow

SNAPSHOTS = Path(__file__).parents[2] / "dashboards" / "kinds" / "sql"

_seqs = itertools.count(1)


@dataclass(frozen=True)
class Happened:
    """One event, as a client sent it and as an oracle reads it.

    Attributes:
        at_ms: its timestamp.
        late_ms: how much later than the fixed time of the tests it was received; breaks ties of timestamps.
        seq: its sequence number; breaks ties of both.
    """

    name: str
    at_ms: int = NOW_MS
    actor: str = ""
    properties: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""
    source: str = ""
    late_ms: int = 0
    seq: int = field(default_factory=lambda: next(_seqs))

    @property
    def order(self) -> tuple[int, int, int]:
        """Where it stands among the events (rules/events#order-of-events)."""
        return self.at_ms, self.late_ms, self.seq

    @property
    def text(self) -> bytes:
        """Its properties as JSON."""
        return json.dumps(self.properties, ensure_ascii=False).encode()


def in_window(events: Iterable[Happened], time_range: RollingRange, until_ms: int = NOW_MS) -> list[Happened]:
    """The events of ``[until - R, until]``, in their order."""
    from_ms = until_ms - RANGE_DURATION_MS[time_range]
    return sorted((each for each in events if from_ms <= each.at_ms <= until_ms), key=lambda each: each.order)


def insert(store: EventStore, scope: Scope, events: Iterable[Happened]) -> None:
    """Put events into the store."""
    insert_each(store, [(scope, events)])


def insert_each(store: EventStore, cases: Iterable[tuple[Scope, Iterable[Happened]]]) -> None:
    """Put the events of several workspaces into the store at once: that costs hardly more than those of one."""
    store.insert([_row(scope, each) for scope, events in cases for each in events])


def _row(scope: Scope, happened: Happened) -> SpoolRow:
    return event(
        scope,
        happened.name,
        actor=happened.actor,
        label=happened.label,
        source=happened.source,
        properties=happened.text,
        timestamp_ms=happened.at_ms,
        received_ms=NOW_MS + happened.late_ms,
        seq=happened.seq,
    )


def question(  # as many as a question has sides
    time_range: TimeRange = "7d",
    *,
    until_ms: int = NOW_MS,
    timezone: str = "UTC",
    group_key: str | None = None,
    filters: Sequence[Mapping[str, Any]] = (),
    first_ms: int | None = None,
    interval: ChosenInterval | None = None,
    compare: Any = None,
) -> Question:
    """A question that is asked at the fixed time of the tests, as a request would bring it."""
    return Question(
        window=resolve_window(time_range, until_ms, timezone, first_ms),
        now_ms=until_ms,
        time_range=time_range,
        timezone=timezone,
        group_key=group_key,
        filters=msgspec.convert(list(filters), tuple[Filter, ...]),
        interval=interval,
        comparison=None if compare is None else msgspec.convert(compare, Comparison),
    )


def rolling_windows(store: EventStore) -> WindowResolver:
    """Finds windows for time ranges that need no time zone, and therefore no metadata."""
    return WindowResolver(store.reader, cast("Database", None))


async def ask(
    store: EventStore,
    scope: Scope,
    kind: QuestionKind[Any],
    config: Mapping[str, Any],
    asked: Question,
    kept_answers: KeptAnswers | None = None,
) -> Any:
    """The answer as a client reads it, without the time at which it held."""
    query_plan = kind.build_query_plan(checked(kind, config), asked)
    result = await run_query_plan(query_plan, store.reader, scope, kept_answers=kept_answers)
    answer = json.loads(msgspec.json.encode(result))
    del answer["computedAt"]
    return answer


def checked(kind: QuestionKind[Any], config: Mapping[str, Any]) -> Any:
    """A config as a request would bring it, checked."""
    read = msgspec.json.decode(json.dumps(config).encode(), type=kind.config)
    kind.check_config(read, ["config"])
    return read


def assert_sql(
    name: str, kind: QuestionKind[Any], config: Mapping[str, Any], asked: Question, *answers: list[Any]
) -> None:
    """The queries of a query plan are those that stand in ``tests/queries/kinds/sql/<name>.sql``.

    Args:
        name: of the file; one that is missing is written, to be read before it is kept.
        kind: whose query plan it is.
        config: as a request would bring it.
        asked: the question.
        answers: the rows to answer each query but the last with, when it asks several.
    """
    query_plan = kind.build_query_plan(checked(kind, config), asked)
    steps = [next(query_plan), *(query_plan.send(rows) for rows in answers)]
    asks = [step for step in steps if isinstance(step, Query)]
    text = "\n\n".join(f"{query.sql}\n\n{_listed(query.parameters)}" for query in asks) + "\n"
    path = SNAPSHOTS / f"{name}.sql"
    if not path.exists():
        path.write_text(text)
        raise AssertionError(f"{path} is new: read it, and run the test again")
    assert text == path.read_text()


def _listed(parameters: Mapping[str, Any]) -> str:
    return "\n".join(f"-- {name} = {json.dumps(value, ensure_ascii=False)}" for name, value in parameters.items())
