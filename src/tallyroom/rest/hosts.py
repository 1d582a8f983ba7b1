"""Decides which family of interfaces a host name serves, if families have their own (rules/safety#host-names).

A server has three families behind one port: analytics with the web app, bot statistics, and images. A host name that is
configured for one of them serves only that one; content from strangers, such as a picture, then shares no origin with
the app. A name that is not configured for any family, such as an address in a local network, serves everything.
"""

from collections import defaultdict
from collections.abc import Iterable
from enum import Enum, auto
from urllib.parse import urlsplit

from tallyroom.core.load_settings import SettingsError
from tallyroom.core.settings import Settings


class Family(Enum):
    """The family of interfaces to which a path belongs."""

    ANALYTICS = auto()
    STATISTICS = auto()
    IMAGES = auto()


_EVERYWHERE = frozenset({"/healthz", "/readyz"})
_STATISTICS_SEGMENTS = frozenset({"api", "search"})  # paths for posting counts and searching start with no platform
_IMAGE_SEGMENT = "custom"

SERVER_SEGMENTS = frozenset(
    {"assets", "docs", "metrics", "openapi.json", "p", "public", "sign-in", "unsubscribe", "v1"}
    | {_IMAGE_SEGMENT}
    | _STATISTICS_SEGMENTS
    | {path.removeprefix("/") for path in _EVERYWHERE}
)
"""First path segments below which the server answers itself, whoever asks."""

APP_SEGMENTS = frozenset(
    {"actors", "alerts", "annotations", "bots", "d", "dashboards", "digests", "events", "export", "forgot", "groups"}
    | {"import", "invite", "keys", "reset", "segments", "settings", "sources", "start"}
)
"""First path segments of the web app's pages."""

OWN_SEGMENTS = SERVER_SEGMENTS | APP_SEGMENTS
"""First path segments that no platform can use."""


def check_platforms(platforms: Iterable[str]) -> None:
    """Refuse platforms whose first path segment is the server's own.

    Raises:
        SettingsError: one of them is.
    """
    for platform in platforms:
        if platform in OWN_SEGMENTS:
            raise SettingsError(
                f"TALLYROOM_STATS_PLATFORMS cannot name {platform}: the server has paths of its own below /{platform}."
            )


class Hosts:
    """The host names of the families.

    Args:
        base_url: public address of analytics and of every family that has no other; "" if not set.
        stats_url: public address of statistics, or "".
        widgets_url: public address of images, or "".
        platforms: first path segments of the statistics family.
    """

    @classmethod
    def of(cls, settings: Settings) -> "Hosts":
        """Return the host names that the settings give to the families."""
        return cls(settings.base_url, settings.stats_url, settings.widgets_url, frozenset(settings.platforms))

    def __init__(self, base_url: str, stats_url: str, widgets_url: str, platforms: frozenset[str]) -> None:
        self._statistics_segments = platforms | _STATISTICS_SEGMENTS
        self.are_apart = bool(stats_url or widgets_url)
        self._families: defaultdict[str, set[Family]] = defaultdict(set)
        for family, url in (
            (Family.ANALYTICS, base_url),
            (Family.STATISTICS, stats_url or base_url),
            (Family.IMAGES, widgets_url or base_url),
        ):
            if url:
                self._families[_name_of_url(url)].add(family)

    def serve(self, host: str, path: str) -> bool:
        """Return whether a request to `path` with the Host header `host` is answered at all."""
        if not self.are_apart or path in _EVERYWHERE:
            return True
        families = self._families.get(_name(host))
        return families is None or self.family(path) in families

    def family(self, path: str) -> Family:
        """Return the family of a path."""
        segment = path.split("/", 2)[1] if "/" in path else ""
        if segment in self._statistics_segments:
            return Family.STATISTICS
        return Family.IMAGES if segment == _IMAGE_SEGMENT else Family.ANALYTICS


def _name_of_url(url: str) -> str:
    return (urlsplit(url).hostname or "").rstrip(".")


def _name(host: str) -> str:
    """Return a Host header without its port, in lower case, and an IPv6 address without its brackets."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].rstrip(".").lower()
