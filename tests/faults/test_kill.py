"""`kill -9` at any moment: nothing acknowledged is lost, nothing counts twice (rules/safety#counted-once)."""

import time
from random import Random

import pytest

from harness.clients.load import BROKEN
from harness.servers.site import MakeSite, Site
from tallyroom.core.failpoints import FAILPOINTS

_ON_THE_WAY = sorted(name for name in FAILPOINTS if name.startswith(("spool.", "drain.", "store.")))


def kill_again_and_again(site: Site, kills: int) -> None:
    chance = Random(site.seed)
    load = site.begin().load(pause=0.01)
    for number in range(kills):
        if number % 4 == 3:  # the recovery is interrupted too
            site.server.launch()
            time.sleep(chance.uniform(0.2, 0.9))
        else:
            if number:
                site.start()
            time.sleep(chance.uniform(0.0, 0.25))
        site.server.kill()
        assert site.server.process.returncode == -9
    site.start()
    load.wait_for(202, 20)
    load.finish()
    site.account()
    assert load.statuses[BROKEN] > kills, "the kills hit nobody"
    assert site.ledger.acked > kills * 20, f"only {site.ledger.acked} events were acknowledged"


def test_killed_under_load_and_again_before_an_insert_is_noted(make_site: MakeSite) -> None:
    site = make_site().begin()
    load = site.load(pause=0.05, largest=20)
    load.wait_for(202, 10)
    site.server.kill()
    site.run_into("store.insert.after=kill@2")  # the clients go on, and so the drain has something to insert
    site.start()
    load.wait_for(202, 20)
    load.finish()
    site.account()
    assert load.statuses[BROKEN], "the kills hit nobody"


@pytest.mark.long
def test_four_kills(make_site: MakeSite) -> None:
    kill_again_and_again(make_site(), 4)


@pytest.mark.long
def test_two_hundred_kills(make_site: MakeSite) -> None:
    kill_again_and_again(make_site(), 200)


@pytest.mark.long
@pytest.mark.parametrize("padding", [0, 4000])  # small batches of seven months, and bulk in a lane of its own
def test_killed_at_every_failpoint(make_site: MakeSite, padding: int) -> None:
    site = make_site().begin()
    load = site.load(padding=padding)
    load.wait_for(202)
    site.server.kill()
    for failpoint in _ON_THE_WAY:
        site.run_into(f"{failpoint}=kill@2")
    site.start()
    load.finish()
    site.account()
    assert site.ledger.acked


@pytest.mark.long
@pytest.mark.parametrize("hit", [1, 2, 5])
@pytest.mark.parametrize("failpoint", _ON_THE_WAY)
def test_killed_at_one_failpoint(make_site: MakeSite, failpoint: str, hit: int) -> None:
    site = make_site().begin()
    load = site.load()
    load.wait_for(202)
    site.server.kill()
    for _ in range(3):
        site.run_into(f"{failpoint}=kill@{hit}")
    site.start()
    load.finish()
    site.account()
    assert site.ledger.acked
