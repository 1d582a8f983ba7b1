"""Alerts in plain Python: what a rule sees at a beat and whether it fires, from the sentences of rules/alerts."""

import statistics
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import msgspec
from hypothesis import strategies as st

from harness.builders.events import NAMES, numbers
from harness.builders.events import filters as some_filters
from harness.oracles.filters import matching
from harness.oracles.formulas import fraction, shown
from harness.oracles.measures import measure
from harness.stores.questions import Happened
from tallyroom.alerts.rule import AlertRule
from tallyroom.queries.counted_measure import CountedMeasure
from tallyroom.queries.event_choice import chosen_event_names
from tallyroom.queries.filters import Filter, check_filters
from tallyroom.queries.formula import parse_expression
from tallyroom.queries.values import Value

MINUTE_MS = 60_000
DAY_MS = 86_400_000

_MEASURES: list[tuple[str, str | None]] = [
    ("count", None),
    ("uniq_actors", None),
    *((name, "n") for name in ("sum", "avg", "min", "max", "uniq", "median", "p95", "p99")),
    ("uniq", "tags"),
    ("uniq", "_source"),
]


def _fits(filter_: dict[str, Any]) -> bool:
    try:
        check_filters(msgspec.convert([filter_], tuple[Filter, ...]), [])
    except ValueError:
        return False
    return True


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
    if "formula" in given:
        usual |= {"event": None, "measure": None}
    return msgspec.convert(usual | given, AlertRule)


def rules(windows: Sequence[int]) -> st.SearchStrategy[AlertRule]:
    """Any rule, one of four with a formula."""
    conditions = st.sampled_from(["above", "below", "rises", "drops", "nodata", "anomaly"])
    of_measures = st.builds(
        lambda measured, event: {"measure": measured[0], "property": measured[1], "event": event},
        st.sampled_from(_MEASURES),
        st.sampled_from(NAMES),
    )
    return st.builds(
        lambda watched, **given: rule(**watched, **given),
        st.one_of(of_measures, of_measures, of_measures, formulas.map(lambda formula: {"formula": formula})),
        filters=st.lists(some_filters.filter(_fits), max_size=2),
        condition=conditions,
        threshold=st.one_of(st.sampled_from([0, 1, 2, 3, 10, 50, 100]), numbers.map(abs)),
        window_minutes=st.sampled_from(windows),
    )


_EXPRESSIONS = {
    "a": "a * 2 - 1",
    "ab": "a / b * 100",
    "abc": "(a - b) / (c - 1) + 0.1",
    "abcd": "-(a * b) / (c + d) - a / 3",
}
_CHOSEN: list[dict[str, Any]] = [{"event": "a"}, {"event": "b"}, {"events": ["b", "c"]}, {"events": "all"}]
_part = st.builds(
    lambda measured, chosen, filters: chosen | {"measure": measured[0], "property": measured[1], "filters": filters},
    st.sampled_from([each for each in _MEASURES if each[0] not in {"median", "p95", "p99"}]),
    st.sampled_from(_CHOSEN),
    st.lists(some_filters.filter(_fits), max_size=1),
)
formulas: st.SearchStrategy[dict[str, Any]] = st.sampled_from(sorted(_EXPRESSIONS)).flatmap(
    lambda names: st.fixed_dictionaries(dict.fromkeys(names, _part) | {"expression": st.just(_EXPRESSIONS[names])})
)
"""Formulas whose parts are measures that plain Python finds to the last bit."""


class Oracle:
    """One rule over some events."""

    def __init__(self, of: AlertRule, events: Iterable[Happened]) -> None:
        self._rule = of
        happened = sorted(events, key=lambda each: each.at_ms)
        self._parts = {name: _PartOracle(part, happened) for name, part in of.measure_by_part_name.items()}
        self._computed = lru_cache(None)(self._compute)

    def window(self, end_ms: int) -> tuple[int, Value]:
        """The number of events in ``(end - window, end]``, and what is measured over them."""
        found = [part.window(end_ms, self._rule.window_minutes) for part in self._parts.values()]
        return sum(events for events, _ in found), self._computed(tuple(value for _, value in found))

    def lacks_a_value(self, beat_ms: int) -> bool:
        """Whether there is nothing at a beat by which to say that the condition is false."""
        return self._rule.condition != "nodata" and self.window(beat_ms)[1] is None

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

    def _compute(self, values: tuple[Value, ...]) -> Value:
        if self._rule.formula is None:
            return values[0]
        return shown(
            fraction(parse_expression(self._rule.formula.expression), dict(zip(self._parts, values, strict=True)))
        )


class _PartOracle:
    """A measure of some events."""

    def __init__(self, of: CountedMeasure, events: Sequence[Happened]) -> None:
        names = chosen_event_names(of)
        named = [each for each in events if names is None or each.name in names]
        self._counted = of
        self._events = matching(named, msgspec.to_builtins(of.filters))
        self._times = [each.at_ms for each in self._events]
        self._measured = lru_cache(None)(self._measure)

    def window(self, end_ms: int, minutes: int) -> tuple[int, Value]:
        since = bisect_right(self._times, end_ms - minutes * MINUTE_MS)
        until = bisect_right(self._times, end_ms)
        return until - since, self._measured(since, until)

    def _measure(self, since: int, until: int) -> Value:
        return measure(self._counted.measure, self._counted.property, self._events[since:until])


def incidents_of(oracle: Oracle, beats: Iterable[int]) -> list[tuple[int, int | None, float | None]]:
    """When each incident began and ended, and the value with which it began."""
    found: list[tuple[int, int | None, float | None]] = []
    is_open = False
    for beat in beats:
        fires = oracle.fires(beat)
        if fires and not is_open:
            found.append((beat, None, oracle.window(beat)[1]))
        elif is_open and not fires:
            if oracle.lacks_a_value(beat):
                continue
            found[-1] = (found[-1][0], beat, found[-1][2])
        is_open = fires
    return found
