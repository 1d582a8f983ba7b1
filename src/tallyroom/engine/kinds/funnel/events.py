"""The SQL for the events that a funnel looks at, with the columns that their order needs."""

from collections.abc import Sequence
from textwrap import indent

import msgspec

from tallyroom.core.times import HOUR_MS
from tallyroom.engine.bound import Bound
from tallyroom.engine.chosen_events import named
from tallyroom.engine.evidence import AT_MS
from tallyroom.engine.filters import conditions
from tallyroom.engine.keys import OwnField, labels, read
from tallyroom.engine.kinds.funnel.config import FunnelConfig, Step
from tallyroom.engine.kinds.funnel.places import Bit
from tallyroom.engine.measures import typed_values
from tallyroom.engine.query_plan import scoped_where
from tallyroom.engine.question import Question
from tallyroom.engine.units import unit_of

_ARRIVAL = "received_at, spool, seq"


class _Held(msgspec.Struct, frozen=True):
    """The values that the events of a chain have to share: SQL of their hashes, and of whether an event has any."""

    values: str
    present: str


def select(columns: Sequence[str], source: str, after: str = "") -> str:
    """Return a SELECT of `columns` over the rows of another one."""
    listed = ",\n  ".join(columns)
    return f"SELECT\n  {listed}\nFROM (\n{indent(source, '  ')}\n){after}"


def window_ms(config: FunnelConfig) -> int:
    """Return how long a step may take, or the whole chain."""
    return config.window_hours * HOUR_MS


def origin_ms(config: FunnelConfig, question: Question) -> int:
    """Return the moment that counts as 0: even the first event is more than a whole window later."""
    return question.window.from_ms - window_ms(config) - 1


def matching(config: FunnelConfig, series: Sequence[str], question: Question, bound: Bound) -> str:
    """Return SQL for the events that match at least one step or exclusion, and those that start the `series`."""
    unit = unit_of(config.count, question, bound)
    wanted = [
        *((1 << Bit.STEP + index, _condition(step, bound)) for index, step in enumerate(config.steps)),
        *((1 << Bit.EXCLUSION + index, _condition(each, bound)) for index, each in enumerate(config.exclude)),
    ]
    columns = [
        f"{unit.sql} AS unit",
        _moment(config, question, bound),
        " + ".join(f"{bit} * ({condition})" for bit, condition in wanted) + " AS steps",
        _ARRIVAL,
    ]
    where = [
        f"({' OR '.join(condition for _, condition in wanted)})",
        question.window.condition(bound),
        unit.present,
        *conditions(question.filters, bound),
    ]
    if config.holding is not None:
        held = _held(config.holding, bound)
        excluded = [condition for bit, condition in wanted if bit >= 1 << Bit.EXCLUSION]
        values = f"if({held.present}, {held.values}, [toUInt128(0)])" if excluded else held.values
        columns.append(f"arrayJoin({values}) AS held")
        where.append(f"({' OR '.join([held.present, *excluded])})")
    whole = _from_events(columns, where)
    return "\nUNION ALL\n".join([whole, *(_starting(config, series, question, bound) if series else [])])


def labelled(config: FunnelConfig, columns: Sequence[str], question: Question, bound: Bound) -> list[str]:
    """Return SQL for one row for each label of each event of the first step, with its `unit` and `columns`.

    An event has its labels in one of several places, and each SELECT reads one of them.
    """
    unit = unit_of(config.count, question, bound)
    where = [
        _condition(config.steps[0], bound),
        question.window.condition(bound),
        unit.present,
        *conditions(question.filters, bound),
    ]
    if config.holding is not None:
        where.append(_held(config.holding, bound).present)
    return [
        _from_events([f"{label} AS label", f"{unit.sql} AS unit", *columns], [*where, present])
        for label, present in labels(config.breakdown or "", bound)
    ]


def of_units(config: FunnelConfig, units: str, question: Question, bound: Bound) -> str:
    """Return SQL for the events of any step of some units, with their `unit` and `at_ms`; `units` is SQL of these."""
    unit = unit_of(config.count, question, bound)
    where = [
        f"({' OR '.join(_condition(step, bound) for step in config.steps)})",
        question.window.condition(bound),
        *conditions(question.filters, bound),
        f"{unit.sql} IN (\n{indent(units, '  ')}\n)",
    ]
    return _from_events([f"{unit.sql} AS unit", f"{AT_MS} AS at_ms"], where)


def _starting(config: FunnelConfig, series: Sequence[str], question: Question, bound: Bound) -> list[str]:
    """Return SQL for the events that start the chains of the labels in `series`, once for each of these labels."""
    columns, shown = [_moment(config, question, bound), _ARRIVAL], ["unit", "moment"]
    known = bound.texts("series", list(series))
    shown += [f"{1 << Bit.STEP} + bitShiftLeft(indexOf({known}, label), {Bit.SERIES.value}) AS steps", _ARRIVAL]
    if config.holding is not None:
        columns.append(f"arrayJoin({_held(config.holding, bound).values}) AS held")
        shown.append("held")
    each = labelled(config, columns, question, bound)
    return [select(shown, source, f"\nWHERE has({known}, label)") for source in each]


def _from_events(columns: Sequence[str], where: Sequence[str]) -> str:
    listed = ",\n  ".join(columns)
    return f"SELECT\n  {listed}\nFROM events\n{scoped_where(*where)}"


def _condition(step: Step, bound: Bound) -> str:
    return " AND ".join([*named(step, bound, "step"), *conditions(step.filters, bound)]) or "true"


def _moment(config: FunnelConfig, question: Question, bound: Bound) -> str:
    origin = bound.integer("origin_ms", origin_ms(config, question))
    return f"toUInt64(toUnixTimestamp64Milli(timestamp) - {origin}) AS moment"


def _held(key: str, bound: Bound) -> _Held:
    """Hash the values of a key as the measure `uniq` does; 0 stands for no value."""
    source = read(key, bound)
    values = f"[toString({source.column})]" if isinstance(source, OwnField) else typed_values(source)
    hashes = f"arrayMap(value -> reinterpretAsUInt128(sipHash128(value)), arrayDistinct({values}))"
    return _Held(hashes, source.present)
