"""The labels of a breakdown, ranked by a formula, and their values over time (rules/questions#formula).

One query ranks all labels by doubles, of which it keeps one for each label and part. Those of a sum or an average are
only nearly right, so where there is one, another query measures the labels that are shown, exactly.
"""

from collections.abc import Mapping, Sequence
from itertools import count

import msgspec
from msgspec import UnsetType

from tallyroom.queries.breakdown import UNION, LabelRow, labelled_events_sql, to_subquery
from tallyroom.queries.buckets import Buckets
from tallyroom.queries.compared_numbers import CountedMeasure
from tallyroom.queries.formula import ConstantNumber, NamedPart, PartName, Tree, evaluate
from tallyroom.queries.formula_parts import MeasuredParts, PartValues, empty_values, read_points
from tallyroom.queries.measures import NEARLY_RANKED, empty_value, measure_sql
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import QueryPlan, pause_after, query_rows
from tallyroom.queries.question import Question
from tallyroom.queries.values import Value, value_of

_Parts = Mapping[PartName, CountedMeasure]

_MAX_RELATIVE_NOISE = 1e-12
"""How near two terms are that count as equal, so that 0.3 - 0.1 - 0.2 is zero in the ranking too."""

_HALF, _UPPER = 2**11, 2**64 - 2**12  # of the bits of a double, all but the last twelve


_ONLY_BUCKET_NUMBER = 0
"""The number of the only bucket when there are none."""


class _RankedLabelRow(msgspec.Struct):
    label: str
    doubles: list[float | None]  # of the parts, in their order


class _PartSeriesRow(msgspec.Struct):
    part: PartName
    label: str
    points: list[tuple[int, str | None]]  # each value as JSON, because measures can have different types


def query_top_labels(tree: Tree, parts: _Parts, key: str, limit: int, question: Question) -> QueryPlan[list[LabelRow]]:
    """Find the labels for which the formula has the highest values, at most `limit`."""
    parameters = QueryParameters()
    totals = [_build_totals_sql(name, part, key, question, parameters) for name, part in parts.items()]
    columns = "".join(f",\n  {_build_rank_sql(name, part)} AS rank_{name}" for name, part in parts.items())
    sql = f"""
SELECT label{columns},
  ifNotFinite({_ArithmeticWriter(parameters).write(tree)}, NULL) AS rank
FROM {to_subquery(UNION.join(totals))}
GROUP BY label
ORDER BY rank IS NULL, {_without_last_bits("ifNull(rank, 0)")} DESC, label
LIMIT {parameters.integer("limit", limit)}"""
    doubles = f"[{', '.join(f'rank_{name}' for name in parts)}] AS doubles"
    label_rows = yield from query_rows(f"SELECT label, {doubles}\nFROM {to_subquery(sql)}", parameters, _RankedLabelRow)
    if any(part.measure in NEARLY_RANKED for part in parts.values()):
        label_parts = yield from query_label_parts(parts, key, [row.label for row in label_rows], None, question)
        values = {
            label: _take_whole_values(measured_parts.values, parts) for label, measured_parts in label_parts.items()
        }
    else:
        values = {row.label: dict(zip(parts, map(value_of, row.doubles), strict=True)) for row in label_rows}
    ranked_labels = [(label, evaluate(tree, part_values)) for label, part_values in values.items()]
    ranked_labels.sort(key=lambda entry: (entry[1] is None, -(entry[1] or 0), entry[0].encode()))
    return [LabelRow(label, value) for label, value in ranked_labels]


