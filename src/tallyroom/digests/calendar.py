"""When a digest is due, by the clocks of its time zone (rules/digests#due-times)."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

from tallyroom.core.times import MINUTE_MS, datetime_from_ms

DigestCadence = Literal["daily", "weekly", "monthly"]

_ONE_DAY = timedelta(days=1)
_SEARCH_MARGIN = 2 * _ONE_DAY  # clocks have skipped a whole day, and a due time can be a day away from its date in UTC


class DigestCalendar(NamedTuple):
    """The days and the hour at which a digest is due, by the clocks of `timezone`.

    `weekday` is for a weekly digest; 0 is Sunday. `day_of_month` is for a monthly one; a shorter month uses its last
    day.
    """

    cadence: DigestCadence
    send_hour: int
    weekday: int | None
    day_of_month: int | None
    timezone: str

    def next_due_ms(self, time_ms: int) -> int:
        """Return the first due time after `time_ms`, in milliseconds since 1970-01-01 UTC."""
        days = self._due_days(self._local_day_of(time_ms) - _SEARCH_MARGIN, _ONE_DAY)
        return next(due_ms for due_ms in map(self._due_ms, days) if due_ms > time_ms)

    def latest_due_ms(self, time_ms: int) -> int:
        """Return the newest due time up to `time_ms`, inclusive."""
        days = self._due_days(self._local_day_of(time_ms) + _SEARCH_MARGIN, -_ONE_DAY)
        return next(due_ms for due_ms in map(self._due_ms, days) if due_ms <= time_ms)

    def _local_day_of(self, time_ms: int) -> date:
        return datetime_from_ms(time_ms).astimezone(ZoneInfo(self.timezone)).date()

    def _due_days(self, day: date, step: timedelta) -> Iterator[date]:
        """Return the days on which it is due, from `day` on, forwards or backwards."""
        while True:
            if self._is_due_day(day):
                yield day
            day += step

    def _is_due_day(self, day: date) -> bool:
        if self.cadence == "weekly":
            return day.isoweekday() % 7 == self.weekday
        if self.cadence == "monthly":
            is_last_of_month = (day + _ONE_DAY).day == 1
            return day.day == self.day_of_month or (is_last_of_month and day.day < (self.day_of_month or 0))
        return True

    def _due_ms(self, day: date) -> int:
        """Return the moment at which clocks first show the hour on this day, or the first moment after they skip it."""
        zone = ZoneInfo(self.timezone)
        local_time = datetime.combine(day, time(self.send_hour))
        due_ms, before_ms = (_local_to_ms(local_time, zone, fold) for fold in (0, 1))
        if _ms_to_local(due_ms, zone) == local_time:
            return due_ms
        while due_ms - before_ms > MINUTE_MS:  # clocks skip over it between these two
            middle_ms = (before_ms + due_ms) // (2 * MINUTE_MS) * MINUTE_MS
            if _ms_to_local(middle_ms, zone) < local_time:
                before_ms = middle_ms
            else:
                due_ms = middle_ms
        return due_ms


def _local_to_ms(local_time: datetime, zone: ZoneInfo, fold: int) -> int:
    return round(local_time.replace(tzinfo=zone, fold=fold).timestamp() * 1000)


def _ms_to_local(time_ms: int, zone: ZoneInfo) -> datetime:
    """Return what the clocks in the zone show."""
    return datetime_from_ms(time_ms).astimezone(zone).replace(tzinfo=None)
