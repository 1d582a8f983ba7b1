"""The power goes at any moment, only what was synced is left: each event counts once (rules/safety#durability).

A server runs under strace. From what it wrote and synced, its disk is built again as it was at some steps of the run, and
a server is started on each.
"""

import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from harness.clients.actor import counts
from harness.clients.load import label_of
from harness.servers.power import Survives, nothing, something
from harness.servers.power_outage import Outage
from harness.servers.site import MakeSite, Site
from harness.servers.strace import limits_traced


@pytest.fixture
def site(make_site: MakeSite, tmp_path: Path, strace: None) -> Site:
    """A server that is traced."""
    return make_site(limits=limits_traced(tmp_path / "trace"))


def run_load(site: Site, requests: int, **options: float) -> Outage:
    load = site.begin().load(labels=True, **options)
    load.wait_for(202, requests, 300)
    load.finish()
    assert set(load.statuses) == {202}, load.statuses
    return stop(site)


def stop(site: Site) -> Outage:
    assert site.server.stop() == 0
    outage = Outage(site.data, site.data.with_name("trace"))
    assert site.ledger.requests <= outage.answers.keys(), "the trace misses an answer"
    return outage


def spread(steps: list[int], count: int) -> list[int]:
    """So many of the steps, evenly spaced, neither the first nor the last."""
    return [steps[len(steps) * (2 * number + 1) // (2 * count)] for number in range(count)]


def survivals(steps: list[int], seed: int) -> dict[int, Survives]:
    """What is there of the bytes that nobody synced: at one step nothing, at the next some."""
    chances = {step: something(Random(f"{seed}-{step}")) for step in sorted(steps)[1::2]}
    return dict.fromkeys(steps, nothing) | chances


def power_on(site: Site, before: Site) -> None:
    """Start on what is left of another site."""
    site.start()
    site.workspace = replace(before.workspace, url=site.server.url)


def count(site: Site) -> None:
    """Send one more event, and count all."""
    site.ledger.send(["after"])
    last = {"name": "n", "_actor": "after", "_actorLabel": label_of("after")}
    assert site.workspace.send(last).status_code == 202
    site.ledger.ack(["after"])
    held = site.account()
    assert held.labels == {actor: label_of(actor) for actor in held.actors}


def check_outages(make_site: MakeSite, site: Site, outage: Outage, steps: list[int]) -> None:
    for step, disk in outage.disks(survivals(steps, site.seed), site.data.parent):
        answered = outage.answered(step)
        sys.stdout.write(f"power lost after step {step}, when {len(answered)} requests were answered\n")
        left = make_site(disk.name)
        power_on(left, site)
        left.ledger = site.ledger.when(answered)
        count(left)


def test_power_lost_after_an_answer(make_site: MakeSite, site: Site) -> None:
    outage = run_load(site, 40, pause=0.02, largest=20)
    sent = sorted(outage.answers.values())
    check_outages(make_site, site, outage, spread(sent, 1))


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_power_lost_at_many_moments(make_site: MakeSite, site: Site) -> None:
    outage = run_load(site, 1000, padding=2000)
    sent = sorted(outage.answers.values())
    check_outages(make_site, site, outage, spread(sent, 15) + spread(outage.blocks, 15) + spread(outage.syncs, 30))


@pytest.mark.long
def test_power_lost_after_merges(make_site: MakeSite, site: Site) -> None:
    """The store deletes the parts that it has merged, half a minute or so later."""
    outage = run_load(site, 1000, threads=2, pause=0.15, largest=5)
    assert outage.deletions, "the store deleted no part that it had merged"
    check_outages(make_site, site, outage, spread(outage.deletions, 5))


@pytest.mark.long
def test_an_erased_actor_stays_erased(make_site: MakeSite, site: Site) -> None:
    site.begin()
    for actor in ("one", "two"):
        assert site.workspace.send({"name": "n", "_actor": actor, "_actorLabel": label_of(actor)}).status_code == 202
    with site.workspace.client() as client:
        erased = client.delete("/v1/actors/one")
    assert erased.json() == {"erased": 1}, erased.text
    outage = stop(site)
    for _, disk in outage.disks({outage.answers[erased.headers["x-request-id"]]: nothing}, site.data.parent):
        left = make_site(disk.name)
        power_on(left, site)
        assert counts(left.workspace) == {"two": 1}
