"""The time zones that a workspace or a widget may name (rules/questions#time-zones)."""

from functools import cache
from zoneinfo import available_timezones

from tallyroom.core.nearest import nearest

_NO_ZONES = {"localtime", "Factory"}  # files that systems keep among the zones: this machine's own, and "not set"
_NEVER_MEANT = ("Etc/", "GMT")  # Etc/GMT+1 is an hour behind UTC, and GMT is no hour ahead: not what GMT+1 says


@cache
def known_timezones() -> frozenset[str]:
    """IANA's names."""
    return frozenset(available_timezones() - _NO_ZONES | {"UTC"})


def no_timezone(given: str) -> str:
    """The end of a sentence that refuses the name `given`, with the zone that it may have meant."""
    found = _nearest(given)
    return "is not an IANA time zone, as in Europe/Berlin or UTC" + (f"; did you mean {found}?" if found else "")


def _nearest(given: str) -> str | None:
    """By its whole name, or by the city alone."""
    zones = sorted(zone for zone in known_timezones() if not zone.startswith(_NEVER_MEANT))
    by_city = {zone.rpartition("/")[2]: zone for zone in zones}
    if "/" in given:
        return nearest(given, zones)
    city = nearest(given, by_city)
    return by_city[city] if city else None
