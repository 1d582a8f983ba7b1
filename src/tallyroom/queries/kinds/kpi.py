"""KPI: up to six numbers, each next to its value in the window before (rules/questions#kpi)."""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tallyroom.queries.buckets import TimePoint, buckets_of
from tallyroom.queries.compared_numbers import CountedMeasure, check_counted, compare, follow
from tallyroom.queries.comparison import both, compared_window
from tallyroom.queries.config import Display, Good, Result, SegmentedConfig, display_of
from tallyroom.queries.data_point import Spot, check_form, no_such
from tallyroom.queries.event_choice import title_of
from tallyroom.queries.evidence import Evidence
from tallyroom.queries.kind import Kind, Path, as_it_is
from tallyroom.queries.measure_evidence import evidence_of
from tallyroom.queries.query_plan import QueryPlan
from tallyroom.queries.question import Comparison, Question
from tallyroom.queries.values import Value
from tallyroom.queries.window import Window

MAX_ITEMS = 6
MAX_LABEL = 120


class KpiItem(CountedMeasure, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """One number; without a label it goes by the name of its event."""

    label: Annotated[str, Meta(min_length=1, max_length=MAX_LABEL)] | None = None
    good: Good | None = None

    @property
    def shown_as(self) -> str:
        """The name to show for it."""
        return self.label or title_of(self)


class KpiConfig(SegmentedConfig, frozen=True, kw_only=True, rename="camel"):
    """The numbers, and what comes with each.

    Attributes:
        items: the numbers, in the order in which they are shown.
        compare: with what; by default with the window before.
        sparklines: whether each number comes with its points over time.
    """

    items: Annotated[tuple[KpiItem, ...], Meta(min_length=1, max_length=MAX_ITEMS)]
    compare: Comparison | None = None
    sparklines: bool = False


class KpiNumber(msgspec.Struct):
    """One number, as a counter answers it; with sparklines, its points over time as well."""

    label: str
    value: Value
    previous: Value
    delta: float | None
    points: list[TimePoint] | UnsetType = UNSET


class Kpi(Result, tag="kpi", kw_only=True):
    """The numbers, in the order of the config."""

    items: list[KpiNumber]


def check(config: KpiConfig, path: Path) -> None:
    """Refuse items whose fields do not fit together."""
    for index, item in enumerate(config.items):
        check_counted(item, [*path, "items", index])


def query_plan(config: KpiConfig, question: Question) -> QueryPlan[Kpi]:
    """Compute all numbers with one query, and all of their points with another."""
    comparisons = yield from compare(config.items, question, _before(config, question))
    numbers = [
        KpiNumber(item.shown_as, comparison.value, comparison.previous, comparison.delta)
        for item, comparison in zip(config.items, comparisons, strict=True)
    ]
    if config.sparklines:
        sparklines = yield from follow(config.items, question, buckets_of(None, question, several=True))
        for number, sparkline in zip(numbers, sparklines, strict=True):
            number.points = sparkline.points
    return Kpi(items=numbers)


def display(config: KpiConfig) -> Display:
    """Show the names of the numbers and which direction is good, but not what they measure."""
    usual: Good = (config.display and config.display.good) or "none"
    goods = [item.good or usual for item in config.items] if any(item.good for item in config.items) else None
    return display_of(config, labels=[item.shown_as for item in config.items], goods=goods)


def covers(config: KpiConfig, question: Question) -> Window:
    """Include the window that the numbers are compared with."""
    return both(question.window, _before(config, question))


def behind(config: KpiConfig, question: Question, spot: Spot) -> QueryPlan[Evidence]:
    """Find the events behind one of the numbers."""
    yield from ()
    check_form(spot, ("item",))
    if not isinstance(spot.item, int) or spot.item >= len(config.items):
        raise no_such("item", f"is not the number of an item, which go from 0 to {len(config.items) - 1}")
    return evidence_of(config.items[spot.item], question)


def _before(config: KpiConfig, question: Question) -> Window | None:
    return compared_window(config.compare, question, default=True)


KPI = Kind(
    name="kpi",
    config=KpiConfig,
    results=(Kpi,),
    check=check,
    query_plan=query_plan,
    display=display,
    published=as_it_is,
    behind=behind,
    covers=covers,
)
