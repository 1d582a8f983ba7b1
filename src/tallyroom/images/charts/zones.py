"""Moments on the clocks of a time zone: the ticks of an axis, and a moment in words (fixtures/charts/zones.json)."""

from datetime import UTC, datetime, timedelta, tzinfo

from tallyroom.images.charts.time_ticks import Tick, build_time_ticks, format_utc_moment

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def build_zoned_ticks(low: float, high: float, max_count: int, zone: tzinfo) -> list[Tick]:
    """Return at most `max_count` moments at which a unit of the zone's calendar or clock begins; see time_ticks.

    A time that the clocks skip has no tick; of a time that they show twice, only the first moment has one.
    """
    if zone is UTC:
        return build_time_ticks(low, high, max_count)
    local_ticks = build_time_ticks(_to_clock_time(low, zone), _to_clock_time(high, zone), max_count)
    ticks = [Tick(_from_clock_time(clock_time, zone), label) for clock_time, label in local_ticks]
    return [
        tick
        for tick, (clock_time, _) in zip(ticks, local_ticks, strict=True)
        if low <= tick.position <= high and _to_clock_time(tick.position, zone) == clock_time
    ]


def format_moment(seconds: float, zone: tzinfo) -> str:
    """Write a moment in words; see `format_utc_moment`. The zone is named only if it is UTC."""
    return (
        format_utc_moment(seconds)
        if zone is UTC
        else format_utc_moment(_to_clock_time(seconds, zone)).removesuffix(" UTC")
    )


def _to_clock_time(seconds: float, zone: tzinfo) -> float:
    """Return what the zone's clocks show at a moment, as if it were UTC."""
    offset = (_EPOCH + timedelta(seconds=seconds)).astimezone(zone).utcoffset()
    return seconds + (offset or timedelta()).total_seconds()


def _from_clock_time(clock_time: float, zone: tzinfo) -> float:
    """Return the first moment at which the zone's clocks show this."""
    local_datetime = (_EPOCH + timedelta(seconds=clock_time)).replace(tzinfo=zone)
    return (local_datetime.astimezone(UTC) - _EPOCH).total_seconds()
