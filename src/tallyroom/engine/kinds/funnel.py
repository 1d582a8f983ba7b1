"""Funnel: how many units go from step to step, and how long each step takes them (rules/questions#funnel).

The query sorts the events of each unit. It encodes each event as one integer: the moment, then the tie-breakers, then,
in the lowest eight bits, the steps that the event matches. For each step, an array as long as the unit's events records
which of them end a chain of that many steps, and when the next step's window opened. Among several chains, the one
whose window opened last is the best for all later steps. Looking back at the latest one is therefore enough, and the
answer is exact.

Ties are rare, and breaking them means reading three more columns. So the first query orders by the moment alone, and
reports whether two events of one unit at the same moment match different steps. Only then does a second query order by
arrival as well.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from tallyroom.core.times import HOUR_MS
from tallyroom.engine.bound import Bound
from tallyroom.engine.chosen_events import EventsChoice, check_events, named, title_of
from tallyroom.engine.config import Result, SegmentedConfig
from tallyroom.engine.filters import Filters, check_filters, conditions
from tallyroom.engine.kind import Kind, Path, as_it_is
from tallyroom.engine.query_plan import QueryPlan, rows, scoped_where
from tallyroom.engine.question import Question
from tallyroom.engine.units import Count, unit_of

MAX_STEPS = 8


class Step(EventsChoice, frozen=True, kw_only=True):
    """One step: its events, and what they have to match."""

    filters: Filters = ()


class FunnelConfig(SegmentedConfig, frozen=True, kw_only=True, rename="camel"):
    """The steps in their order.

    Attributes:
        steps: each takes an event of its own.
        window_hours: how long a step may take, or the whole chain.
        window_from: since when that is counted: the previous step's event or the chain's first.
        count: what goes through the funnel.
    """

    steps: Annotated[tuple[Step, ...], Meta(min_length=2, max_length=MAX_STEPS)]
    window_hours: Annotated[int, Meta(ge=1, le=720)] = 168
    window_from: Literal["previous", "first"] = "previous"
    count: Count = "actor"


class FunnelStep(msgspec.Struct, kw_only=True, rename="camel"):
    """How far a funnel got.

    Attributes:
        event: of the step.
        count: units that reached it.
        rate: fraction of those that reached the first step; 0 when nobody did.
        step_rate: fraction of those that reached the step before, 0 when nobody did; 1 for the first step.
        median_seconds_from_previous: half of the units took less from the step before, the first time that they came
            here; None for the first step and where nobody came.
    """

    event: str
    count: int
    rate: float
    step_rate: float
    median_seconds_from_previous: float | None


class Funnel(Result, tag="funnel", kw_only=True):
    """The steps; `count` is what was really counted."""

    count: Count
    steps: list[FunnelStep]


class _Passed(msgspec.Struct):
    units: list[int]
    medians: list[float | None]
    undecided: int


class _Order(msgspec.Struct, frozen=True):
    """The encoding of an event and its position among the others as one integer.

    Attributes:
        place: SQL of the integer, computed from the event's `moment`, its tie-breakers if any, and `steps`.
        shift: the lowest bit of the moment.
    """

    place: str
    shift: int


_BY_MOMENT = _Order("bitShiftLeft(moment, 8) + steps", 8)
_BY_ARRIVAL = _Order(
    "bitShiftLeft(toUInt256(moment), 152) + bitShiftLeft(toUInt256(toUnixTimestamp64Milli(received_at)), 104)"
    " + bitShiftLeft(toUInt128(spool), 72) + bitShiftLeft(toUInt128(seq), 8) + steps",
    152,
)


def check(config: FunnelConfig, path: Path) -> None:
    """Refuse steps without events, and filters whose values do not fit their operators."""
    for index, step in enumerate(config.steps):
        check_events(step, [*path, "steps", index])
        check_filters(step.filters, [*path, "steps", index, "filters"])


def query_plan(config: FunnelConfig, question: Question) -> QueryPlan[Funnel]:
    """Make one pass over the events of the steps, and a second one if their order depends on their arrival."""
    bound = Bound()
    unit = unit_of(config.count, question, bound)
    [passed] = yield from rows(_sql(config, question, bound, _BY_MOMENT), bound, _Passed)
    if passed.undecided:
        [passed] = yield from rows(_sql(config, question, bound, _BY_ARRIVAL), bound, _Passed)
    return Funnel(count=unit.count, steps=_steps(config, passed))


def _steps(config: FunnelConfig, passed: _Passed) -> list[FunnelStep]:
    step_rates = [1.0, *(_fraction(units, before) for before, units in pairwise(passed.units))]
    medians = [None, *(median and median / 1000 for median in passed.medians)]
    return [
        FunnelStep(
            event=title_of(step),
            count=units,
            rate=_fraction(units, passed.units[0]),
            step_rate=step_rate,
            median_seconds_from_previous=median,
        )
        for step, units, step_rate, median in zip(config.steps, passed.units, step_rates, medians, strict=True)
    ]


def _fraction(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _sql(config: FunnelConfig, question: Question, bound: Bound, order: _Order) -> str:
    """Return the funnel's SQL, with the events in one `order`.

    Each unit has these columns, the last three of them for each step:

    - ``places`` are its events in order; ``moments`` and ``matches`` are decoded from them.
    - ``open_1`` has one entry for each event: 0 if the event ends no chain of one step, otherwise the moment at which
      the window for the next step opened, which is the moment of this event or of the chain's first event.
    - ``reached_1`` is the index of the first event that ends such a chain; 0 if there is none.
    - ``took_2`` is the time in milliseconds from the latest event that ended a chain of one step to the event that
      reached step 2.
    """
    steps = range(1, len(config.steps) + 1)
    units = ", ".join(f"countIf(reached_{step} > 0)" for step in steps)
    medians = ", ".join(f"quantileExactInclusiveOrNullIf(0.5)(took_{step}, reached_{step} > 0)" for step in steps[1:])
    tied = f"place != before AND bitShiftRight(bitXor(place, before), {order.shift}) = 0"
    return f"""
