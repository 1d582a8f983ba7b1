"""The labels of a breakdown, ranked by a formula, and their values over time (rules/questions#formula).

One query ranks all labels by doubles. Those of sums and averages are approximate, so a second query measures the shown
labels exactly.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Literal, NamedTuple

import msgspec
from msgspec import UnsetType

from tallyroom.queries.breakdown import LabelRow, labelled_events_sql
from tallyroom.queries.buckets import Buckets
from tallyroom.queries.counted_measure import CountedMeasure
from tallyroom.queries.formula import ConstantNumber, ExpressionTree, NamedPart, PartName, evaluate
from tallyroom.queries.formula_parts import MeasuredParts, ValuesByPart, empty_values, read_part_points
from tallyroom.queries.measures import INEXACTLY_RANKED, build_measure, empty_value
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import UNION_ALL, QueryPlan, pause_after, query_rows, to_subquery
from tallyroom.queries.question import Question
from tallyroom.queries.values import Value, to_answer_value

_Parts = Mapping[PartName, CountedMeasure]

_MAX_RELATIVE_NOISE = 1e-12  # two terms this close count as equal, so that 0.3 - 0.1 - 0.2 is zero in the ranking too
_LAST_BITS_HALF, _UPPER_BITS_MASK = 2**11, 2**64 - 2**12  # all bits of a double except the last twelve
_ONLY_BUCKET_NUMBER = 0  # if the answer is not over time


class _RankedLabelRow(msgspec.Struct):
    label: str
    doubles: list[float | None]  # one for each part, in order


class _PartSeriesRow(msgspec.Struct):
    part: PartName
    label: str
    points: list[tuple[int, str | None]]  # each value as JSON, because measures can have different types


def query_top_labels(
    tree: ExpressionTree, parts: _Parts, breakdown_key: str, limit: int, question: Question
) -> QueryPlan[list[LabelRow]]:
    """Find the `limit` labels with the highest values of the formula."""
    parameters = QueryParameters()
    selects = [_build_totals_sql(name, part, breakdown_key, question, parameters) for name, part in parts.items()]
    rank_columns = "".join(f",\n  {_build_rank_sql(name, part)} AS rank_{name}" for name, part in parts.items())
    sql = f"""
SELECT label{rank_columns},
  ifNotFinite({_ArithmeticSqlWriter(parameters).write_sql(tree)}, NULL) AS rank
FROM {to_subquery(UNION_ALL.join(selects))}
GROUP BY label
ORDER BY rank IS NULL, {_without_last_bits_sql("ifNull(rank, 0)")} DESC, label
LIMIT {parameters.bind_integer("limit", limit)}"""
    doubles_sql = f"[{', '.join(f'rank_{name}' for name in parts)}] AS doubles"
    ranked_rows = yield from query_rows(
        f"SELECT label, {doubles_sql}\nFROM {to_subquery(sql)}", parameters, _RankedLabelRow
    )
    if any(part.measure in INEXACTLY_RANKED for part in parts.values()):
        measured_parts_by_label = yield from query_label_parts(
            parts, breakdown_key, [row.label for row in ranked_rows], None, question
        )
        values_by_label = {
            label: _pick_window_values(measured_parts.values_by_part, parts)
            for label, measured_parts in measured_parts_by_label.items()
        }
    else:
        values_by_label = {
            row.label: dict(zip(parts, map(to_answer_value, row.doubles), strict=True)) for row in ranked_rows
        }
    labelled_values = [(label, evaluate(tree, part_values)) for label, part_values in values_by_label.items()]
    labelled_values.sort(key=lambda entry: (entry[1] is None, -(entry[1] or 0), entry[0].encode()))
    return [LabelRow(label, value) for label, value in labelled_values]


def query_label_parts(
    parts: _Parts, breakdown_key: str, labels: Sequence[str], buckets: Buckets | None, question: Question
) -> QueryPlan[Mapping[str, MeasuredParts]]:
    """Measure each part for each of these labels, in each bucket or else in the whole window."""
    if not labels:
        return {}
    condition = _LabelCondition("label", "IN", labels)
    parts_by_label = yield from _query_parts(parts, breakdown_key, condition, buckets, question)
    return {label: parts_by_label.get(label, MeasuredParts({}, {})) for label in labels}


def query_other_parts(
    parts: _Parts, breakdown_key: str, labels: Sequence[str], buckets: Buckets, question: Question
) -> QueryPlan[MeasuredParts]:
    """Measure each part for all labels except these, in each bucket."""
    condition = _LabelCondition("''", "NOT IN", labels)
    parts_by_label = yield from _query_parts(parts, breakdown_key, condition, buckets, question)
    return parts_by_label.get("", MeasuredParts({}, {}))


class _LabelCondition(NamedTuple):
    """SQL for the label of each row, and which labels the rows have."""

    label_sql: str
    operator: Literal["IN", "NOT IN"]
    labels: Sequence[str]


def _query_parts(
    parts: _Parts, breakdown_key: str, condition: _LabelCondition, buckets: Buckets | None, question: Question
) -> QueryPlan[Mapping[str, MeasuredParts]]:
    parameters = QueryParameters()
    measure_by_name = {name: build_measure(part.measure, part.property, parameters) for name, part in parts.items()}
    window_question = question if buckets is None else msgspec.structs.replace(question, window=buckets.window)
    bucket_sql = str(_ONLY_BUCKET_NUMBER) if buckets is None else buckets.bucket_number_sql(parameters)
    labels_placeholder = parameters.bind_texts("labels", list(condition.labels))
    selects = []
    for name, part in parts.items():
        columns = [f"{bucket_sql} AS bucket", *measure_by_name[name].input_columns()]
        by_bucket_sql = f"""
