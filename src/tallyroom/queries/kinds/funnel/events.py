"""The SQL for the events that a funnel looks at, with the columns that their order needs."""

from collections.abc import Sequence
from textwrap import indent

import msgspec

from tallyroom.core.times import HOUR_MS
from tallyroom.queries.bound_values import Bound
from tallyroom.queries.event_choice import named
from tallyroom.queries.evidence import AT_MS
from tallyroom.queries.filters import conditions
from tallyroom.queries.keys import OwnField, labels, read
from tallyroom.queries.kinds.funnel.config import FunnelConfig, Step
from tallyroom.queries.kinds.funnel.sort_key import Bit
from tallyroom.queries.measures import typed_values
from tallyroom.queries.query_plan import scoped_where
from tallyroom.queries.question import Question
from tallyroom.queries.units import unit_of

_ARRIVAL = "received_at, spool, seq"
_KINDS = "totn"
"""What `typed_values` puts before a text, an object or boolean, an element of a list and a number, in this order."""

_Wanted = tuple[int, str]
"""What an event is good for: a bit, and SQL of the condition for it."""


class _Held(msgspec.Struct, frozen=True):
    """The values that the events of a chain have to share: SQL of their hashes, and of whether an event has any."""

    values: str
    present: str


def select(columns: Sequence[str], source: str, after: str = "") -> str:
    """Return a SELECT of `columns` over the rows of another one."""
    column_list = ",\n  ".join(columns)
    return f"SELECT\n  {column_list}\nFROM (\n{indent(source, '  ')}\n){after}"


def window_ms(config: FunnelConfig) -> int:
    """Return how long a step may take, or the whole chain."""
    return config.window_hours * HOUR_MS


def origin_ms(config: FunnelConfig, question: Question) -> int:
    """Return the moment that counts as 0: even the first event is more than a whole window later."""
    return question.window.from_ms - window_ms(config) - 1


def matching(config: FunnelConfig, series: Sequence[str], question: Question, bound: Bound) -> str:
    """Return SQL for the events that match at least one step or exclusion, and those that start the `series`."""
    unit = unit_of(config.count, question, bound)
    bit_conditions = [
        *((1 << Bit.STEP + index, _condition(step, bound)) for index, step in enumerate(config.steps)),
        *((1 << Bit.EXCLUSION + index, _condition(exclusion, bound)) for index, exclusion in enumerate(config.exclude)),
    ]
    columns = [f"{unit.sql} AS unit", _moment(config, question, bound), _ARRIVAL]
    where = [question.window.condition(bound), unit.present, *conditions(question.filters, bound)]
    if config.holding is None:
        selects = [_good_for(bit_conditions, columns, where)]
    else:
        selects = _with_values(config.holding, bit_conditions, columns, where, bound)
    return "\nUNION ALL\n".join([*selects, *(_starting(config, series, question, bound) if series else [])])


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
    columns = [_moment(config, question, bound), _ARRIVAL]
    placeholder = bound.texts("series", list(series))
    steps = f"{1 << Bit.STEP} + bitShiftLeft(indexOf({placeholder}, label), {Bit.SERIES.value}) AS steps"
    outer_columns = [steps, "unit", "moment", _ARRIVAL]
    if config.holding is not None:
        columns.append(f"arrayJoin({_held(config.holding, bound).values}) AS held")
        outer_columns.append("held")
    sources = labelled(config, columns, question, bound)
    return [select(outer_columns, source, f"\nWHERE has({placeholder}, label)") for source in sources]


def _with_values(
    key: str, bit_conditions: Sequence[_Wanted], columns: Sequence[str], where: Sequence[str], bound: Bound
) -> list[str]:
    """Return SQL for one row for each value of each event, read from one place each, as labels are.

    An excluded event without a value has a row as well, but it is good for nothing else.
    """
    selects = [
        _good_for(bit_conditions, [*columns, _hash(f"concat('{kind}', {value})") + " AS held"], [*where, present])
        for kind, (value, present) in zip(_KINDS, labels(key, bound), strict=False)
    ]
    exclusions = [(bit, condition) for bit, condition in bit_conditions if bit >= 1 << Bit.EXCLUSION]
    if exclusions:
        without = f"NOT ({read(key, bound).present})"
        selects.append(_good_for(exclusions, [*columns, "toUInt128(0) AS held"], [*where, without]))
    return selects


def _good_for(bit_conditions: Sequence[_Wanted], columns: Sequence[str], where: Sequence[str]) -> str:
    """Return SQL for the events that meet at least one of the conditions; ``steps`` has the bits of those they meet."""
    any_of = f"({' OR '.join(condition for _, condition in bit_conditions)})"
    steps = " + ".join(f"{bit} * ({condition})" for bit, condition in bit_conditions)
    return _from_events([f"{steps} AS steps", *columns], [any_of, *where])


def _from_events(columns: Sequence[str], where: Sequence[str]) -> str:
    column_list = ",\n  ".join(columns)
    return f"SELECT\n  {column_list}\nFROM events\n{scoped_where(*where)}"


def _condition(step: Step, bound: Bound) -> str:
    return " AND ".join([*named(step, bound, "step"), *conditions(step.filters, bound)]) or "true"


def _moment(config: FunnelConfig, question: Question, bound: Bound) -> str:
    origin = bound.integer("origin_ms", origin_ms(config, question))
    return f"toUInt64(toUnixTimestamp64Milli(timestamp) - {origin}) AS moment"


def _held(key: str, bound: Bound) -> _Held:
    """Hash the values of a key as the measure `uniq` does; 0 stands for no value."""
    source = read(key, bound)
    values = f"[concat('t', {source.column})]" if isinstance(source, OwnField) else typed_values(source)
    return _Held(f"arrayMap(value -> {_hash('value')}, arrayDistinct({values}))", source.present)


def _hash(text: str) -> str:
    return f"reinterpretAsUInt128(sipHash128({text}))"
