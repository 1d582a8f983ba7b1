"""A stop under load refuses, never breaks a promise, and ends in time (rules/safety#stop)."""

import time
from random import Random

import pytest

from harness.clients.load import BROKEN
from harness.servers.site import MakeSite, Site

_STOP_SECONDS = 30
_STOPPED = {0}


def stop_again_and_again(site: Site, stops: int) -> None:
    chance = Random(site.seed)
    load = site.begin().load(pause=0.03, largest=20)
    for number in range(stops):
        if number:
            site.start()
        time.sleep(chance.uniform(0.05, 0.25))
        assert site.server.stop(_STOP_SECONDS) in _STOPPED, site.server.text()[-2000:]
    site.start()
    load.wait_for(202, 20)
    load.finish()
    assert set(load.statuses) <= {202, 503, BROKEN}, load.statuses
    site.account()
    assert load.statuses[BROKEN], "the stops hit nobody"
    assert "Traceback" not in site.server.text(), site.server.text()[-3000:]


@pytest.mark.long
def test_one_stop(make_site: MakeSite) -> None:
    stop_again_and_again(make_site(), 1)


@pytest.mark.long
def test_fifty_stops(make_site: MakeSite) -> None:
    stop_again_and_again(make_site(), 50)
