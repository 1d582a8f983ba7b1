"""The window of a time range at a moment, and the window before it (rules/questions#window)."""

from zoneinfo import ZoneInfo

from tallyroom.core.ranges import RANGE_DURATION_MS, FixedRange, TimeRange
from tallyroom.core.times import DAY_MS
from tallyroom.queries.calendar import Period, day_start_ms, first_day_of_period, local_time, shift_ms_or_month_end
from tallyroom.queries.window import Window

_CURRENT_PERIOD_BY_RANGE: dict[str, Period] = {"today": "day", "wtd": "week", "mtd": "month", "ytd": "year"}
_PAST_PERIOD_BY_RANGE: dict[str, Period] = {"yesterday": "day", "last_week": "week", "last_month": "month"}
_MONTHS_BACK = 11


def resolve_window(time_range: TimeRange, now_ms: int, timezone: str, first_event_ms: int | None = None) -> Window:
    """Return the window of a time range at `now_ms`; only `all` needs `first_event_ms`, None if there is no event."""
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
    start_ms, end_ms = (day_start_ms(first_day_of_period(today, period, periods_back), zone) for periods_back in (1, 0))
    return Window(start_ms, end_ms - 1)


def find_window_before(time_range: TimeRange, window: Window, timezone: str) -> Window | None:
    """Return the window before a time range's window; None for the time range `all`.

    A rolling or fixed window has one of the same length, whole local days as many days. The elapsed part of a period
    has the same part of the last one.
    """
    if isinstance(time_range, FixedRange):
        return Window(_find_fixed_start_before(window, ZoneInfo(timezone)), window.from_ms - 1)
    if time_range in RANGE_DURATION_MS:
        return Window(window.from_ms - RANGE_DURATION_MS[time_range], window.from_ms - 1)
    if time_range == "all":
        return None
    zone = ZoneInfo(timezone)
    first_day = local_time(window.from_ms, zone).date()
    if past_period := _PAST_PERIOD_BY_RANGE.get(time_range):
        return Window(day_start_ms(first_day_of_period(first_day, past_period, 1), zone), window.from_ms - 1)
    period = _CURRENT_PERIOD_BY_RANGE.get(time_range, "year")
    start_day = first_day_of_period(first_day, period, 1)
    if time_range == "12mo":
        start_day = first_day_of_period(first_day, "month", _MONTHS_BACK + 1)
    end_ms = shift_ms_or_month_end(window.until_ms, period, -1, zone)
    return Window(day_start_ms(start_day, zone), min(end_ms, window.from_ms - 1))


def _find_fixed_start_before(window: Window, zone: ZoneInfo) -> int:
    """Return where as many local days begin before a window of whole ones, or as much time before another window."""
    end_ms = window.until_ms + 1
    duration_ms = end_ms - window.from_ms
    if not (_is_day_start(window.from_ms, zone) and _is_day_start(end_ms, zone)):
        return window.from_ms - duration_ms
    day_count = round(duration_ms / DAY_MS)  # a date that the zone skipped is no day
    noon_ms = window.from_ms - day_count * DAY_MS + DAY_MS // 2
    return day_start_ms(local_time(noon_ms, zone).date(), zone)


def _is_day_start(ms: int, zone: ZoneInfo) -> bool:
    return day_start_ms(local_time(ms, zone).date(), zone) == ms
