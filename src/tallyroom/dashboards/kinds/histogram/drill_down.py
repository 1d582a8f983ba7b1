"""The events behind a histogram and its buckets (rules/questions#who-is-behind-a-number)."""

from tallyroom.dashboards.kinds.histogram.question import (
    HistogramConfig,
    bind_numeric_property,
    build_conditions,
    build_edge_sql,
    query_edges,
)
from tallyroom.queries.data_point import (
    DataPoint,
    check_data_point,
    check_data_point_names_a_part,
    data_point_refusal,
)
from tallyroom.queries.differences.contrast import Contrast
from tallyroom.queries.evidence import AT_MS, EvidenceQuery
from tallyroom.queries.keys import spell_key
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import QueryPlan, scoped_where
from tallyroom.queries.question import Question
from tallyroom.queries.units import choose_unit


def find_evidence_query(config: HistogramConfig, question: Question, data_point: DataPoint) -> QueryPlan[EvidenceQuery]:
    """Find the events behind the total or a bucket."""
    check_data_point(data_point, (), ("bucket",))
    parameters = QueryParameters()
    conditions = _build_number_conditions(config, question, parameters)
    conditions.append((yield from _find_bucket_condition(config, question, data_point, parameters)))
    where_sql = scoped_where("actor != ''", *conditions)
    return EvidenceQuery(f"SELECT actor AS unit, {AT_MS} AS at_ms\nFROM events\n{where_sql}", parameters)


def find_contrast(config: HistogramConfig, question: Question, data_point: DataPoint) -> QueryPlan[Contrast]:
    """Find the events in a bucket among all that have a value."""
    check_data_point_names_a_part(data_point)
    check_data_point(data_point, ("bucket",))
    parameters = QueryParameters()
    return Contrast(
        conditions=_build_number_conditions(config, question, parameters),
        is_behind_sql=(yield from _find_bucket_condition(config, question, data_point, parameters)),
        parameters=parameters,
        unit=choose_unit("actor", question, parameters),
        point_keys=frozenset([spell_key(config.property)]),
    )


def _build_number_conditions(config: HistogramConfig, question: Question, parameters: QueryParameters) -> list[str]:
    numeric_property = bind_numeric_property(config, parameters)
    return [
        *build_conditions(config, numeric_property, question, parameters),
        numeric_property.in_map_sql("numbers"),
    ]


def _find_bucket_condition(
    config: HistogramConfig, question: Question, data_point: DataPoint, parameters: QueryParameters
) -> QueryPlan[str]:
    if not isinstance(data_point.bucket, int):
        return "1"
    numeric_property = bind_numeric_property(config, parameters)
    where_sql = scoped_where(*build_conditions(config, numeric_property, question, parameters))
    starts = (yield from query_edges(config, numeric_property, where_sql, parameters))[:-1]
    if data_point.bucket >= len(starts):
        raise data_point_refusal("bucket", f"is too large: this answer has {len(starts)} buckets")
    edge_sql = build_edge_sql(numeric_property, starts, parameters)
    return f"{edge_sql} = {parameters.bind_number('start', starts[data_point.bucket])}"