def query_label_parts(
    parts: _Parts, key: str, labels: Sequence[str], buckets: Buckets | None, question: Question
) -> QueryPlan[Mapping[str, MeasuredParts]]:
    """Measure each part for each of these labels in each bucket; in the whole window if there are no buckets."""
    if not labels:
        return {}
    parameters = QueryParameters()
    measures = {name: measure_sql(part.measure, part.property, parameters) for name, part in parts.items()}
    window_question = question if buckets is None else msgspec.structs.replace(question, window=buckets.window)
    bucket_sql = str(_ONLY_BUCKET_NUMBER) if buckets is None else buckets.number_sql(parameters)
    placeholder = parameters.texts("labels", list(labels))
    selects = []
    for name, part in parts.items():
        columns = [f"{bucket_sql} AS bucket", *measures[name].input_columns()]
        by_bucket = f"""
SELECT label, bucket, toJSONString({measures[name].aggregate_inputs_sql()}) AS value
FROM {to_subquery(labelled_events_sql(part, key, columns, window_question, parameters))}
WHERE label IN {placeholder}
GROUP BY label, bucket"""
        selects.append(
            f"SELECT '{name}' AS part, label, groupArray((bucket, value)) AS points\n"
            f"FROM {to_subquery(by_bucket)}\nGROUP BY label"
        )
    series_rows = yield from query_rows(UNION.join(selects), parameters, _PartSeriesRow)
    values: dict[str, dict[PartName, dict[int, Value]]] = {label: {} for label in labels}
    totals: dict[str, dict[PartName, Value | UnsetType]] = {label: {} for label in labels}
    for row in series_rows:
        points, total = read_points(parts[row.part], measures[row.part], row.points)
        values[row.label][row.part], totals[row.label][row.part] = points, total
        yield from pause_after(points)
    return {label: MeasuredParts(values[label], totals[label]) for label in labels}


def _take_whole_values(part_values: PartValues, parts: _Parts) -> dict[PartName, Value]:
    defaults = empty_values(parts)
    return {name: part_values.get(name, {}).get(_ONLY_BUCKET_NUMBER, defaults[name]) for name in parts}


def _build_totals_sql(
    name: PartName, part: CountedMeasure, key: str, question: Question, parameters: QueryParameters
) -> str:
    """Return SQL for the value of a part for each label, as a double to rank by."""
    measure = measure_sql(part.measure, part.property, parameters)
    total = f"""
SELECT label, {measure.aggregate_inputs_sql()} AS total
FROM {to_subquery(labelled_events_sql(part, key, measure.input_columns(), question, parameters))}
GROUP BY label"""
    rank = f"CAST({measure.rank_sql('total')} AS Nullable(Float64))"
    return f"SELECT '{name}' AS part, label, {rank} AS ranked_by\nFROM {to_subquery(total)}"


def _build_rank_sql(name: PartName, part: CountedMeasure) -> str:
    """Return SQL for the value of a part as a double; a label that it does not have counts as no events."""
    rank = f"anyIf(ranked_by, part = '{name}')"
    return rank if empty_value(part.measure) is None else f"if(countIf(part = '{name}') = 0, 0, {rank})"


class _ArithmeticWriter:
    """Writes a tree as SQL: its names as columns, its constants as placeholders, its operators as themselves."""

    def __init__(self, parameters: QueryParameters) -> None:
        self._bound = parameters
        self._number_counter = count(1)

    def write(self, tree: Tree) -> str:
        if isinstance(tree, ConstantNumber):
            return self._bound.number("constant", float(tree.number))
        if isinstance(tree, NamedPart):
            return f"rank_{tree.name}"
        left, right = self.write(tree.left), self.write(tree.right)
        if tree.operator == "*":
            return f"({left} * {right})"
        if tree.operator == "/":
            return f"({left} / nullIf({right}, 0))"
        number = next(self._number_counter)
        left_name, right_name = f"left_{number}", f"right_{number}"
        expression = f"({left} AS {left_name}) {tree.operator} ({right} AS {right_name})"
        is_noise = f"abs({expression}) <= {_MAX_RELATIVE_NOISE} * greatest(abs({left_name}), abs({right_name}))"
        return f"if({is_noise}, 0, {left_name} {tree.operator} {right_name})"


def _without_last_bits(number: str) -> str:
    """Return SQL for a double of twelve digits: what is equal but for the noise of doubles is then ranked by label."""
    return f"reinterpretAsFloat64(bitAnd(reinterpretAsUInt64({number}) + {_HALF}, {_UPPER}))"
