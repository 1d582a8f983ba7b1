"""Which interfaces a host name serves: analytics with the web app, bot statistics, or images (rules/safety#host-names).

A name set for one of them serves only that one, so that pictures from strangers share no origin with the app. Any other
name serves everything.
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


_SHARED_PATHS = frozenset({"/healthz", "/readyz"})
_STATISTICS_SEGMENTS = frozenset({"api", "search"})  # paths for posting counts and searching start with no platform
_IMAGE_SEGMENT = "custom"

SERVER_SEGMENTS = frozenset(
    {"assets", "docs", "metrics", "openapi.json", "p", "public", "sign-in", "unsubscribe", "v1"}
    | {_IMAGE_SEGMENT}
    | _STATISTICS_SEGMENTS
    | {path.removeprefix("/") for path in _SHARED_PATHS}
)
"""First path segments that the server itself answers for all clients."""

APP_SEGMENTS = frozenset(
    {"actors", "alerts", "annotations", "bots", "d", "dashboards", "digests", "events", "export", "forgot", "groups"}
    | {"import", "invite", "keys", "reset", "segments", "settings", "sources", "start"}
)

OWN_SEGMENTS = SERVER_SEGMENTS | APP_SEGMENTS  # first path segments that no platform can use


def check_platforms(platforms: Iterable[str]) -> None:
    """Raise `SettingsError` for a platform whose first path segment is the server's own."""
    for platform in platforms:
        if platform in OWN_SEGMENTS:
            raise SettingsError(
                f"TALLYROOM_STATS_PLATFORMS cannot name {platform}: the server itself uses paths below /{platform}."
            )


class HostFamilies:
    """The host names of the families; a family without its own address shares `base_url`, which may be ""."""

    @classmethod
    def of(cls, settings: Settings) -> "HostFamilies":
        """Return the host names set for the families."""
        return cls(settings.base_url, settings.stats_url, settings.widgets_url, frozenset(settings.platforms))

    def __init__(self, base_url: str, stats_url: str, widgets_url: str, platforms: frozenset[str]) -> None:
        self._statistics_segments = platforms | _STATISTICS_SEGMENTS
        self.has_family_hosts = bool(stats_url or widgets_url)
        self._families_by_host: defaultdict[str, set[Family]] = defaultdict(set)
        for family, url in (
            (Family.ANALYTICS, base_url),
            (Family.STATISTICS, stats_url or base_url),
            (Family.IMAGES, widgets_url or base_url),
        ):
            if url:
                self._families_by_host[(urlsplit(url).hostname or "").rstrip(".")].add(family)

    def serves(self, host_header: str, path: str) -> bool:
        """Return whether a request to `path` with this Host header is answered at all."""
        if not self.has_family_hosts or path in _SHARED_PATHS:
            return True
        families = self._families_by_host.get(_normalize_host(host_header))
        return families is None or self.family_of(path) in families

    def family_of(self, path: str) -> Family:
        """Return the family of a path."""
        segment = path.split("/", 2)[1] if "/" in path else ""
        if segment in self._statistics_segments:
            return Family.STATISTICS
        return Family.IMAGES if segment == _IMAGE_SEGMENT else Family.ANALYTICS


def _normalize_host(host_header: str) -> str:
    """Return a Host header without its port, in lower case, and an IPv6 address without its brackets."""
    if host_header.startswith("["):
        return host_header[1:].partition("]")[0].lower()
    return host_header.partition(":")[0].rstrip(".").lower()
