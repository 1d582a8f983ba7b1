"""The window of a time range at a moment, and the window before it (rules/questions#window)."""

from zoneinfo import ZoneInfo

from tallyroom.core.ranges import RANGE_DURATION_MS, FixedRange, TimeRange
from tallyroom.queries.calendar import Period, day_start_ms, first_day_of_period, local_time, shift_ms_or_month_end
from tallyroom.queries.window import Window

_CURRENT_PERIOD_BY_RANGE: dict[str, Period] = {"today": "day", "wtd": "week", "mtd": "month", "ytd": "year"}
_PAST_PERIOD_BY_RANGE: dict[str, Period] = {"yesterday": "day", "last_week": "week", "last_month": "month"}
_MONTHS_BACK = 11


def resolve_window(time_range: TimeRange, now_ms: int, timezone: str, first_event_ms: int | None = None) -> Window:
    """Return the window of a time range at `now_ms`, by the calendar of `timezone`.

    Only the time range `all` needs `first_event_ms`; it is None if there is no event.
    """
    if isinstance(time_range, FixedRange):
        return Window(time_range.from_ms, time_range.to_ms - 1)
    if time_range in RANGE_DURATION_MS:
        return Window(now_ms - RANGE_DURATION_MS[time_range], now_ms)
    if time_range == "all":
        return Window(now_ms if first_event_ms is None else min(first_event_ms, now_ms), now_ms)
    zone = ZoneInfo(timezone)
    today = local_time(now_ms, zone).date()
    if time_range == "12mo":
        return Window(day_start_ms(first_day_of_period(today, "month", _MONTHS_BACK), zone), now_ms)
    if period := _CURRENT_PERIOD_BY_RANGE.get(time_range):
        return Window(day_start_ms(first_day_of_period(today, period), zone), now_ms)
    period = _PAST_PERIOD_BY_RANGE[time_range]
    return Window(
        day_start_ms(first_day_of_period(today, period, 1), zone),
        day_start_ms(first_day_of_period(today, period), zone) - 1,
    )


def find_window_before(time_range: TimeRange, window: Window, timezone: str) -> Window | None:
    """Return the window before a time range's window; None for the time range `all`.

    The window before a rolling or fixed window has the same length and ends where that one begins. For the elapsed part
    of a day, week, month or year, it is the same part of the previous one.
    """
    if isinstance(time_range, FixedRange):
        return Window(2 * window.from_ms - window.until_ms - 1, window.from_ms - 1)
    if time_range in RANGE_DURATION_MS:
        return Window(window.from_ms - RANGE_DURATION_MS[time_range], window.from_ms - 1)
    if time_range == "all":
        return None
    zone = ZoneInfo(timezone)
    first_day = local_time(window.from_ms, zone).date()
    if time_range in _PAST_PERIOD_BY_RANGE:
        return Window(
            day_start_ms(first_day_of_period(first_day, _PAST_PERIOD_BY_RANGE[time_range], 1), zone), window.from_ms - 1
        )
    period = _CURRENT_PERIOD_BY_RANGE.get(time_range, "year")
    start_day = (
        first_day_of_period(first_day, "month", _MONTHS_BACK + 1)
        if time_range == "12mo"
        else first_day_of_period(first_day, period, 1)
    )
    end_ms = shift_ms_or_month_end(window.until_ms, period, -1, zone)
    return Window(day_start_ms(start_day, zone), min(end_ms, window.from_ms - 1))
