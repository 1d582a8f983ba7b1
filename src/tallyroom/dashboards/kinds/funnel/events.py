"""The SQL for the events that a funnel looks at, with the columns that their order needs."""

from collections.abc import Sequence
from textwrap import indent

import msgspec

from tallyroom.core.times import HOUR_MS
from tallyroom.dashboards.kinds.funnel.config import FunnelConfig, Step
from tallyroom.dashboards.kinds.funnel.sort_key import Bit
from tallyroom.queries.event_choice import event_conditions
from tallyroom.queries.evidence import AT_MS
from tallyroom.queries.filters import filter_conditions
from tallyroom.queries.keys import OwnField, label_sources, resolve_key
from tallyroom.queries.measures import typed_values_sql
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import scoped_where
from tallyroom.queries.question import Question
from tallyroom.queries.units import choose_unit

_ARRIVAL = "received_at, spool, seq"
_KINDS = "totn"
"""What `typed_values` puts before a text, an object or boolean, an element of a list and a number, in this order."""

_BitCondition = tuple[int, str]
"""What an event is good for: a bit, and SQL of the condition for it."""


class _HeldValues(msgspec.Struct, frozen=True):
    """The values that the events of a chain have to share: SQL of their hashes, and of whether an event has any."""

    values_sql: str
    present_sql: str


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


def build_matching_sql(
    config: FunnelConfig, series: Sequence[str], question: Question, parameters: QueryParameters
) -> str:
    """Return SQL for the events that match at least one step or exclusion, and those that start the `series`."""
    unit = choose_unit(config.count, question, parameters)
    bit_conditions = [
        *((1 << Bit.STEP + index, _build_step_condition(step, parameters)) for index, step in enumerate(config.steps)),
        *(
            (1 << Bit.EXCLUSION + index, _build_step_condition(exclusion, parameters))
            for index, exclusion in enumerate(config.exclude)
        ),
    ]
    columns = [f"{unit.sql} AS unit", _moment_column(config, question, parameters), _ARRIVAL]
    conditions = [
        question.window.condition(parameters),
        unit.present_sql,
        *filter_conditions(question.filters, parameters),
    ]
    if config.holding is None:
        selects = [_select_matching(bit_conditions, columns, conditions)]
    else:
        selects = _build_value_rows_sql(config.holding, bit_conditions, columns, conditions, parameters)
    return "\nUNION ALL\n".join(
        [*selects, *(_build_starting_sql(config, series, question, parameters) if series else [])]
    )


def build_labelled_sql(
    config: FunnelConfig, columns: Sequence[str], question: Question, parameters: QueryParameters
) -> list[str]:
    """Return SQL for one row for each label of each event of the first step, with its `unit` and `columns`.

    An event has its labels in one of several places, and each SELECT reads one of them.
    """
    unit = choose_unit(config.count, question, parameters)
    conditions = [
        _build_step_condition(config.steps[0], parameters),
        question.window.condition(parameters),
        unit.present_sql,
        *filter_conditions(question.filters, parameters),
    ]
    if config.holding is not None:
        conditions.append(_build_held_values(config.holding, parameters).present_sql)
    return [
        _select_events([f"{label} AS label", f"{unit.sql} AS unit", *columns], [*conditions, present])
        for label, present in label_sources(config.breakdown or "", parameters)
    ]


def build_unit_events_sql(config: FunnelConfig, units: str, question: Question, parameters: QueryParameters) -> str:
    """Return SQL for the events of any step of some units, with their `unit` and `at_ms`; `units` is SQL of these."""
    unit = choose_unit(config.count, question, parameters)
    conditions = [
        f"({' OR '.join(_build_step_condition(step, parameters) for step in config.steps)})",
        question.window.condition(parameters),
        *filter_conditions(question.filters, parameters),
        f"{unit.sql} IN (\n{indent(units, '  ')}\n)",
    ]
    return _select_events([f"{unit.sql} AS unit", f"{AT_MS} AS at_ms"], conditions)


def _build_starting_sql(
    config: FunnelConfig, series: Sequence[str], question: Question, parameters: QueryParameters
) -> list[str]:
    """Return SQL for the events that start the chains of the labels in `series`, once for each of these labels."""
    columns = [_moment_column(config, question, parameters), _ARRIVAL]
    placeholder = parameters.texts("series", list(series))
    steps = f"{1 << Bit.STEP} + bitShiftLeft(indexOf({placeholder}, label), {Bit.SERIES.value}) AS steps"
    outer_columns = [steps, "unit", "moment", _ARRIVAL]
    if config.holding is not None:
        columns.append(f"arrayJoin({_build_held_values(config.holding, parameters).values_sql}) AS held")
        outer_columns.append("held")
    sources = build_labelled_sql(config, columns, question, parameters)
    return [select(outer_columns, source, f"\nWHERE has({placeholder}, label)") for source in sources]


def _build_value_rows_sql(
    key: str,
    bit_conditions: Sequence[_BitCondition],
    columns: Sequence[str],
    conditions: Sequence[str],
    parameters: QueryParameters,
) -> list[str]:
    """Return SQL for one row for each value of each event, read from one place each, as labels are.

    An excluded event without a value has a row as well, but it is good for nothing else.
    """
    selects = [
        _select_matching(
            bit_conditions, [*columns, _hash_sql(f"concat('{kind}', {value})") + " AS held"], [*conditions, present]
        )
        for kind, (value, present) in zip(_KINDS, label_sources(key, parameters), strict=False)
    ]
    exclusions = [(bit, condition) for bit, condition in bit_conditions if bit >= 1 << Bit.EXCLUSION]
    if exclusions:
        without = f"NOT ({resolve_key(key, parameters).present_sql})"
        selects.append(_select_matching(exclusions, [*columns, "toUInt128(0) AS held"], [*conditions, without]))
    return selects


def _select_matching(bit_conditions: Sequence[_BitCondition], columns: Sequence[str], conditions: Sequence[str]) -> str:
    """Return SQL for the events that meet at least one of the conditions; ``steps`` has the bits of those they meet."""
    any_of = f"({' OR '.join(condition for _, condition in bit_conditions)})"
    steps = " + ".join(f"{bit} * ({condition})" for bit, condition in bit_conditions)
    return _select_events([f"{steps} AS steps", *columns], [any_of, *conditions])


def _select_events(columns: Sequence[str], conditions: Sequence[str]) -> str:
    column_list = ",\n  ".join(columns)
    return f"SELECT\n  {column_list}\nFROM events\n{scoped_where(*conditions)}"


def _build_step_condition(step: Step, parameters: QueryParameters) -> str:
    return (
        " AND ".join([*event_conditions(step, parameters, "step"), *filter_conditions(step.filters, parameters)])
        or "true"
    )


def _moment_column(config: FunnelConfig, question: Question, parameters: QueryParameters) -> str:
    origin = parameters.integer("origin_ms", origin_ms(config, question))
    return f"toUInt64(toUnixTimestamp64Milli(timestamp) - {origin}) AS moment"


def _build_held_values(key: str, parameters: QueryParameters) -> _HeldValues:
    """Hash the values of a key as the measure `uniq` does; 0 stands for no value."""
    source = resolve_key(key, parameters)
    values = f"[concat('t', {source.column})]" if isinstance(source, OwnField) else typed_values_sql(source)
    return _HeldValues(f"arrayMap(value -> {_hash_sql('value')}, arrayDistinct({values}))", source.present_sql)


def _hash_sql(text: str) -> str:
    return f"reinterpretAsUInt128(sipHash128({text}))"
