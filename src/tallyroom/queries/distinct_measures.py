"""Distinct values, such as actors, that are counted in the whole of some windows (rules/questions#measures)."""

from collections.abc import Sequence

from tallyroom.queries.aggregate import Aggregate
from tallyroom.queries.counted_measure import CountedMeasure, metric_conditions
from tallyroom.queries.distinct_values import DistinctQuery, build_distinct_query
from tallyroom.queries.measures import build_measure
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import scoped_where
from tallyroom.queries.question import Question
from tallyroom.queries.slices import TIME_MARK
from tallyroom.queries.window import Window


def build_distinct_measure_query(
    metric: CountedMeasure, question: Question, windows: Sequence[Window]
) -> DistinctQuery:
    """Return the query for a measure that counts distinct values, over windows that are in order and disjoint."""
    parameters = QueryParameters()
    measure = build_measure(metric.measure, metric.property, parameters)
    if not isinstance(measure, Aggregate):
        raise TypeError(f"{metric.measure} does not count distinct values")
    conditions = [TIME_MARK, *metric_conditions(metric, question, parameters)]
    if measure.condition_sql:
        conditions.append(measure.condition_sql)
    return build_distinct_query(measure.each_value_sql(), scoped_where(*conditions), parameters, windows)
