"""Histogram: the distribution of a numeric property's values (rules/questions#histogram)."""

from itertools import pairwise
from typing import Annotated

import msgspec
from msgspec import Meta

from tallyroom.core.errors import ValidationFailed
from tallyroom.engine.bound import Bound
from tallyroom.engine.chosen_events import EventsConfig, check_events, named
from tallyroom.engine.config import Result
from tallyroom.engine.filters import Filters, check_filters, conditions
from tallyroom.engine.keys import PROPERTY_PREFIX, Key, Property, is_own_field
from tallyroom.engine.kind import Kind, Path, as_it_is
from tallyroom.engine.query_plan import QueryPlan, rows, scoped_where
from tallyroom.engine.question import Question
from tallyroom.engine.values import Bucket


class HistogramConfig(EventsConfig, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """Which events, which of their numbers, and how many buckets."""

    property: Key
    buckets: Annotated[int, Meta(ge=2, le=50)] = 20
    filters: Filters = ()


class Histogram(Result, tag="histogram", kw_only=True):
    """Buckets of one width from the least to the greatest value; none without a value, one where all are the same."""

    buckets: list[Bucket]


class _Span(msgspec.Struct):
    least: float | None
    greatest: float | None


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
    numbers = Property(bound.text("key", config.property.removeprefix(PROPERTY_PREFIX)))
    where = scoped_where(
        *named(config, bound),
        question.window.condition(bound),
        numbers.skips_without("numbers"),
        *conditions((*config.filters, *question.filters), bound),
    )
    value, held = numbers.of("numbers"), numbers.held_by("numbers")
    span = (
        f"SELECT minOrNullIf({value}, {held}) AS least, maxOrNullIf({value}, {held}) AS greatest\nFROM events\n{where}"
    )
    [found] = yield from rows(span, bound, _Span)
    if found.least is None or found.greatest is None:
        return Histogram(buckets=[])
    edges = _edges(found.least, found.greatest, config.buckets)
    if len(edges) == 1:
        edges *= 2
    starts = edges[:-1]
    counts = f"""
SELECT roundDown({value}, {bound.numbers("edges", starts)}) AS edge, countIf({held}) AS counted
FROM events
{where}
GROUP BY edge"""
    counted = yield from rows(counts, bound, _Counted)
    by_edge = {row.edge: row.counted for row in counted}
    return Histogram(buckets=[Bucket(start, end, by_edge.get(start, 0)) for start, end in pairwise(edges)])


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
)
