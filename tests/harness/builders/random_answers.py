"""Answers of widgets as nobody would think of them, each from the number of its case: the same number, the same answer."""

from collections.abc import Sequence
from datetime import UTC, datetime
from random import Random
from typing import Any, Literal, NamedTuple
from zoneinfo import ZoneInfo

from msgspec import UNSET, structs

from harness.builders.random_numbers import random_number, random_pair, random_values
from tallyroom.core.times import DAY_MS, HOUR_MS, MINUTE_MS
from tallyroom.dashboards.kinds.funnel.answer import Funnel, FunnelStep
from tallyroom.dashboards.kinds.kpi.question import Kpi, KpiNumber
from tallyroom.queries.breakdown import LabelRow, RestKind
from tallyroom.queries.buckets import Buckets, Interval, TimePoint
from tallyroom.queries.config import Chart, Config, Display, DisplayOptions, GoodDirection, Result
from tallyroom.queries.label_colors import color_labels
from tallyroom.queries.metric_answers import Categorical, Counter, Multiseries, Series, Timeseries
from tallyroom.queries.window import Window

ZONES = (
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "Asia/Kolkata",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",  # its clocks change by half an hour
    "America/St_Johns",
)
LABELS = (
    *("JFK", "ORD", "SFO", "LAX", "EWR", "LGA", "v6", "v11", "😀2", "ﬁ0"),  # some of them have the same hash
    *("Other", "other", "(other)", "(none)", "", " ", "••• 1", "••• 2", "constructor", "__proto__", "+3 more"),
    *("so far", "a label that is so long that no legend has room for all of it, whatever its width", "שלום", "日本"),
    *(f"/command-{number}" for number in range(30)),
)
SPAN_MS: dict[Interval, tuple[int, int]] = {
    "minute": (MINUTE_MS, 2 * HOUR_MS),
    "hour": (HOUR_MS, 8 * DAY_MS),
    "day": (DAY_MS, 200 * DAY_MS),
    "week": (7 * DAY_MS, 3 * 366 * DAY_MS),
    "month": (28 * DAY_MS, 3_660 * DAY_MS),
}
CLOCK_CHANGES = tuple(
    int(datetime.fromisoformat(moment).timestamp() * 1_000)
    for moment in (
        "2026-10-25T01:00Z",
        "2026-03-29T01:00Z",
        "2026-11-01T06:00Z",
        "2026-03-08T07:00Z",
        "2026-04-04T15:00Z",
    )
)
EVENTS = (
    "visit",
    "signup",
    "order",
    "a name of an event that is longer than any card is wide, and longer",
    "日本",
    "😀",
)


class RandomCard(NamedTuple):
    """The answer of a widget of a type, and how it is shown; `colors` are those that the widget has saved for labels."""

    number: int
    type: Literal["metric", "kpi", "funnel"]
    result: Result
    display: Display
    timezone: str
    colors: dict[str, int]

    @property
    def public_result(self) -> Result:
        """The answer with the colors of its labels, as pictures and public pages have it."""
        return color_labels(Config(display=DisplayOptions(colors=self.colors)), self.result)

    @property
    def public_widget(self) -> dict[str, Any]:
        """The widget as the API has it for the public, with its answer as `result`."""
        layout = {"w": 12, "h": 4}
        fields = {"id": f"w{self.number}", "title": "Visits", "type": self.type, "layout": layout, "position": 0}
        return fields | {"display": self.display, "result": self.public_result}


def random_card(number: int) -> RandomCard:
    """Return the card of a case."""
    random = Random(number)
    kind = random.choice(["timeseries", "multiseries", "multiseries", "categorical", "counter", "kpi", "funnel"])
    timezone = random.choice(ZONES)
    colors = {label: random.randint(1, 8) for label in random.sample(LABELS, random.choice([0, 0, 3, 12]))}
    build = BUILD_BY_KIND[kind]
    result = build(random, timezone)
    display = _random_display(random, result)
    type_: Any = kind if kind in {"kpi", "funnel"} else "metric"
    return RandomCard(number, type_, result, display, timezone, colors)


def _random_display(random: Random, result: Result) -> Display:
    has_goal = not isinstance(result, Categorical) and random.random() < 0.4
    charts: Sequence[Chart | None] = (None, "line", "line", "bar", "bar", "area", "area", "pie")
    display = Display(
        chart=random.choice(charts),
        stack=random.choice([None, True, False]),
        legend=random.choice([None, None, None, True, False]),
        axis=random.choice([None, "zero", "fit"]),
        goal=random_number(random) if has_goal else None,
        good=random.choice([None, "up", "down", "none"]),
        decimals=random.choice([None, None, None, 0, 1, 3]),
        unit=random.choice([None, None, "ms", "EUR", "%"]),
        adds_up=random.choice([None, True]),
    )
    if not isinstance(result, Kpi):
        return display
    goods: list[GoodDirection] | None = [random.choice(["up", "down", "none"]) for _ in result.items]
    return structs.replace(display, labels=[item.label for item in result.items], goods=random.choice([None, goods]))


