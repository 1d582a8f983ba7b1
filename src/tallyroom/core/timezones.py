"""The time zones that a workspace or a widget may name."""

from functools import cache
from zoneinfo import available_timezones

_NO_ZONES = {"localtime", "Factory"}  # files that systems keep among the zones: this machine's own, and "not set"


@cache
def known_timezones() -> frozenset[str]:
    """IANA's names."""
    return frozenset(available_timezones() - _NO_ZONES | {"UTC"})
