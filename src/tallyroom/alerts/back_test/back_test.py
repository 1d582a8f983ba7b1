"""What an alert would have done in the past 30 days, minute by minute (rules/alerts#preview)."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import repeat
from typing import NamedTuple

from tallyroom.alerts.back_test.minute_queries import MinuteRange
from tallyroom.alerts.back_test.minutes import Minutes, WindowSeries, find_minutes, window_series
from tallyroom.alerts.evaluation.conditions import Exactly, Sample, holds
from tallyroom.alerts.evaluation.incidents import change_of
from tallyroom.alerts.evaluation.observation import windows_of
from tallyroom.alerts.rule import AlertRule
from tallyroom.core.clock import Clock
from tallyroom.core.offload import SideThread
from tallyroom.core.times import DAY_MS, MINUTE_MS
from tallyroom.queries.answer import carry_out
from tallyroom.queries.values import Value
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope

DAYS = 30
MAX_INCIDENTS = 500
MAX_POINTS = 720

_MAX_WAITING = 16
_MINUTES = DAYS * DAY_MS // MINUTE_MS


class PastIncident(NamedTuple):
    """An incident that would have been; `resolved_at_ms` is None if it would still be open."""

    fired_at_ms: int
    resolved_at_ms: int | None
    value: Value


class BackTest(NamedTuple):
    """The result of a back-test.

    Attributes:
        from_ms, until_ms: the beats lie after the one and up to the other.
        fired: the number of incidents; `incidents` has the first `MAX_INCIDENTS` of them.
        points: the values at some beats, evenly spread, the last of them at `until_ms`.
    """

    from_ms: int
    until_ms: int
    fired: int
    incidents: list[PastIncident]
    points: list[tuple[int, Value]]


class BackTests:
    """Runs back-tests; a thread of its own puts the windows together, one back-test after the other.

    What alerts tell does not wait for them: the recent values have another thread.

    Args:
        reader: reads the event store.
        clock: says up to when.
    """

    def __init__(self, reader: EventReader, clock: Clock) -> None:
        self._reader = reader
        self._clock = clock
        self._thread = SideThread("back-test", _MAX_WAITING)
        self._recent = SideThread("recent-values", _MAX_WAITING)

    async def run(self, rule: AlertRule, scope: Scope) -> BackTest:
        """Return what an alert with this rule would have done.

        Raises:
            Unavailable: the store cannot answer now or within its limits, or too many other back-tests are waiting.
        """
        last = self._clock.now_ms() // MINUTE_MS
        time_range = _span(rule, last - _MINUTES + 1, last)
        await self._reader.fresh()
        cells = await carry_out(find_minutes(rule, time_range), self._reader, scope)
        return await self._thread.run(back_test, rule, time_range, cells)

    async def recent_values(self, rule: AlertRule, scope: Scope, until_ms: int) -> list[tuple[int, Value]]:
        """Return the value at each of the last beats, as many as the window has minutes.

        Raises:
            Unavailable: as `run`.
        """
        last = until_ms // MINUTE_MS
        time_range = MinuteRange(last - rule.window_minutes + 1, last, rule.window_minutes)
        cells = await carry_out(find_minutes(rule, time_range), self._reader, scope)
        values = (await self._recent.run(window_series, rule, time_range, cells)).values
        return [((time_range.first + index) * MINUTE_MS, value) for index, value in enumerate(values)]

    async def close(self) -> None:
        """Wait for the current back-test."""
        await self._thread.close()
        await self._recent.close()


def back_test(rule: AlertRule, time_range: MinuteRange, cells: Minutes) -> BackTest:
    """Judge each minute from the 30 days before the end of a time range, as the live evaluation would have."""
    series = window_series(rule, time_range, cells)
    values = series.values[-_MINUTES:]
    first = time_range.last - len(values) + 1
    incidents, fired = _incidents(rule, series, time_range)
    spacing = len(values) // MAX_POINTS
    return BackTest(
        from_ms=(first - 1) * MINUTE_MS,
        until_ms=time_range.last * MINUTE_MS,
        fired=fired,
        incidents=incidents,
        points=[((first + index) * MINUTE_MS, values[index]) for index in range(spacing - 1, len(values), spacing)],
    )


def _span(rule: AlertRule, first: int, last: int) -> MinuteRange:
    """Return the time range of the beats and of the earlier windows with which they are compared."""
    windows = windows_of(rule)
    return MinuteRange(first - (windows.number - 1) * windows.step_ms // MINUTE_MS, last, rule.window_minutes)


def _incidents(rule: AlertRule, series: WindowSeries, time_range: MinuteRange) -> tuple[list[PastIncident], int]:
    """Return the first incidents, and the number of all."""
    incidents: list[PastIncident] = []
    fired, firing = 0, False
    for minute, events, value, earlier, exactly in _beats(rule, series, time_range):
        is_true = holds(rule, events, value, earlier, exactly)
        change = change_of(rule, value, firing=firing, holds=is_true)
        firing = firing if change is None else is_true
        if change == "fired":
            fired += 1
            if fired <= MAX_INCIDENTS:
                incidents.append(PastIncident(minute * MINUTE_MS, None, value))
        elif change == "resolved" and fired <= MAX_INCIDENTS:
            incidents[-1] = incidents[-1]._replace(resolved_at_ms=minute * MINUTE_MS)
    return incidents, fired


def _beats(
    rule: AlertRule, series: WindowSeries, time_range: MinuteRange
) -> Iterator[tuple[int, int, Value, Sequence[Sample], Exactly | None]]:
    """Yield each minute with its window, the earlier windows that the condition compares with, and the exact values."""
    windows = windows_of(rule)
    step = windows.step_ms // MINUTE_MS
    lead = (windows.number - 1) * step
    numbers = range(time_range.first + lead, time_range.last + 1)
    samples = (
        [Sample(events, value) for events, value in zip(series.events, series.values, strict=True)] if lead else []
    )
    back = [samples[lead - number * step :] for number in range(1, windows.number)]
    earlier: Iterable[Sequence[Sample]] = zip(*back, strict=False) if back else repeat(())
    exact: Iterable[Exactly | None] = repeat(None)
    if back:
        exact = (
            partial(_exactly, series, range(index, index - lead - 1, -step))
            for index in range(lead, len(series.values))
        )
    return zip(numbers, series.events[lead:], series.values[lead:], earlier, exact, strict=False)


def _exactly(series: WindowSeries, places: range) -> list[Fraction | None]:
    return [series.fraction(index) for index in places]