SELECT
  [{units}] AS units,
  [{medians}] AS medians,
  countIf(arrayExists((place, before) -> {tied}, places, arrayShiftRight(places, 1))) AS undecided
FROM (
  SELECT
    places, moments,
    {_lines(_reached(steps), 4)}
  FROM (
    SELECT
      arraySort(groupArray({order.place})) AS places,
      arrayMap(place -> toUInt64(bitShiftRight(place, {order.shift})), places) AS moments,
      arrayMap(place -> toUInt8(place), places) AS matches,
      {_lines(_chains(config, bound), 6)}
    FROM (
      {_matching(config, question, bound)}
    )
    GROUP BY unit
  )
)"""


def _reached(steps: Sequence[int]) -> list[str]:
    """Return ``reached_1`` and so on, and ``took_2`` and so on."""
    reached = [f"arrayFirstIndex(opened -> opened > 0, open_{step}) AS reached_{step}" for step in steps]
    took = [
        f"moments[reached_{step}] - moments[arrayLastIndex(opened -> opened > 0,"
        f" arraySlice(open_{step - 1}, 1, reached_{step} - 1))] AS took_{step}"
        for step in steps[1:]
    ]
    return reached + took


def _lines(columns: list[str], indent: int) -> str:
    return f",\n{' ' * indent}".join(columns)


def _chains(config: FunnelConfig, bound: Bound) -> list[str]:
    """Return ``open_1`` and so on. Each event looks back at the latest one that ended a chain one step shorter.

    If there is none, it sees 0, and every moment is more than a whole window later than that.
    """
    window = bound.integer("window_ms", _window_ms(config))
    opens = "moment" if config.window_from == "previous" else "since"
    chains = ["arrayMap((match, moment) -> if(bitTest(match, 0), moment, 0), matches, moments) AS open_1"]
    for step in range(2, len(config.steps) + 1):
        follows = f"bitTest(match, {step - 1}) AND moment - since <= {window}"
        latest = f"arrayShiftRight(arrayFill(opened -> opened > 0, open_{step - 1}), 1)"
        chain = f"(match, moment, since) -> if({follows}, {opens}, 0)"
        chains.append(f"arrayMap({chain}, matches, moments, {latest}) AS open_{step}")
    return chains


def _window_ms(config: FunnelConfig) -> int:
    return config.window_hours * HOUR_MS


def _matching(config: FunnelConfig, question: Question, bound: Bound) -> str:
    """Return SQL for the events that match at least one step, with the columns that their order needs."""
    unit = unit_of(config.count, question, bound)
    steps = [
        " AND ".join([*named(step, bound, "step"), *conditions(step.filters, bound)]) or "1" for step in config.steps
    ]
    bits = " + ".join(f"{1 << index} * ({step})" for index, step in enumerate(steps))
    origin = bound.integer("origin_ms", question.window.from_ms - _window_ms(config) - 1)
    where = scoped_where(
        f"({' OR '.join(steps)})",
        question.window.condition(bound),
        unit.present,
        *conditions(question.filters, bound),
    )
    return f"""SELECT
        {unit.sql} AS unit,
        toUInt64(toUnixTimestamp64Milli(timestamp) - {origin}) AS moment,
        {bits} AS steps,
        received_at, spool, seq
      FROM events
      {where}"""


FUNNEL = Kind(
    name="funnel",
    config=FunnelConfig,
    results=(Funnel,),
    check=check,
    query_plan=query_plan,
    published=as_it_is,
)
