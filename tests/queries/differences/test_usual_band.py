"""Where a number usually is: the same time of the eight weeks before (rules/questions#usual-band)."""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from harness.builders.moments import ms
from harness.builders.varied_history import make_history
from harness.oracles.differences import expected_band
from harness.oracles.filters import labels_of
from harness.oracles.measures import measure
from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import Happened, checked, insert_each, question
from tallyroom.core.times import DAY_MS, HOUR_MS
from tallyroom.dashboards.kinds.formula.kind import FORMULA
from tallyroom.dashboards.kinds.metric.kind import METRIC
from tallyroom.queries.answer import run_query_plan
from tallyroom.queries.buckets import Buckets
from tallyroom.queries.data_point import DataPoint
from tallyroom.queries.differences.usual_band import find_usual_band, list_earlier_windows
from tallyroom.queries.differences.usual_values import query_values
from tallyroom.queries.measures import COUNTS
from tallyroom.queries.window import Window

DAY = "2026-11-19T00:00:00.000Z"
WEEKS_MS = [NOW_MS - NOW_MS % DAY_MS - DAY_MS - weeks * 7 * DAY_MS for weeks in range(8, 0, -1)]


@pytest.mark.parametrize("is_count", [True, False])
def test_a_band_is_the_median_and_its_margin(*, is_count: bool) -> None:
    source = Random(1)
    for _ in range(500):
        values = [source.choice([None, source.randint(-5, 50), source.random() * 1000]) for _ in range(8)]
        band = find_usual_band(values, is_count=is_count)
        assert msgspec.to_builtins(band) == pytest.approx(expected_band(values, is_count=is_count))


def test_three_values_are_no_band() -> None:
    assert find_usual_band([1, 2, 3, None, None], is_count=True) is None
    assert find_usual_band([0, 0, 0, 0], is_count=True) is not None


def test_weeks_follow_the_clocks() -> None:
    """Berlin goes back to standard time on 25 October, and its Sunday of 25 hours is a whole day."""
    sunday = Window(ms("2026-11-14T23:00"), ms("2026-11-15T22:59:59.999"))
    windows = list_earlier_windows(sunday, "Europe/Berlin", 0)
    lengths = [window.until_ms + 1 - window.from_ms for window in windows]
    assert (windows[-3], lengths) == (
        Window(ms("2026-10-24T22:00"), ms("2026-10-25T22:59:59.999")),
        [24 * HOUR_MS] * 5 + [25 * HOUR_MS] + [24 * HOUR_MS] * 2,
    )


def test_an_hour_that_was_no_hour_is_a_gap() -> None:
    """At 02:00 on 25 October, clocks in Berlin show two hours; at 02:00 on 29 March, none."""
    repeated = list_earlier_windows(Window(ms("2026-11-01T01:00"), ms("2026-11-01T01:59:59.999")), "Europe/Berlin", 0)
    skipped = list_earlier_windows(Window(ms("2026-04-05T00:00"), ms("2026-04-05T00:59:59.999")), "Europe/Berlin", 0)
    assert (len(repeated), len(skipped)) == (7, 7)


def test_weeks_before_the_first_event_are_no_history() -> None:
    day = Window(ms("2026-11-19T00:00"), ms("2026-11-19T23:59:59.999"))
    assert len(list_earlier_windows(day, "UTC", ms("2026-10-15T00:00"))) == 5
    assert len(list_earlier_windows(day, "UTC", ms("2026-10-15T00:00:00.001"))) == 4
    assert list_earlier_windows(day, "UTC", None) == []


def test_of_today_counts_what_is_over() -> None:
    buckets = Buckets(window=Window(NOW_MS - DAY_MS, NOW_MS), interval="day", timezone="UTC", now_ms=NOW_MS)
    assert buckets.find_past_window("2026-11-20T00:00:00.000Z") == Window(ms("2026-11-20T00:00"), NOW_MS)
    assert buckets.find_past_window(DAY) == Window(NOW_MS - DAY_MS, ms("2026-11-19T23:59:59.999"))
    later = msgspec.structs.replace(buckets, window=Window(NOW_MS, NOW_MS + 2 * DAY_MS))
    assert later.find_past_window("2026-11-21T00:00:00.000Z") is None


