"""A legal batch may hold more months than one insert of the store can take (rules/safety#many-months)."""

from typing import Any

import pytest

from harness.servers.site import MakeSite, Site

_EVENTS = 500


def batch(site: Site, months: int) -> dict[str, Any]:
    """500 events over so many months from 2006 on."""
    actors = [f"{site.seed}-{number}" for number in range(_EVENTS)]
    site.ledger.send(actors)
    return {
        "events": [
            {"name": "old", "_actor": actor, "_timestamp": f"{year:04}-{month:02}-15T12:00:00Z"}
            for number, actor in enumerate(actors)
            for year, month in [(2006 + number % months // 12, number % months % 12 + 1)]
        ]
    }


def send(site: Site, months: int) -> None:
    body = batch(site, months)
    assert site.workspace.send(body).json() == {"accepted": _EVENTS}
    site.ledger.ack(event["_actor"] for event in body["events"])


@pytest.mark.long
def test_240_months_in_one_batch(make_site: MakeSite) -> None:
    site = make_site().begin()
    send(site, 240)
    assert site.account().rows == _EVENTS


@pytest.mark.long
def test_110_months_and_a_kill_in_the_middle(make_site: MakeSite) -> None:
    site = make_site().begin("store.insert=block")
    send(site, 110)
    site.server.kill()
    site.run_into("store.insert.after=kill@60")
    site.start()
    assert site.account().rows == _EVENTS
