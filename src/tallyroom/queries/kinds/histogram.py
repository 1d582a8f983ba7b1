"""Histogram: the distribution of a numeric property's values (rules/questions#histogram)."""

from itertools import pairwise
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tallyroom.core.errors import ValidationFailed
from tallyroom.queries.bound_values import Bound
from tallyroom.queries.config import Result
from tallyroom.queries.data_point import Spot, check_form, no_such
from tallyroom.queries.event_choice import EventsConfig, check_events, named
from tallyroom.queries.evidence import AT_MS, Evidence
from tallyroom.queries.filters import Filters, check_filters, conditions
from tallyroom.queries.keys import PROPERTY_PREFIX, Key, Property, is_own_field
from tallyroom.queries.kind import Kind, Path, as_it_is
from tallyroom.queries.measures import StoredMeasure, measured
from tallyroom.queries.query_plan import QueryPlan, rows, scoped_where
from tallyroom.queries.question import Question
from tallyroom.queries.values import Bucket, Value


class HistogramConfig(EventsConfig, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """Which events, which of their numbers, how many buckets, and whether their percentiles come with them."""

    property: Key
    buckets: Annotated[int, Meta(ge=2, le=50)] = 20
    filters: Filters = ()
    percentiles: bool = False


class Percentiles(msgspec.Struct):
    """What a metric answers for the measures of these names."""

    median: Value
    p95: Value


class Histogram(Result, tag="histogram", kw_only=True):
    """Buckets of one width from the least to the greatest value; none without a value, one where all are the same."""

    buckets: list[Bucket]
    percentiles: Percentiles | UnsetType = UNSET


class _Span(msgspec.Struct):
    least: float | None
    greatest: float | None


class _Found(msgspec.Struct):
    median: StoredMeasure
    p95: StoredMeasure


class _Counted(msgspec.Struct):
    edge: float
    counted: int


def check(config: HistogramConfig, path: Path) -> None:
    """Refuse no events, a field that is never a number, and filters whose values do not fit their operators."""
    check_events(config, path)
    if is_own_field(config.property):
        raise ValidationFailed.at([*path, "property"], "is not a number, which a histogram needs")
    check_filters(config.filters, [*path, "filters"])


def query_plan(config: HistogramConfig, question: Question) -> QueryPlan[Histogram]:
    """Find the least and the greatest value, then count the values between the edges derived from them."""
    bound = Bound()
    numbers = _numbers(config, bound)
    where = scoped_where(*_of_events(config, numbers, question, bound))
    edges = yield from _edges_of(config, numbers, where, bound)
    if not edges:
        return Histogram(buckets=[])
    counts = f"""
SELECT {_edge(numbers, edges[:-1], bound)} AS edge, countIf({numbers.is_in("numbers")}) AS counted
FROM events
{where}
GROUP BY edge"""
    edge_rows = yield from rows(counts, bound, _Counted)
    by_edge = {row.edge: row.counted for row in edge_rows}
    answer = Histogram(buckets=[Bucket(start, end, by_edge.get(start, 0)) for start, end in pairwise(edges)])
    if config.percentiles:
        answer.percentiles = yield from _percentiles(config, where, bound)
    return answer


def behind(config: HistogramConfig, question: Question, spot: Spot) -> QueryPlan[Evidence]:
    """Find the events behind the whole, or behind a bucket."""
    check_form(spot, (), ("bucket",))
    bound = Bound()
    numbers = _numbers(config, bound)
    event_conditions = [*_of_events(config, numbers, question, bound), numbers.held_by("numbers"), "actor != ''"]
    if isinstance(spot.bucket, int):
        where = scoped_where(*_of_events(config, numbers, question, bound))
        starts = (yield from _edges_of(config, numbers, where, bound))[:-1]
        if spot.bucket >= len(starts):
            raise no_such("bucket", f"is not the number of a bucket; this answer has {len(starts)}")
        event_conditions.append(f"{_edge(numbers, starts, bound)} = {bound.number('start', starts[spot.bucket])}")
    return Evidence(f"SELECT actor AS unit, {AT_MS} AS at_ms\nFROM events\n{scoped_where(*event_conditions)}", bound)


def _numbers(config: HistogramConfig, bound: Bound) -> Property:
    return Property(bound.text("key", config.property.removeprefix(PROPERTY_PREFIX)))


def _of_events(config: HistogramConfig, numbers: Property, question: Question, bound: Bound) -> list[str]:
    return [
        *named(config, bound),
        question.window.condition(bound),
        numbers.skips_without("numbers"),
        *conditions((*config.filters, *question.filters), bound),
    ]


def _edges_of(config: HistogramConfig, numbers: Property, where: str, bound: Bound) -> QueryPlan[list[float]]:
    """Find the edges of the buckets, two for each; none if there is no value."""
    value, present = numbers.of("numbers"), numbers.is_in("numbers")
    extremes = f"minOrNullIf({value}, {present}) AS least, maxOrNullIf({value}, {present}) AS greatest"
    [ends] = yield from rows(f"SELECT {extremes}\nFROM events\n{where}", bound, _Span)
    if ends.least is None or ends.greatest is None:
        return []
    edges = _edges(ends.least, ends.greatest, config.buckets)
    return edges * 2 if len(edges) == 1 else edges


def _percentiles(config: HistogramConfig, where: str, bound: Bound) -> QueryPlan[Percentiles]:
    median, p95 = measured("median", config.property, bound), measured("p95", config.property, bound)
    sql = f"SELECT {median.over_events()} AS median, {p95.over_events()} AS p95\nFROM events\n{where}"
    [row] = yield from rows(sql, bound, _Found)
    return Percentiles(median.value(row.median), p95.value(row.p95))


def _edge(numbers: Property, starts: list[float], bound: Bound) -> str:
    """Return SQL for the edge at which the bucket of an event's value begins."""
    return f"roundDown({numbers.of('numbers')}, {bound.numbers('edges', starts)})"


def _edges(least: float, greatest: float, buckets: int) -> list[float]:
    """Return the edges of the buckets in ascending order; fewer if too few doubles lie between the two ends."""
    inner = [least * (1 - step / buckets) + greatest * (step / buckets) for step in range(1, buckets)]
    return sorted({least, *(min(max(edge, least), greatest) for edge in inner), greatest})


HISTOGRAM = Kind(
    name="histogram",
    config=HistogramConfig,
    results=(Histogram,),
    check=check,
    query_plan=query_plan,
    published=as_it_is,
    behind=behind,
)