COUNT = {"events": "all", "measure": "count", "overTime": True, "interval": "day"}
SUM = COUNT | {"measure": "sum", "property": "amount", "breakdown": "plan", "limit": 1}
TAGS = COUNT | {"measure": "count", "breakdown": "tags"}
MEDIAN = COUNT | {"measure": "median", "property": "amount"}
FEW_HISTORIES, MANY_HISTORIES = 3, 300
MEASURES: list[dict[str, Any]] = [
    {"measure": "count"},
    {"measure": "uniq_actors"},
    {"measure": "uniq", "property": "plan"},
    *({"measure": name, "property": "amount"} for name in ("sum", "avg", "max", "p95")),
]


def plan_labels(event: Happened) -> list[str]:
    return labels_of("plan", event)


@pytest.mark.parametrize(
    ("config", "label", "has"),
    [
        (COUNT, {}, lambda _: True),
        (MEDIAN, {}, lambda _: True),
        (SUM, {"label": "pro"}, lambda event: "pro" in plan_labels(event)),
        (SUM, {"label": None, "kind": "none"}, lambda event: not plan_labels(event)),
        (TAGS, {"label": "x"}, lambda event: "x" in labels_of("tags", event)),
    ],
)
async def test_values_are_what_a_metric_was(
    event_store: EventStore, config: dict[str, Any], label: dict[str, Any], has: Any
) -> None:
    weeks = [make_week(week_ms) for week_ms in WEEKS_MS]
    values = await find_values(event_store, METRIC, config, label, weeks)
    expected = [measure(config["measure"], config.get("property"), filter(has, events)) for events in weeks]
    assert values == [pytest.approx(value) for value in expected]


async def test_values_are_what_a_formula_was(event_store: EventStore) -> None:
    parts = {"a": {"event": "a", "measure": "count"}, "b": {"event": "b", "measure": "count"}}
    config = parts | {"expression": "b / a", "overTime": True, "interval": "day"}
    weeks = [make_week(week_ms) for week_ms in WEEKS_MS]
    values = await find_values(event_store, FORMULA, config, {}, weeks)
    counts = [[sum(event.name == name for event in events) for name in ("b", "a")] for events in weeks]
    assert values == [pytest.approx(dividend / divisor) if divisor else None for dividend, divisor in counts]


@pytest.mark.parametrize("history_count", [FEW_HISTORIES, pytest.param(MANY_HISTORIES, marks=pytest.mark.long)])
async def test_a_band_is_what_brute_force_finds(event_store: EventStore, history_count: int) -> None:
    for seed in range(history_count):
        source = Random(f"band {seed}")
        config: dict[str, Any] = COUNT | source.choice(MEASURES)
        is_labelled, is_count = source.random() < 0.5, config["measure"] in COUNTS
        label, breakdown = ({"label": "pro"}, {"breakdown": "plan"}) if is_labelled else ({}, {})
        weeks = [make_week(week_ms, source) for week_ms in WEEKS_MS]
        values = await find_values(event_store, METRIC, config | breakdown, label, weeks)
        counted = [[event for event in events if not is_labelled or "pro" in plan_labels(event)] for events in weeks]
        band = expected_band(
            [measure(config["measure"], config.get("property"), events) for events in counted], is_count=is_count
        )
        assert msgspec.to_builtins(find_usual_band(values, is_count=is_count)) == pytest.approx(band), seed


async def find_values(
    store: EventStore, kind: Any, config: dict[str, Any], label: dict[str, Any], weeks: Sequence[list[Happened]]
) -> list[Any]:
    scope = fresh_scope()
    beside = [Happened("a", week_ms + offset_ms, "u1") for week_ms in WEEKS_MS for offset_ms in (-1, DAY_MS)]
    insert_each(store, [(scope, [*beside, *(event for events in weeks for event in events)])])
    asked = question("7d")
    plan = kind.find_contrast(checked(kind, config), asked, msgspec.convert(label | {"t": DAY}, DataPoint))
    contrast = await run_query_plan(plan, store.reader, scope)
    assert contrast.measured_point
    windows = list_earlier_windows(contrast.measured_point.past_window, "UTC", 0)
    return await run_query_plan(query_values(contrast.measured_point, windows, asked), store.reader, scope)


def make_week(day_ms: int, source: Random | None = None) -> list[Happened]:
    """Events of one day; of some days, none."""
    source = source or Random(day_ms)
    events = make_history(source)[: source.choice([0, 30, 60])]
    return [moved(event, day_ms) for event in events]


def moved(event: Happened, day_ms: int) -> Happened:
    return Happened(event.name, day_ms + event.at_ms % DAY_MS, event.actor, event.properties, source=event.source)
