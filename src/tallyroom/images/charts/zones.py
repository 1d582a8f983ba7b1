"""Moments on the clocks of a time zone: the ticks of an axis, and a moment in words (fixtures/charts/zones.json)."""

from datetime import UTC, datetime, timedelta, tzinfo

from tallyroom.images.charts.time_ticks import Tick, described, time_ticks

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def zoned_ticks(low: float, high: float, most: int, zone: tzinfo) -> list[Tick]:
    """Return at most `most` moments at which a unit of the zone's calendar or clock begins; see `time_ticks`.

    A time that the clocks skip has no tick; of a time that they show twice, only the first moment has one.
    """
    if zone is UTC:
        return time_ticks(low, high, most)
    local_ticks = time_ticks(_shown(low, zone), _shown(high, zone), most)
    ticks = [Tick(_moment(clock_time, zone), label) for clock_time, label in local_ticks]
    return [
        tick
        for tick, (clock_time, _) in zip(ticks, local_ticks, strict=True)
        if low <= tick.at <= high and _shown(tick.at, zone) == clock_time
    ]


def told_moment(at: float, zone: tzinfo) -> str:
    """Describe a moment in words; see `described`. Only in UTC, the zone is named."""
    return described(at) if zone is UTC else described(_shown(at, zone)).removesuffix(" UTC")


def _shown(at: float, zone: tzinfo) -> float:
    """Return what the zone's clocks show at a moment, as if it were UTC."""
    offset = (_EPOCH + timedelta(seconds=at)).astimezone(zone).utcoffset()
    return at + (offset or timedelta()).total_seconds()


def _moment(clock_time: float, zone: tzinfo) -> float:
    """Return the first moment at which the zone's clocks show this."""
    local = (_EPOCH + timedelta(seconds=clock_time)).replace(tzinfo=zone)
    return (local.astimezone(UTC) - _EPOCH).total_seconds()
