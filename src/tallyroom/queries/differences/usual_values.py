"""What a point of a metric or a formula was in earlier weeks, for its usual band (rules/questions#usual-band)."""

from collections.abc import Sequence

import msgspec
from msgspec import UNSET

from tallyroom.queries.breakdown import labelled_events_sql, unlabelled_events_sql
from tallyroom.queries.counted_measure import CountedMeasure, metric_conditions
from tallyroom.queries.differences.measured_point import MeasuredPoint, PointLabel
from tallyroom.queries.formula import PartName, evaluate
from tallyroom.queries.measures import build_measure, empty_value, read_stored_value
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import UNION_ALL, QueryPlan, query_rows, scoped_where, to_subquery
from tallyroom.queries.question import Question
from tallyroom.queries.slices import build_time_sql
from tallyroom.queries.values import Value
from tallyroom.queries.window import Window


class _ValueRow(msgspec.Struct):
    part: PartName
    from_ms: int
    value: str | None  # as JSON, because measures can have different types


def query_values(
    measured_point: MeasuredPoint, windows: Sequence[Window], question: Question
) -> QueryPlan[list[Value]]:
    """Measure a point in some windows, in order and disjoint, instead of its bucket."""
    if not windows:
        return []
    parameters = QueryParameters()
    measure_by_part = {
        name: build_measure(part.measure, part.property, parameters) for name, part in measured_point.parts.items()
    }
    selects = []
    for name, measure in measure_by_part.items():
        part_sql = _build_part_sql(
            measured_point.parts[name], measured_point.label, measure.input_columns(), windows, question, parameters
        )
        selects.append(
            f"SELECT '{name}' AS part, from_ms, toJSONString({measure.aggregate_inputs_sql()}) AS value\n"
            f"FROM {to_subquery(part_sql)}\nGROUP BY from_ms"
        )
    value_rows = yield from query_rows(UNION_ALL.join(selects), parameters, _ValueRow)
    value_by_place = {
        (row.part, row.from_ms): measure_by_part[row.part].to_value(read_stored_value(row.value)) for row in value_rows
    }
    return [
        evaluate(
            measured_point.expression,
            {
                name: value_by_place.get((name, window.from_ms), empty_value(part.measure))
                for name, part in measured_point.parts.items()
            },
        )
        for window in windows
    ]


def _build_part_sql(  # what a part of a point depends on
    part: CountedMeasure,
    label: PointLabel | None,
    input_columns: Sequence[str],
    windows: Sequence[Window],
    question: Question,
    parameters: QueryParameters,
) -> str:
    """Return SQL with a row for each time that an event counts in a part, with `from_ms` of its window."""
    starts_placeholder = parameters.bind_integers("starts_ms", [window.from_ms for window in windows])
    columns = [f"roundDown(toUnixTimestamp64Milli(timestamp), {starts_placeholder}) AS from_ms", *input_columns]
    time_sql = build_time_sql(windows, parameters)
    if label is None:
        where_sql = scoped_where(*metric_conditions(part, question, parameters), time_sql)
        return f"SELECT {', '.join(columns)}\nFROM events\n{where_sql}"
    if label.kind == "none":
        return unlabelled_events_sql(part, label.key, columns, question, parameters, time_sql)
    labelled_sql = labelled_events_sql(part, label.key, columns, question, parameters, time_sql)
    if label.kind is UNSET:
        label_condition = f"label = {parameters.bind_text('label', label.label or '')}"
    else:
        label_condition = f"label NOT IN {parameters.bind_texts('shown', list(label.shown_labels))}"
    return f"SELECT *\nFROM {to_subquery(labelled_sql)}\nWHERE {label_condition}"
