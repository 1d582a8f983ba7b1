"""The labels of a breakdown, ranked by a formula, and their values over time (rules/questions#formula).

One query ranks all labels by doubles, of which it keeps one for each label and part. Those of a sum or an average are
only nearly right, so where there is one, another query measures the labels that are shown, exactly.
"""

from collections.abc import Mapping, Sequence
from itertools import count

import msgspec
from msgspec import UnsetType

from tallyroom.queries.bound_values import Bound
from tallyroom.queries.breakdown import UNION, LabelRow, labelled, nested
from tallyroom.queries.buckets import Buckets
from tallyroom.queries.compared_numbers import CountedMeasure
from tallyroom.queries.formula import ConstantNumber, NamedPart, PartName, Tree, evaluate
from tallyroom.queries.formula_parts import Found, MeasuredParts, empty_values, read_points
from tallyroom.queries.measures import NEARLY_RANKED, empty_value, measured
from tallyroom.queries.query_plan import QueryPlan, rows, turn_after
from tallyroom.queries.question import Question
from tallyroom.queries.values import Value, value_of

_Parts = Mapping[PartName, CountedMeasure]

_EQUAL = 1e-12
"""How near two terms are that count as equal, so that 0.3 - 0.1 - 0.2 is zero in the ranking too."""

_HALF, _UPPER = 2**11, 2**64 - 2**12  # of the bits of a double, all but the last twelve


_ONLY_BUCKET = 0
"""The number of the only bucket when there are none."""


class _Ranked(msgspec.Struct):
    label: str
    doubles: list[float | None]  # of the parts, in their order


class _Tracked(msgspec.Struct):
    part: PartName
    label: str
    points: list[tuple[int, str | None]]  # each value as JSON, because measures can have different types


def ranked(tree: Tree, parts: _Parts, key: str, limit: int, question: Question) -> QueryPlan[list[LabelRow]]:
    """Find the labels for which the formula has the highest values, at most `limit`."""
    bound = Bound()
    totals = [_totals(name, part, key, question, bound) for name, part in parts.items()]
    columns = "".join(f",\n  {_rank_of(name, part)} AS rank_{name}" for name, part in parts.items())
    sql = f"""
SELECT label{columns},
  ifNotFinite({_Arithmetic(bound).sql(tree)}, NULL) AS rank
FROM {nested(UNION.join(totals))}
GROUP BY label
ORDER BY rank IS NULL, {_without_last_bits("ifNull(rank, 0)")} DESC, label
LIMIT {bound.integer("limit", limit)}"""
    doubles = f"[{', '.join(f'rank_{name}' for name in parts)}] AS doubles"
    label_rows = yield from rows(f"SELECT label, {doubles}\nFROM {nested(sql)}", bound, _Ranked)
    if any(part.measure in NEARLY_RANKED for part in parts.values()):
        tracks = yield from tracked(parts, key, [row.label for row in label_rows], None, question)
        values = {label: _whole(track.values, parts) for label, track in tracks.items()}
    else:
        values = {row.label: dict(zip(parts, map(value_of, row.doubles), strict=True)) for row in label_rows}
    exact = [(label, evaluate(tree, part_values)) for label, part_values in values.items()]
    exact.sort(key=lambda entry: (entry[1] is None, -(entry[1] or 0), entry[0].encode()))
    return [LabelRow(label, value) for label, value in exact]


def tracked(
    parts: _Parts, key: str, labels: Sequence[str], buckets: Buckets | None, question: Question
) -> QueryPlan[Mapping[str, MeasuredParts]]:
    """Measure each part for each of these labels in each bucket; in the whole window if there are no buckets."""
    if not labels:
        return {}
    bound = Bound()
    measures = {name: measured(part.measure, part.property, bound) for name, part in parts.items()}
    in_window = question if buckets is None else msgspec.structs.replace(question, window=buckets.window)
    number = str(_ONLY_BUCKET) if buckets is None else buckets.number(bound)
    placeholder = bound.texts("labels", list(labels))
    selects = []
    for name, part in parts.items():
        columns = [f"{number} AS bucket", *measures[name].inputs()]
        by_bucket = f"""
SELECT label, bucket, toJSONString({measures[name].over_inputs()}) AS value
FROM {nested(labelled(part, key, columns, in_window, bound))}
WHERE label IN {placeholder}
GROUP BY label, bucket"""
        selects.append(
            f"SELECT '{name}' AS part, label, groupArray((bucket, value)) AS points\n"
            f"FROM {nested(by_bucket)}\nGROUP BY label"
        )
    track_rows = yield from rows(UNION.join(selects), bound, _Tracked)
    values: dict[str, dict[PartName, dict[int, Value]]] = {label: {} for label in labels}
    totals: dict[str, dict[PartName, Value | UnsetType]] = {label: {} for label in labels}
    for row in track_rows:
        points, total = read_points(parts[row.part], measures[row.part], row.points)
        values[row.label][row.part], totals[row.label][row.part] = points, total
        yield from turn_after(points)
    return {label: MeasuredParts(values[label], totals[label]) for label in labels}


def _whole(part_values: Found, parts: _Parts) -> dict[PartName, Value]:
    empty = empty_values(parts)
    return {name: part_values.get(name, {}).get(_ONLY_BUCKET, empty[name]) for name in parts}


def _totals(name: PartName, part: CountedMeasure, key: str, question: Question, bound: Bound) -> str:
    """Return SQL for the value of a part for each label, as a double to rank by."""
    measure = measured(part.measure, part.property, bound)
    total = f"""
SELECT label, {measure.over_inputs()} AS total
FROM {nested(labelled(part, key, measure.inputs(), question, bound))}
GROUP BY label"""
    rank = f"CAST({measure.rank('total')} AS Nullable(Float64))"
    return f"SELECT '{name}' AS part, label, {rank} AS ranked_by\nFROM {nested(total)}"


def _rank_of(name: PartName, part: CountedMeasure) -> str:
    """Return SQL for the value of a part as a double; a label that it does not have counts as no events."""
    rank = f"anyIf(ranked_by, part = '{name}')"
    return rank if empty_value(part.measure) is None else f"if(countIf(part = '{name}') = 0, 0, {rank})"


class _Arithmetic:
    """Writes a tree as SQL: its names as columns, its constants as placeholders, its operators as themselves."""

    def __init__(self, bound: Bound) -> None:
        self._bound = bound
        self._numbers = count(1)

    def sql(self, tree: Tree) -> str:
        if isinstance(tree, ConstantNumber):
            return self._bound.number("constant", float(tree.number))
        if isinstance(tree, NamedPart):
            return f"rank_{tree.name}"
        left, right = self.sql(tree.left), self.sql(tree.right)
        if tree.operator == "*":
            return f"({left} * {right})"
        if tree.operator == "/":
            return f"({left} / nullIf({right}, 0))"
        number = next(self._numbers)
        one, other = f"left_{number}", f"right_{number}"
        expression = f"({left} AS {one}) {tree.operator} ({right} AS {other})"
        nearly = f"abs({expression}) <= {_EQUAL} * greatest(abs({one}), abs({other}))"
        return f"if({nearly}, 0, {one} {tree.operator} {other})"


def _without_last_bits(number: str) -> str:
    """Return SQL for a double of twelve digits: what is equal but for the noise of doubles is then ranked by label."""
    return f"reinterpretAsFloat64(bitAnd(reinterpretAsUInt64({number}) + {_HALF}, {_UPPER}))"
