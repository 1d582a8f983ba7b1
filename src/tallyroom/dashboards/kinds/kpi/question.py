"""KPI: up to six numbers, each next to its value in the window before (rules/questions#kpi)."""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tallyroom.queries.buckets import TimePoint, choose_buckets
from tallyroom.queries.compared_numbers import query_compared_numbers, query_series
from tallyroom.queries.comparison import resolve_earlier_window, union_of_windows
from tallyroom.queries.config import Display, GoodDirection, Result, SegmentedConfig, display_of
from tallyroom.queries.counted_measure import CountedMeasure, check_counted_measure
from tallyroom.queries.data_point import DataPoint, check_data_point, data_point_refusal
from tallyroom.queries.event_choice import event_title
from tallyroom.queries.evidence import EvidenceQuery
from tallyroom.queries.kind import Path
from tallyroom.queries.measure_evidence import build_evidence_query
from tallyroom.queries.query_plan import QueryPlan
from tallyroom.queries.question import Comparison, Question
from tallyroom.queries.values import Value
from tallyroom.queries.window import Window

MAX_ITEMS = 6
MAX_LABEL = 120


class KpiItem(CountedMeasure, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """One number; by default, `label` is the name of its event."""

    label: Annotated[str, Meta(min_length=1, max_length=MAX_LABEL)] | None = None
    good: GoodDirection | None = None

    @property
    def shown_label(self) -> str:
        """The label, or the event's name without one."""
        return self.label or event_title(self)


class KpiConfig(SegmentedConfig, frozen=True, kw_only=True, rename="camel"):
    """The numbers in order; `compare` is the previous window by default, and `sparklines` adds points over time."""

    items: Annotated[tuple[KpiItem, ...], Meta(min_length=1, max_length=MAX_ITEMS)]
    compare: Comparison | None = None
    sparklines: bool = False


class KpiNumber(msgspec.Struct):
    """One number, as in a counter; with sparklines, it has its points over time."""

    label: str
    value: Value
    previous: Value
    delta: float | None
    points: list[TimePoint] | UnsetType = UNSET


class Kpi(Result, tag="kpi", kw_only=True):
    """The numbers, in the order of the config."""

    items: list[KpiNumber]


def check_config(config: KpiConfig, path: Path) -> None:
    """Refuse items whose fields do not fit together."""
    for index, item in enumerate(config.items):
        check_counted_measure(item, [*path, "items", index])


def build_query_plan(config: KpiConfig, question: Question) -> QueryPlan[Kpi]:
    """Compute all numbers with one query, and all of their points with another."""
    compared_numbers = yield from query_compared_numbers(config.items, question, _find_earlier_window(config, question))
    numbers = [
        KpiNumber(item.shown_label, compared_number.value, compared_number.previous, compared_number.delta)
        for item, compared_number in zip(config.items, compared_numbers, strict=True)
    ]
    if config.sparklines:
        sparkline_series = yield from query_series(
            config.items, question, choose_buckets(None, question, has_several_series=True)
        )
        for number, series in zip(numbers, sparkline_series, strict=True):
            number.points = series.points
    return Kpi(items=numbers)


def build_display(config: KpiConfig) -> Display:
    """Return the names of the numbers and which direction is good, but not what they measure."""
    default_good_direction: GoodDirection = (config.display and config.display.good) or "none"
    good_directions = None
    if any(item.good for item in config.items):
        good_directions = [item.good or default_good_direction for item in config.items]
    return display_of(config, labels=[item.shown_label for item in config.items], goods=good_directions)


def list_good_directions(display: Display, number_count: int) -> list[GoodDirection]:
    """Return which direction is good for each number: its own, or else that of the widget."""
    return display.goods or [display.good or "none"] * number_count


def find_covered_window(config: KpiConfig, question: Question) -> Window:
    """Include the window that the numbers are compared with."""
    return union_of_windows(question.window, _find_earlier_window(config, question))


def find_evidence_query(config: KpiConfig, question: Question, data_point: DataPoint) -> QueryPlan[EvidenceQuery]:
    """Find the events behind one of the numbers."""
    yield from ()
    check_data_point(data_point, ("item",))
    if not isinstance(data_point.item, int) or data_point.item >= len(config.items):
        raise data_point_refusal("item", f"must be the number of an item, from 0 to {len(config.items) - 1}")
    return build_evidence_query(config.items[data_point.item], question)


def is_empty(result: Kpi) -> bool:
    """Return True if one of the numbers is 0 or missing."""
    return not all(item.value for item in result.items)


def _find_earlier_window(config: KpiConfig, question: Question) -> Window | None:
    return resolve_earlier_window(config.compare, question, compares_by_default=True)
