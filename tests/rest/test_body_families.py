"""The family of a request, by which it finds room (rules/safety#memory)."""

import pytest

from harness.oracles.rights import TABLE
from tallyroom.rest.body_families import OPEN_FAMILIES, BodyFamilies, BodyFamily

FAMILIES = BodyFamilies(["chat", "discord"])


@pytest.mark.parametrize(
    ("target", "family"),
    [
        (b"/v1/events", BodyFamily.EVENTS),
        (b"/v1/events?a=b", BodyFamily.EVENTS),
        (b"/v1/traces", BodyFamily.TELEMETRY),
        (b"/v1/logs/", BodyFamily.TELEMETRY),
        (b"/chat/import", BodyFamily.STATISTICS),
        (b"/discord/bots/1/stats", BodyFamily.STATISTICS),
        (b"/api/bots/stats", BodyFamily.STATISTICS),
        (b"/chat/bots/1/votes", BodyFamily.VOTES),
        (b"/v1/widgets", BodyFamily.APP),
        (b"/v1/auth/login", BodyFamily.SIGN_IN),
        (b"/custom/render.png", BodyFamily.PUBLIC),
        (b"/", BodyFamily.OTHER),
        (b"/other/import", BodyFamily.OTHER),
        (b"", BodyFamily.OTHER),
        (b"*", BodyFamily.OTHER),
    ],
)
def test_the_path_says_the_family(target: bytes, family: BodyFamily) -> None:
    assert FAMILIES.family_of(target) is family


@pytest.mark.parametrize(
    "target",
    [
        b"/%63ustom/render",
        b"//custom//render",
        b"/custom%2Frender",
        b"http://tally.example.com/custom/render",
        b"/custom/render?/v1/events",
        b"/custom/render#/v1/events",
    ],
)
def test_another_spelling_is_no_other_family(target: bytes) -> None:
    assert FAMILIES.family_of(target) is BodyFamily.PUBLIC


def test_who_is_read_without_a_guard_is_in_an_open_family() -> None:
    """Otherwise, strangers could use what is kept for those who are known."""
    sends = {"POST", "PUT", "PATCH"}
    routes = [(case.path, case.guard) for case in TABLE if case.method in sends]
    unguarded = {path for path, guard in routes if guard in {"public", "require_vote_sender"}}
    assert len(unguarded) > 5
    assert {path for path in unguarded if FAMILIES.family_of(path.encode()) not in OPEN_FAMILIES} == set()
    guarded = {path for path, _ in routes} - unguarded
    in_open = {path for path in guarded if FAMILIES.family_of(path.encode()) in OPEN_FAMILIES}
    assert all(path.startswith(("/v1/auth/", "/v1/invites")) for path in in_open), in_open