SELECT {condition.label_sql} AS series, bucket, toJSONString({measure_by_name[name].aggregate_inputs_sql()}) AS value
FROM {to_subquery(labelled_events_sql(part, breakdown_key, columns, window_question, parameters))}
WHERE label {condition.operator} {labels_placeholder}
GROUP BY series, bucket"""
        selects.append(
            f"SELECT '{name}' AS part, series AS label, groupArray((bucket, value)) AS points\n"
            f"FROM {to_subquery(by_bucket_sql)}\nGROUP BY series"
        )
    series_rows = yield from query_rows(UNION_ALL.join(selects), parameters, _PartSeriesRow)
    values_by_label: dict[str, dict[PartName, dict[int, Value]]] = defaultdict(dict)
    totals_by_label: dict[str, dict[PartName, Value | UnsetType]] = defaultdict(dict)
    for row in series_rows:
        points, total = read_part_points(parts[row.part], measure_by_name[row.part], row.points)
        values_by_label[row.label][row.part], totals_by_label[row.label][row.part] = points, total
        yield from pause_after(points)
    return {label: MeasuredParts(values, totals_by_label[label]) for label, values in values_by_label.items()}


def _pick_window_values(values_by_part: ValuesByPart, parts: _Parts) -> dict[PartName, Value]:
    default_by_name = empty_values(parts)
    return {name: values_by_part.get(name, {}).get(_ONLY_BUCKET_NUMBER, default_by_name[name]) for name in parts}


def _build_totals_sql(
    name: PartName, part: CountedMeasure, breakdown_key: str, question: Question, parameters: QueryParameters
) -> str:
    measure = build_measure(part.measure, part.property, parameters)
    totals_sql = f"""
SELECT label, {measure.aggregate_inputs_sql()} AS total
FROM {to_subquery(labelled_events_sql(part, breakdown_key, measure.input_columns(), question, parameters))}
GROUP BY label"""
    rank_sql = f"CAST({measure.rank_sql('total')} AS Nullable(Float64))"
    return f"SELECT '{name}' AS part, label, {rank_sql} AS ranked_by\nFROM {to_subquery(totals_sql)}"


def _build_rank_sql(name: PartName, part: CountedMeasure) -> str:
    """Return SQL for the value of a part as a double; a part without a label's events has its value over no events."""
    rank_sql = f"anyIf(ranked_by, part = '{name}')"
    return rank_sql if empty_value(part.measure) is None else f"if(countIf(part = '{name}') = 0, 0, {rank_sql})"


class _ArithmeticSqlWriter:
    def __init__(self, parameters: QueryParameters) -> None:
        self._parameters = parameters
        self._alias_numbers = count(1)

    def write_sql(self, tree: ExpressionTree) -> str:
        if isinstance(tree, ConstantNumber):
            return self._parameters.bind_number("constant", float(tree.number))
        if isinstance(tree, NamedPart):
            return f"rank_{tree.name}"
        left_sql, right_sql = self.write_sql(tree.left), self.write_sql(tree.right)
        if tree.operator == "*":
            return f"({left_sql} * {right_sql})"
        if tree.operator == "/":
            return f"({left_sql} / nullIf({right_sql}, 0))"
        alias_number = next(self._alias_numbers)
        left_alias, right_alias = f"left_{alias_number}", f"right_{alias_number}"
        operation_sql = f"({left_sql} AS {left_alias}) {tree.operator} ({right_sql} AS {right_alias})"
        is_noise_sql = (
            f"abs({operation_sql}) <= {_MAX_RELATIVE_NOISE} * greatest(abs({left_alias}), abs({right_alias}))"
        )
        return f"if({is_noise_sql}, 0, {left_alias} {tree.operator} {right_alias})"


def _without_last_bits_sql(number_sql: str) -> str:
    """Return SQL for a double rounded to twelve digits, so that rounding noise does not affect the ranking."""
    return f"reinterpretAsFloat64(bitAnd(reinterpretAsUInt64({number_sql}) + {_LAST_BITS_HALF}, {_UPPER_BITS_MASK}))"