def _random_buckets(random: Random, timezone: str) -> Buckets:
    """Return buckets of a window that begins and ends within them, that has one of them, or that goes on after now."""
    interval: Interval = random.choice(["minute", "hour", "day", "day", "week", "month"])
    shortest_ms, longest_ms = SPAN_MS[interval]
    span_ms = int(shortest_ms * (longest_ms / shortest_ms) ** random.random())
    until_ms = random.choice(
        [
            random.choice(CLOCK_CHANGES) + int(span_ms * random.random()),
            int(datetime(2016, 1, 1, tzinfo=UTC).timestamp() * 1_000) + random.randrange(4_000 * DAY_MS),
        ]
    )
    from_ms = until_ms - span_ms
    if interval not in {"minute", "hour"} and random.random() < 0.5:
        local_start = datetime.fromtimestamp(from_ms / 1_000, ZoneInfo(timezone))
        midnight = local_start.replace(hour=0, minute=0, second=0, microsecond=0)
        from_ms = int(midnight.timestamp() * 1_000)
    now_ms = random.choice([until_ms, until_ms + DAY_MS, from_ms + int((until_ms - from_ms) * random.random())])
    return Buckets(window=Window(from_ms, until_ms), interval=interval, timezone=timezone, now_ms=now_ms)


def _random_points(random: Random, buckets: Buckets) -> list[TimePoint]:
    return buckets.fill_points(zip(buckets.numbers, random_values(random, len(buckets.numbers)), strict=True), None)


def _random_total(random: Random) -> Any:
    return random.choice([UNSET, None, random_number(random), random_number(random), random_number(random)])


def _build_timeseries(random: Random, timezone: str) -> Timeseries:
    buckets = _random_buckets(random, timezone)
    return Timeseries(interval=buckets.interval, points=_random_points(random, buckets), total=_random_total(random))


def _build_multiseries(random: Random, timezone: str) -> Multiseries:
    buckets = _random_buckets(random, timezone)
    labels = _random_labels(random, random.choice([1, 2, 3, 5, 8, 9, 20, 40]))
    series = [
        Series(label, _random_points(random, buckets), kind=kind, total=_random_total(random)) for label, kind in labels
    ]
    return Multiseries(interval=buckets.interval, series=series)


def _random_labels(random: Random, count: int) -> list[tuple[str | None, Any]]:
    labels: list[tuple[str | None, Any]] = [(label, UNSET) for label in random.sample(LABELS, count)]
    kinds: Sequence[RestKind] = random.choice([(), (), ("none",), ("other",), ("none", "other")])
    return [*labels, *((None, kind) for kind in kinds)]


def _build_categorical(random: Random, _timezone: str) -> Categorical:
    labels = _random_labels(random, random.choice([1, 2, 5, 10, 11, 40]))
    values = sorted(random_values(random, len(labels)), key=lambda value: -(value or 0))
    return Categorical(rows=[LabelRow(label, value, kind) for (label, kind), value in zip(labels, values, strict=True)])


def _build_counter(random: Random, _timezone: str) -> Counter:
    value, previous = random_pair(random)
    return Counter(value=value, previous=previous, delta=None)


def _build_kpi(random: Random, _timezone: str) -> Kpi:
    return Kpi(
        items=[KpiNumber(random.choice(EVENTS), *random_pair(random), None) for _ in range(random.randint(1, 6))]
    )


def _build_funnel(random: Random, _timezone: str) -> Funnel:
    counts = [random.choice([0, 1, random.randint(0, 50), int(10 ** random.uniform(0, 8))])]
    for _ in range(random.randint(1, 7)):
        counts.append(random.choice([counts[-1], 0, random.randint(0, counts[-1])]))
    steps = []
    for index, count in enumerate(counts):
        previous_count = counts[max(index - 1, 0)]
        left_count = count - counts[index + 1] if index + 1 < len(counts) else 0
        steps.append(
            FunnelStep(
                event=random.choice(EVENTS),
                count=count,
                rate=count / counts[0] if counts[0] else 0.0,
                step_rate=count / previous_count if previous_count else float(not index),
                waiting=random.choice([0, 0, left_count, random.randint(0, left_count)]),
                median_seconds_from_previous=None if not index or not count else 10 ** random.uniform(-3, 7),
            )
        )
    return Funnel(unit_kind=random.choice(["actor", "group"]), steps=steps)


BUILD_BY_KIND: dict[str, Any] = {
    "timeseries": _build_timeseries,
    "multiseries": _build_multiseries,
    "categorical": _build_categorical,
    "counter": _build_counter,
    "kpi": _build_kpi,
    "funnel": _build_funnel,
}
