"""A host name of its own serves one family alone."""

import pytest

from tallyroom.core.load_settings import SettingsError
from tallyroom.rest.hosts import OWN_SEGMENTS, Family, HostFamilies, check_platforms

PLATFORMS = frozenset({"chat", "discord"})
PATHS = {
    "/": Family.ANALYTICS,
    "/v1/events": Family.ANALYTICS,
    "/v1/statistics/bots/1": Family.ANALYTICS,
    "/p/slug": Family.ANALYTICS,
    "/docs": Family.ANALYTICS,
    "/metrics": Family.ANALYTICS,
    "/customs": Family.ANALYTICS,
    "": Family.ANALYTICS,
    "/chat/bots/1": Family.STATISTICS,
    "/discord/rankings": Family.STATISTICS,
    "/api/bots/stats": Family.STATISTICS,
    "/search": Family.STATISTICS,
    "/custom/graph": Family.IMAGES,
}


@pytest.mark.parametrize("own", sorted(OWN_SEGMENTS))
def test_a_platform_is_no_path_of_the_server_itself(own: str) -> None:
    with pytest.raises(SettingsError) as refused:
        check_platforms(["chat", own, "discord"])
    told = f"TALLYROOM_STATS_PLATFORMS cannot name {own}: the server itself uses paths below /{own}."
    assert refused.value.message == told


def test_other_platforms_are_taken() -> None:
    check_platforms(["chat", "discord", "v2"])


@pytest.fixture
def hosts() -> HostFamilies:
    return HostFamilies("https://tally.example", "https://stats.example", "https://pictures.example:8443/", PLATFORMS)


@pytest.mark.parametrize("path", PATHS)
def test_every_path_belongs_to_one_family(hosts: HostFamilies, path: str) -> None:
    assert hosts.family_of(path) is PATHS[path]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("host", "family"),
    [
        ("tally.example", Family.ANALYTICS),
        ("TALLY.example:443", Family.ANALYTICS),
        ("tally.example.", Family.ANALYTICS),
        ("stats.example", Family.STATISTICS),
        ("pictures.example:8443", Family.IMAGES),
    ],
)
def test_a_name_of_its_own_serves_its_family_alone(hosts: HostFamilies, host: str, family: Family, path: str) -> None:
    assert hosts.serves(host, path) is (PATHS[path] is family)


@pytest.mark.parametrize("host", ["localhost:8480", "127.0.0.1", "[::1]:8480", "", "other.example"])
def test_any_other_name_serves_everything(hosts: HostFamilies, host: str) -> None:
    assert all(hosts.serves(host, path) for path in PATHS)


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_a_probe_works_under_every_name(hosts: HostFamilies, path: str) -> None:
    assert all(hosts.serves(host, path) for host in ("tally.example", "stats.example", "pictures.example"))


def test_a_family_without_a_name_lives_at_the_base_address() -> None:
    hosts = HostFamilies("https://tally.example", "", "https://pictures.example", PLATFORMS)
    assert hosts.serves("tally.example", "/chat/bots/1")
    assert not hosts.serves("pictures.example", "/chat/bots/1")
    assert not hosts.serves("tally.example", "/custom/graph")


def test_a_dot_at_the_end_of_a_name_changes_nothing() -> None:
    hosts = HostFamilies("https://tally.example.", "https://stats.example.", "", PLATFORMS)
    assert not hosts.serves("stats.example", "/v1/actors")
    assert not hosts.serves("tally.example.", "/chat/bots/1")


def test_two_families_may_share_a_name() -> None:
    hosts = HostFamilies("https://[::1]", "https://public.example", "https://public.example", PLATFORMS)
    assert hosts.serves("public.example", "/custom/graph")
    assert hosts.serves("public.example", "/chat/bots/1")
    assert not hosts.serves("public.example", "/v1/actors")
    assert not hosts.serves("[::1]:8480", "/chat/bots/1")


def test_without_names_of_their_own_all_share_every_name() -> None:
    hosts = HostFamilies("https://tally.example", "", "", PLATFORMS)
    assert all(hosts.serves("tally.example", path) for path in PATHS)
