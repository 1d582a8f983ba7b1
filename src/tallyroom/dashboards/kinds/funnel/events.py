"""The SQL for the events that a funnel looks at, with the columns that their order needs."""

from collections.abc import Sequence
from textwrap import indent

import msgspec

from tallyroom.core.times import HOUR_MS
from tallyroom.dashboards.kinds.funnel.config import FunnelConfig, Step
from tallyroom.dashboards.kinds.funnel.sort_key import BitOffset
from tallyroom.queries.event_choice import event_conditions
from tallyroom.queries.evidence import AT_MS
from tallyroom.queries.filters import filter_conditions
from tallyroom.queries.keys import OwnField, label_sources, resolve_key
from tallyroom.queries.measures import typed_values_sql
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import scoped_where
from tallyroom.queries.question import Question
from tallyroom.queries.units import Unit, choose_unit

_ARRIVAL_COLUMNS = "received_at, spool, seq"
_VALUE_KIND_LETTERS = "totnn"  # prefixes in `typed_values_sql`: text, object or boolean, list element, and numbers

_BitCondition = tuple[int, str]  # a bit of an event's matches, and the SQL of its condition


class _HeldValuesSql(msgspec.Struct, frozen=True):
    """The values that the events of a chain must share: SQL of their hashes, and of whether an event has any."""

    values_sql: str
    present_sql: str


def build_select(columns: Sequence[str], source_sql: str, after_sql: str = "") -> str:
    """Return a SELECT of `columns` over the rows of a source."""
    column_list = ",\n  ".join(columns)
    return f"SELECT\n  {column_list}\nFROM (\n{indent(source_sql, '  ')}\n){after_sql}"


def window_ms(config: FunnelConfig) -> int:
    """Return the longest time for a step, or for the whole chain, in milliseconds."""
    return config.window_hours * HOUR_MS


def origin_ms(config: FunnelConfig, question: Question) -> int:
    """Return the moment that counts as 0: even the first event is more than a whole window later."""
    return question.window.from_ms - window_ms(config) - 1


def build_matching_sql(
    config: FunnelConfig,
    labels: Sequence[str],
    question: Question,
    parameters: QueryParameters,
    time_sql: str | None = None,
) -> str:
    """Return SQL for the events that match at least one step or exclusion, and those that start the `labels`.

    Without labels, `time_sql` can replace the window.
    """
    unit = choose_unit(config.unit_kind, question, parameters)
    bit_conditions = [
        (1 << offset + index, _build_step_condition(step, parameters))
        for offset, steps in ((BitOffset.STEP, config.steps), (BitOffset.EXCLUSION, config.exclude))
        for index, step in enumerate(steps)
    ]
    columns = [f"{unit.sql} AS unit", _moment_column(config, question, parameters), _ARRIVAL_COLUMNS]
    conditions = [
        time_sql or question.window.condition(parameters),
        unit.present_sql,
        *filter_conditions(question.filters, parameters),
    ]
    if config.holding is None:
        select_sqls = [_build_matching_select(bit_conditions, columns, conditions)]
    else:
        select_sqls = _build_value_rows_sql(config.holding, bit_conditions, columns, conditions, parameters)
    return "\nUNION ALL\n".join(
        [*select_sqls, *(_build_starting_sql(config, labels, question, parameters) if labels else [])]
    )


def build_labelled_sql(
    config: FunnelConfig, columns: Sequence[str], question: Question, parameters: QueryParameters
) -> list[str]:
    """Return SELECTs of each label of each event of the first step, with its `unit` and `columns`."""
    unit = choose_unit(config.unit_kind, question, parameters)
    conditions = [
        build_start_condition(config, parameters),
        question.window.condition(parameters),
        unit.present_sql,
        *filter_conditions(question.filters, parameters),
    ]
    return [
        _build_events_select([f"{label_sql} AS label", f"{unit.sql} AS unit", *columns], [*conditions, present_sql])
        for label_sql, present_sql in label_sources(config.breakdown or "", parameters)
    ]


def build_unit_events_sql(config: FunnelConfig, units_sql: str, question: Question, parameters: QueryParameters) -> str:
    """Return SQL for the events of any step of the units that `units_sql` selects, with their `unit` and `at_ms`."""
    unit = choose_unit(config.unit_kind, question, parameters)
    conditions = [*build_step_conditions(config, question, parameters), build_has_unit_sql(unit, units_sql)]
    return _build_events_select([f"{unit.sql} AS unit", f"{AT_MS} AS at_ms"], conditions)


def build_step_conditions(config: FunnelConfig, question: Question, parameters: QueryParameters) -> list[str]:
    """Return SQL conditions for the events of any step."""
    return [
        f"({' OR '.join(_build_step_condition(step, parameters) for step in config.steps)})",
        question.window.condition(parameters),
        *filter_conditions(question.filters, parameters),
    ]


