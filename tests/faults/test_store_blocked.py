"""The event store hangs or refuses: ingest goes on, reads answer, nothing is lost (rules/safety#store-outage)."""

import time
from typing import Any

import httpx
import pytest

from harness.clients.dashboards import make_alert
from harness.clients.load import BROKEN
from harness.clients.telemetry import post, status_of, traces
from harness.servers.site import MakeSite, Site
from harness.suite.patience import wait_until

_BLOCK_SECONDS = 3


def read_actors(site: Site) -> httpx.Response:
    return site.workspace.get("/v1/actors", limit=1)


def check_told(site: Site) -> None:
    """Answers that cannot have all events say so."""
    config = {"event": "refused", "measure": "count"}
    question = {"environment": "production", "timeRange": "1h", "type": "metric", "config": config}
    with site.workspace.client() as client:
        asked = [client.get(path) for path in ("/v1/actors", "/v1/events", "/v1/schema")]
        asked.append(client.post("/v1/query", json=question))
    for answer in asked:
        assert answer.status_code == 200, answer.text
        assert [notice["code"] for notice in answer.json()["notices"]] == ["not_up_to_date"], answer.request.url


@pytest.mark.long
def test_a_store_that_hangs_for_a_while(make_site: MakeSite) -> None:
    site = make_site().begin(f"store.insert=block:{_BLOCK_SECONDS}")
    started = time.monotonic()
    load = site.load(pause=0.02)
    load.wait_for(202)
    while time.monotonic() < started + _BLOCK_SECONDS - 1.5:
        answer = read_actors(site)
        assert answer.status_code in {200, 503}, answer.text
    load.wait_for(202, 5)
    assert site.metric("events_stored_total") == 0, "nothing was blocked"
    load.finish()
    assert set(load.statuses) == {202}, load.statuses
    site.drained()
    assert site.metric("events_stored_total") == site.ledger.acked
    assert read_actors(site).json()["actors"]
    site.account()


@pytest.mark.long
def test_a_full_spool_refuses_and_a_stop_ends_the_block(make_site: MakeSite) -> None:
    site = make_site(spool_max_bytes="1000000").begin("store.insert=block")
    load = site.load(pause=0, padding=2000)
    load.wait_for(503, 3)
    refused = site.workspace.send({"name": "refused"})
    assert (refused.status_code, refused.json()["error"]) == (503, "unavailable"), refused.text
    assert int(refused.headers["retry-after"]) > 0
    of_an_exporter = post(site.workspace, "traces", traces({"name": "refused"}))
    assert (of_an_exporter.status_code, status_of(of_an_exporter)[0]) == (503, 14)
    assert int(of_an_exporter.headers["retry-after"]) > 0
    assert read_actors(site).status_code in {200, 503}
    check_told(site)
    assert site.metric("events_stored_total") == 0, "nothing was blocked"
    waiting = site.metric("spool_waiting_bytes")
    assert 1_000_000 <= waiting < 2_000_000, "the bound counts bytes that wait"
    site.server.stop(30)  # lets the block go, as a disk that comes back would
    site.start()
    load.finish()
    assert set(load.statuses) <= {202, 503, BROKEN}, load.statuses
    site.account()


@pytest.mark.long
def test_killed_while_the_store_hangs(make_site: MakeSite) -> None:
    site = make_site().begin("store.insert=block")
    load = site.load()
    load.wait_for(202, 20)
    assert site.metric("events_stored_total") == 0, "nothing was blocked"
    site.server.kill()
    site.start()
    load.finish()
    site.account()


@pytest.mark.long
def test_alerts_keep_their_status_while_the_store_hangs(make_site: MakeSite) -> None:
    """See rules/alerts#delays; and what may be on its way is not denied (rules/questions#fresh-answers)."""
    site = make_site(alert_seconds="1").begin("store.insert=block")
    assert site.workspace.send({"name": "order"}).status_code == 202
    alert_id = make_alert(site.workspace, event="order", condition="nodata", threshold=None)["id"]

    def read_alert() -> Any:
        return site.workspace.get(f"/v1/alerts/{alert_id}").json()

    wait_until(lambda: read_alert()["delayedSince"] is not None)
    assert (read_alert()["status"], read_alert()["lastEvaluatedAt"]) == ("ok", None)
    assert site.metric("alerts_delayed_total") >= 1
    assert site.workspace.get("/v1/actors/nobody").status_code == 503
    site.server.stop(30)
    site.start()
    wait_until(lambda: read_alert()["lastEvaluatedAt"] is not None)
    assert (read_alert()["status"], read_alert()["delayedSince"], read_alert()["lastValue"]) == ("ok", None, 1)
    assert site.workspace.get("/v1/alerts/activity").json()["activity"] == []


FAULTS = [
    "store.insert=error",
    "store.insert=error@2",
    "store.insert.after=error",
    "store.insert.after=error@3",
    "drain.claim.after=error",
    "drain.mark.after=error@2",
    "spool.commit.before=error@3",
    "spool.commit.after=error@3",
]


@pytest.mark.long  # in one process: drain/test_thread_faults.py
@pytest.mark.parametrize("fault", FAULTS)
def test_a_step_that_fails_until_the_restart(make_site: MakeSite, fault: str) -> None:
    site = make_site(stop_seconds="1").begin(fault)
    load = site.load()
    load.wait_for(202, 2)
    if fault.startswith("spool"):
        load.wait_for(503, 5)
    else:
        load.wait_for(202, 30)
        assert httpx.get(f"{site.server.url}/readyz").status_code == 200
    if fault.startswith("store"):
        site.metric_becomes("store_failing", 1)
        assert set(load.statuses) == {202}, load.statuses
    time.sleep(0.5)
    site.server.stop(30)
    assert "injected fault at" in site.server.text()
    site.start()
    load.finish()
    site.account()
