"""The time zones that a workspace or a widget may use (rules/questions#time-zones)."""

from functools import cache
from zoneinfo import available_timezones

from tallyroom.core.errors import ValidationFailed
from tallyroom.core.suggestions import find_nearest

_NON_ZONES = {"localtime", "Factory"}  # files that are not zones: this machine's own zone, and "not set"
_NEVER_SUGGESTED = ("Etc/", "GMT")  # GMT+1 means neither Etc/GMT+1, an hour behind UTC, nor GMT


@cache
def known_timezones() -> frozenset[str]:
    """Return the IANA names of all time zones."""
    return frozenset(available_timezones() - _NON_ZONES | {"UTC"})


def describe_unknown_timezone(name: str) -> str:
    """Return the end of a sentence that refuses `name`, with the zone that was probably meant."""
    zone = _find_nearest_zone(name)
    return "is not an IANA time zone, such as Europe/Berlin or UTC" + (f"; did you mean {zone}?" if zone else "")


def check_timezone(name: str, path: list[str | int]) -> None:
    """Raise `ValidationFailed` if a name in a request is not an IANA time zone."""
    if name not in known_timezones():
        raise ValidationFailed.at(path, describe_unknown_timezone(name))


def _find_nearest_zone(name: str) -> str | None:
    zones = sorted(zone for zone in known_timezones() if not zone.startswith(_NEVER_SUGGESTED))
    zone_by_city = {zone.rpartition("/")[2]: zone for zone in zones}
    if "/" in name:
        return find_nearest(name, zones)
    city = find_nearest(name, zone_by_city)
    return zone_by_city[city] if city else None
