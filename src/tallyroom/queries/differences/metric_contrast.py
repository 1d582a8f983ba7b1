"""The contrast of a point of a metric or a formula: the events that its measures count, there and in all."""

from functools import partial

from tallyroom.queries.counted_measure import CountedMeasure, metric_conditions
from tallyroom.queries.differences.contrast import Contrast
from tallyroom.queries.differences.label_condition import label_condition
from tallyroom.queries.differences.measured_point import MeasuredPoint, PointLabel
from tallyroom.queries.keys import GROUP, spell_key, spell_property
from tallyroom.queries.measures import contribution_condition
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.question import Question
from tallyroom.queries.units import choose_unit


def build_metric_contrast(measured_point: MeasuredPoint, question: Question) -> Contrast:
    """Return the events that count in at least one of the measures, each once, and those of them at the point."""
    parameters = QueryParameters()
    is_behind_sql = "1"
    if measured_point.buckets is not None and measured_point.t is not None:
        _, bucket_number = measured_point.buckets.find_bucket(measured_point.t)
        bucket_sql = measured_point.buckets.bucket_number_sql(parameters)
        is_behind_sql = f"{bucket_sql} = {parameters.bind_integer('bucket', bucket_number)}"
    label = measured_point.label
    parts_sql = [_build_part_condition(part, question, parameters) for part in measured_point.parts.values()]
    return Contrast(
        conditions=[question.window.condition(parameters), f"({' OR '.join(parts_sql)})"],
        is_behind_sql=is_behind_sql,
        build_label_condition=None if label is None else partial(label_condition, label, question, parameters),
        parameters=parameters,
        unit=choose_unit("actor", question, parameters),
        point_keys=_list_point_keys(label, question),
        measured_point=measured_point,
    )


def _build_part_condition(part: CountedMeasure, question: Question, parameters: QueryParameters) -> str:
    conditions = metric_conditions(part, question, parameters)
    if part.measure == "uniq_actors":
        conditions.append("actor != ''")
    else:
        conditions.append(contribution_condition(part.measure, part.property, parameters))
    return " AND ".join(conditions)


def _list_point_keys(label: PointLabel | None, question: Question) -> frozenset[str]:
    if label is None:
        return frozenset()
    return frozenset([spell_property(question.group_key or "") if label.key == GROUP else spell_key(label.key)])
