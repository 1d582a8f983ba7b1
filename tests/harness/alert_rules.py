"""Alerts in plain Python: what a rule sees at a beat and whether it fires, from the sentences of rules/alerts."""

import statistics
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import msgspec
from hypothesis import strategies as st

from harness.asking import Happened
from harness.filtering import matching
from harness.making import NAMES, numbers
from harness.making import filters as some_filters
from harness.measuring import measure
from tallyroom.alerts.rule import AlertRule
from tallyroom.engine.filters import Filter, check_filters

MINUTE_MS = 60_000
DAY_MS = 86_400_000

_MEASURES: list[tuple[str, str | None]] = [
    ("count", None),
    ("uniq_actors", None),
    *((name, "n") for name in ("sum", "avg", "min", "max", "uniq", "median", "p95", "p99")),
    ("uniq", "tags"),
    ("uniq", "_source"),
]


def rule(**given: Any) -> AlertRule:
    """A rule that fires when more than 2 events come within 5 minutes, changed as given."""
    usual: dict[str, Any] = {
        "event": "a",
        "measure": "count",
        "property": None,
        "filters": [],
        "condition": "above",
        "threshold": 2,
        "window_minutes": 5,
    }
    return msgspec.convert(usual | given, AlertRule)


def rules(windows: Sequence[int]) -> st.SearchStrategy[AlertRule]:
    """Any rule."""
    conditions = st.sampled_from(["above", "below", "rises", "drops", "nodata", "anomaly"])
    return st.builds(
        lambda measured, **given: rule(measure=measured[0], property=measured[1], **given),
        st.sampled_from(_MEASURES),
        event=st.sampled_from(NAMES),
        filters=st.lists(some_filters.filter(_fits), max_size=2),
        condition=conditions,
        threshold=st.one_of(st.sampled_from([0, 1, 2, 3, 10, 50, 100]), numbers.map(abs)),
        window_minutes=st.sampled_from(windows),
    )


def _fits(filter_: dict[str, Any]) -> bool:
    try:
        check_filters(msgspec.convert([filter_], tuple[Filter, ...]), [])
    except ValueError:
        return False
    return True


class Oracle:
    """One rule over some events."""

    def __init__(self, of: AlertRule, events: Iterable[Happened]) -> None:
        self._rule = of
        filters = msgspec.to_builtins(of.filters)
        named = [each for each in events if each.name == of.event]
        self._events = sorted(matching(named, filters), key=lambda each: each.at_ms)
        self._times = [each.at_ms for each in self._events]
        self._measured = lru_cache(None)(self._measure)

    def window(self, end_ms: int) -> tuple[int, float | None]:
        """The number of events in ``(end - window, end]``, and what is measured over them."""
        since = bisect_right(self._times, end_ms - self._rule.window_minutes * MINUTE_MS)
        until = bisect_right(self._times, end_ms)
        return until - since, self._measured(since, until)

    def fires(self, beat_ms: int) -> bool:
        """Whether the condition is true at a beat."""
        events, value = self.window(beat_ms)
        threshold = self._rule.threshold
        if self._rule.condition == "nodata":
            return events == 0
        if value is None or threshold is None:
            return False
        if self._rule.condition == "anomaly":
            return self._is_strange(value, threshold, beat_ms)
        before = self.window(beat_ms - self._rule.window_minutes * MINUTE_MS)[1]
        change = (value - before) / abs(before) * 100 if before else 0
        return {
            "above": value > threshold,
            "below": value < threshold,
            "rises": bool(before) and change > threshold,
            "drops": bool(before) and -change > threshold,
        }[self._rule.condition]

    def _is_strange(self, value: float, threshold: float, beat_ms: int) -> bool:
        days = [self.window(beat_ms - day * DAY_MS) for day in range(1, 15)]
        past = [each for events, each in days if events and each is not None]
        if len(past) < 7:
            return False
        mean, deviation = statistics.fmean(past), statistics.pstdev(past) or abs(past[0]) / 100
        return deviation > 0 and abs(value - mean) > threshold * deviation

    def _measure(self, since: int, until: int) -> float | None:
        return measure(self._rule.measure, self._rule.property, self._events[since:until])


def incidents_of(oracle: Oracle, beats: Iterable[int]) -> list[tuple[int, int | None, float | None]]:
    """When each incident began and ended, and the value with which it began."""
    found: list[tuple[int, int | None, float | None]] = []
    is_open = False
    for beat in beats:
        fires = oracle.fires(beat)
        if fires and not is_open:
            found.append((beat, None, oracle.window(beat)[1]))
        elif is_open and not fires:
            found[-1] = (found[-1][0], beat, found[-1][2])
        is_open = fires
    return found
