"""What an alert would have done in the past 30 days, minute by minute (rules/alerts#preview)."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise, repeat
from typing import NamedTuple

from tallyroom.alerts.back_test.minute_queries import MinuteRange
from tallyroom.alerts.back_test.minutes import MinuteSeriesByPart, WindowSeries, build_window_series, read_minute_series
from tallyroom.alerts.evaluation.conditions import ExactValuesGetter, Sample, is_condition_met
from tallyroom.alerts.evaluation.incidents import find_incident_change
from tallyroom.alerts.evaluation.observation import window_layout_of
from tallyroom.alerts.rule import AlertRule
from tallyroom.core.clock import Clock
from tallyroom.core.offload import SideThread
from tallyroom.core.times import DAY_MS, MINUTE_MS
from tallyroom.queries.answer import run_query_plan
from tallyroom.queries.kept_answers.kept_answers import KeptAnswers
from tallyroom.queries.values import Value
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope

BACK_TEST_DAYS = 30
MAX_INCIDENTS = 500
MAX_POINTS = 720

_MAX_WAITING = 16
_MINUTE_COUNT = BACK_TEST_DAYS * DAY_MS // MINUTE_MS


class PastIncident(NamedTuple):
    """An incident that would have occurred; `resolved_at_ms` is None if it would still be open."""

    fired_at_ms: int
    resolved_at_ms: int | None
    value: Value


class MinuteRuns(NamedTuple):
    """The values at all beats, oldest first: each of `values` is that of as many beats as `lengths` says."""

    values: list[Value]
    lengths: list[int]


class BackTest(NamedTuple):
    """A back-test of the beats with ``from_ms < time <= until_ms``; `incidents` has the first `MAX_INCIDENTS` only."""

    from_ms: int
    until_ms: int
    fired_count: int
    incidents: list[PastIncident]
    points: list[tuple[int, Value]]
    minutes: MinuteRuns


class BackTester:
    """Runs back-tests one after the other in a thread; recent values have their own, so that no message waits."""

    def __init__(self, reader: EventReader, clock: Clock, kept_answers: KeptAnswers | None = None) -> None:
        self._reader = reader
        self._kept_answers = kept_answers
        self._clock = clock
        self._back_test_thread = SideThread("back-test", _MAX_WAITING)
        self._recent_values_thread = SideThread("recent-values", _MAX_WAITING)

    async def run(self, rule: AlertRule, scope: Scope) -> BackTest:
        """Return what an alert with this rule would have done, by the events that are in the store.

        The caller waits for the newest events before. Raises `Unavailable` if the store or the thread is busy.
        """
        last_minute = self._clock.now_ms() // MINUTE_MS
        minute_range = _build_minute_range(rule, last_minute - _MINUTE_COUNT + 1, last_minute)
        series_by_part = await run_query_plan(
            read_minute_series(rule, minute_range), self._reader, scope, kept_answers=self._kept_answers
        )
        return await self._back_test_thread.run(run_back_test, rule, minute_range, series_by_part)

    async def list_recent_values(self, rule: AlertRule, scope: Scope, until_ms: int) -> list[tuple[int, Value]]:
        """Return the value at each of the last beats, one for each minute of the window; raises as `run` does."""
        last_minute = until_ms // MINUTE_MS
        minute_range = MinuteRange(last_minute - rule.window_minutes + 1, last_minute, rule.window_minutes)
        series_by_part = await run_query_plan(read_minute_series(rule, minute_range), self._reader, scope)
        values = (await self._recent_values_thread.run(build_window_series, rule, minute_range, series_by_part)).values
        return [((minute_range.first_minute + index) * MINUTE_MS, value) for index, value in enumerate(values)]

    async def close(self) -> None:
        """Wait for the current back-test."""
        await self._back_test_thread.close()
        await self._recent_values_thread.close()


def run_back_test(rule: AlertRule, minute_range: MinuteRange, series_by_part: MinuteSeriesByPart) -> BackTest:
    """Judge each minute of the last 30 days of a time range, as the live evaluation would have."""
    window_series = build_window_series(rule, minute_range, series_by_part)
    values = window_series.values[-_MINUTE_COUNT:]
    first_minute = minute_range.last_minute - len(values) + 1
    incidents, fired_count = _find_incidents(rule, window_series, minute_range)
    point_spacing = len(values) // MAX_POINTS
    return BackTest(
        from_ms=(first_minute - 1) * MINUTE_MS,
        until_ms=minute_range.last_minute * MINUTE_MS,
        fired_count=fired_count,
        incidents=incidents,
        points=[
            ((first_minute + index) * MINUTE_MS, values[index])
            for index in range(point_spacing - 1, len(values), point_spacing)
        ],
        minutes=_build_minute_runs(values),
    )


def _build_minute_runs(values: Sequence[Value]) -> MinuteRuns:
    starts = [index for index, value in enumerate(values) if not index or value != values[index - 1]]
    lengths = [end - start for start, end in pairwise([*starts, len(values)])]
    return MinuteRuns([values[start] for start in starts], lengths)


def _build_minute_range(rule: AlertRule, first_minute: int, last_minute: int) -> MinuteRange:
    """Return the time range of the beats and of the earlier windows with which they are compared."""
    layout = window_layout_of(rule)
    lead_minutes = (layout.window_count - 1) * layout.step_ms // MINUTE_MS
    return MinuteRange(first_minute - lead_minutes, last_minute, rule.window_minutes)


def _find_incidents(
    rule: AlertRule, window_series: WindowSeries, minute_range: MinuteRange
) -> tuple[list[PastIncident], int]:
    """Return the first incidents, and the number of all."""
    incidents: list[PastIncident] = []
    fired_count, is_firing = 0, False
    for minute, event_count, value, earlier_samples, get_exact_values in _list_beats(rule, window_series, minute_range):
        is_met = is_condition_met(rule, event_count, value, earlier_samples, get_exact_values)
        change = find_incident_change(rule, value, is_firing=is_firing, is_met=is_met)
        is_firing = is_firing if change is None else is_met
        if change == "fired":
            fired_count += 1
            if fired_count <= MAX_INCIDENTS:
                incidents.append(PastIncident(minute * MINUTE_MS, None, value))
        elif change == "resolved" and fired_count <= MAX_INCIDENTS:
            incidents[-1] = incidents[-1]._replace(resolved_at_ms=minute * MINUTE_MS)
    return incidents, fired_count


def _list_beats(
    rule: AlertRule, window_series: WindowSeries, minute_range: MinuteRange
) -> Iterator[tuple[int, int, Value, Sequence[Sample], ExactValuesGetter | None]]:
    """Yield each minute with its window, the earlier windows that the condition compares with, and the exact values."""
    window_layout = window_layout_of(rule)
    step_minutes = window_layout.step_ms // MINUTE_MS
    lead_minutes = (window_layout.window_count - 1) * step_minutes
    minute_numbers = range(minute_range.first_minute + lead_minutes, minute_range.last_minute + 1)
    counts_and_values = zip(window_series.event_counts, window_series.values, strict=True)
    samples = [Sample(event_count, value) for event_count, value in counts_and_values] if lead_minutes else []
    earlier_sample_slices = [
        samples[lead_minutes - steps_back * step_minutes :] for steps_back in range(1, window_layout.window_count)
    ]
    earlier_samples_by_beat: Iterable[Sequence[Sample]] = repeat(())
    getters_by_beat: Iterable[ExactValuesGetter | None] = repeat(None)
    if earlier_sample_slices:
        earlier_samples_by_beat = zip(*earlier_sample_slices, strict=False)
        getters_by_beat = (
            partial(_list_exact_values, window_series, range(index, index - lead_minutes - 1, -step_minutes))
            for index in range(lead_minutes, len(window_series.values))
        )
    event_counts, values = window_series.event_counts[lead_minutes:], window_series.values[lead_minutes:]
    return zip(minute_numbers, event_counts, values, earlier_samples_by_beat, getters_by_beat, strict=False)


def _list_exact_values(window_series: WindowSeries, indexes: range) -> list[Fraction | None]:
    return [window_series.exact_value_at(index) for index in indexes]
