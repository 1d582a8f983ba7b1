"""A legal batch may hold more months than one insert of the store can take (reliability 0, 11)."""

from typing import Any

import pytest

from harness.site import MakeSite, Site

_MONTHS = 240
_EVENTS = 500


def batch(site: Site) -> dict[str, Any]:
    """500 events over the 240 months from 2006 to 2025."""
    actors = [f"{site.seed}-{number}" for number in range(_EVENTS)]
    site.ledger.send(actors)
    months = [(2006 + number // 12, number % 12 + 1) for number in range(_MONTHS)]
    return {
        "events": [
            {"name": "old", "_actor": actor, "_timestamp": f"{year:04}-{month:02}-15T12:00:00Z"}
            for number, actor in enumerate(actors)
            for year, month in [months[number % _MONTHS]]
        ]
    }


def send(site: Site) -> None:
    body = batch(site)
    assert site.workspace.send(body).json() == {"accepted": _EVENTS}
    site.ledger.ack(event["_actor"] for event in body["events"])


@pytest.mark.long
def test_240_months_in_one_batch(make_site: MakeSite) -> None:
    site = make_site().begin()
    send(site)
    assert site.account().rows == _EVENTS


def test_240_months_and_a_kill_in_the_middle(make_site: MakeSite) -> None:
    site = make_site().begin("store.insert=block")
    send(site)
    site.server.kill()
    site.run_into("store.insert.after=kill@60")
    site.start()
    assert site.account().rows == _EVENTS