def build_start_condition(config: FunnelConfig, parameters: QueryParameters) -> str:
    """Return the SQL condition for an event with which a unit reaches the first step."""
    conditions = [_build_step_condition(config.steps[0], parameters)]
    if config.holding is not None:
        conditions.append(_build_held_values(config.holding, parameters).present_sql)
    return " AND ".join(conditions)


def build_has_unit_sql(unit: Unit, units_sql: str) -> str:
    """Return SQL that is true for an event of a unit that `units_sql` selects."""
    return f"{unit.sql} IN (\n{indent(units_sql, '  ')}\n)"


def _build_starting_sql(
    config: FunnelConfig, labels: Sequence[str], question: Question, parameters: QueryParameters
) -> list[str]:
    columns = [_moment_column(config, question, parameters), _ARRIVAL_COLUMNS]
    labels_placeholder = parameters.bind_texts("series", list(labels))
    steps_column = (
        f"{1 << BitOffset.STEP} + bitShiftLeft(indexOf({labels_placeholder}, label), {BitOffset.SERIES.value}) AS steps"
    )
    outer_columns = [steps_column, "unit", "moment", _ARRIVAL_COLUMNS]
    if config.holding is not None:
        columns.append(f"arrayJoin({_build_held_values(config.holding, parameters).values_sql}) AS held")
        outer_columns.append("held")
    labelled_sqls = build_labelled_sql(config, columns, question, parameters)
    return [
        build_select(outer_columns, labelled_sql, f"\nWHERE has({labels_placeholder}, label)")
        for labelled_sql in labelled_sqls
    ]


def _build_value_rows_sql(
    key: str,
    bit_conditions: Sequence[_BitCondition],
    columns: Sequence[str],
    conditions: Sequence[str],
    parameters: QueryParameters,
) -> list[str]:
    """Return SELECTs with a row for each value of each event, and one for an excluded event without a value."""
    select_sqls = [
        _build_matching_select(
            bit_conditions,
            [*columns, _hash_sql(f"concat('{kind_letter}', {value_sql})") + " AS held"],
            [*conditions, present_sql],
        )
        for kind_letter, (value_sql, present_sql) in zip(
            _VALUE_KIND_LETTERS, label_sources(key, parameters), strict=False
        )
    ]
    exclusion_conditions = [(bit, condition) for bit, condition in bit_conditions if bit >= 1 << BitOffset.EXCLUSION]
    if exclusion_conditions:
        no_value_condition = f"NOT ({resolve_key(key, parameters).present_sql})"
        select_sqls.append(
            _build_matching_select(
                exclusion_conditions, [*columns, "toUInt128(0) AS held"], [*conditions, no_value_condition]
            )
        )
    return select_sqls


def _build_matching_select(
    bit_conditions: Sequence[_BitCondition], columns: Sequence[str], conditions: Sequence[str]
) -> str:
    """Return SQL for the events that meet at least one condition; ``steps`` has a bit for each condition they meet."""
    any_condition = f"({' OR '.join(condition for _, condition in bit_conditions)})"
    steps_sql = " + ".join(f"{bit} * ({condition})" for bit, condition in bit_conditions)
    return _build_events_select([f"{steps_sql} AS steps", *columns], [any_condition, *conditions])


def _build_events_select(columns: Sequence[str], conditions: Sequence[str]) -> str:
    column_list = ",\n  ".join(columns)
    return f"SELECT\n  {column_list}\nFROM events\n{scoped_where(*conditions)}"


def _build_step_condition(step: Step, parameters: QueryParameters) -> str:
    return (
        " AND ".join([*event_conditions(step, parameters, "step"), *filter_conditions(step.filters, parameters)])
        or "true"
    )


def _moment_column(config: FunnelConfig, question: Question, parameters: QueryParameters) -> str:
    origin_placeholder = parameters.bind_origin("origin_ms", origin_ms(config, question))
    return f"toUInt64(toUnixTimestamp64Milli(timestamp) - {origin_placeholder}) AS moment"


def _build_held_values(key: str, parameters: QueryParameters) -> _HeldValuesSql:
    """Hash the values of a key as the measure `uniq` does; 0 means no value."""
    source = resolve_key(key, parameters)
    values_sql = f"[concat('t', {source.column})]" if isinstance(source, OwnField) else typed_values_sql(source)
    return _HeldValuesSql(f"arrayMap(value -> {_hash_sql('value')}, arrayDistinct({values_sql}))", source.present_sql)


def _hash_sql(text_sql: str) -> str:
    return f"reinterpretAsUInt128(sipHash128({text_sql}))"
