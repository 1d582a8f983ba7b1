"""An incident whose value is missing stays open, until there is a value or somebody resolves it (rules/alerts#gaps)."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from harness.builders.alert_messages import make_channel
from harness.builders.moments import ago
from harness.clients.dashboards import make_alert
from harness.clients.member import add_member
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.street import Street, open_street
from harness.suite.patience import PATIENCE


@pytest.fixture(scope="module")
def street(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Street]:
    with open_street(tmp_path_factory.mktemp("street"), alert_seconds="1") as street:
        yield street


@pytest.fixture
def owner(street: Street) -> Workspace:
    street.clear()
    return sign_up(street.server.url)


def slow(street: Street, owner: Workspace, seconds: float, **fields: Any) -> Any:
    """Make an alert on the average of a minute that fires now; there is no value after some seconds."""
    channel = make_channel(owner, type="webhook", destination=f"{street.receiver.url}/hook")
    watched = {"event": "request", "measure": "avg", "property": "ms", "threshold": 5, "windowMinutes": 1}
    alert = make_alert(owner, name="Slow", **watched, channelIds=[channel["id"]], **fields)
    sent = {"name": "request", "properties": {"ms": 9}, "_timestamp": ago(seconds=60 - seconds)}
    assert owner.send(sent).status_code == 202
    return alert


def seen(owner: Workspace, alert: Any, is_so: Callable[[Any], bool]) -> Any:
    """The alert, as soon as it is so."""
    deadline = time.monotonic() + PATIENCE
    while not is_so(found := owner.get(f"/v1/alerts/{alert['id']}").json()):
        assert time.monotonic() < deadline, found
        time.sleep(0.1)
    return found


def in_gap(alert: Any) -> bool:
    return alert["noDataSince"] is not None


def did(owner: Workspace, alert: Any) -> list[tuple[str, float | None]]:
    """What the alert did, the oldest first."""
    activity = owner.get("/v1/alerts/activity", alertId=alert["id"]).json()["activity"]
    return [(each["type"], each["value"]) for each in reversed(activity)]


def told(street: Street, alert: Any) -> list[Any]:
    """What the webhook was told about the alert."""
    bodies = [request.json for request in street.receiver.requests]
    return [body for body in bodies if body["data"]["alertId"] == alert["id"]]


def resolve(client: httpx.Client, alert: Any) -> httpx.Response:
    return client.post(f"/v1/alerts/{alert['id']}/resolve")


@pytest.mark.long
def test_an_incident_stays_open_without_a_value_until_somebody_resolves_it(street: Street, owner: Workspace) -> None:
    alert = slow(street, owner, seconds=8)
    assert alert["noDataSince"] is None
    assert seen(owner, alert, lambda found: found["status"] == "firing")["noDataSince"] is None
    gap = seen(owner, alert, in_gap)
    assert (gap["status"], gap["lastValue"]) == ("firing", None)
    assert gap["noDataSince"] <= gap["lastEvaluatedAt"]
    [listed] = owner.get("/v1/alerts").json()["alerts"]
    assert (listed["status"], listed["noDataSince"]) == ("firing", gap["noDataSince"])
    assert did(owner, alert) == [("fired", 9), ("nodata", None)]
    with owner.client() as client:
        answer = resolve(client, alert)
        assert answer.status_code == 200, answer.text
        resolved = answer.json()
        assert (resolved["status"], resolved["noDataSince"], resolved["id"]) == ("nodata", None, alert["id"])
        assert check_refusal(resolve(client, alert), 409)["message"] == "This alert has no open incident."
    assert did(owner, alert) == [("fired", 9), ("nodata", None), ("resolved", None)]
    street.arrived(2)
    fired, ended = told(street, alert)
    assert (fired["type"], ended["type"]) == ("alert.fired", "alert.resolved")
    assert ended["data"]["resolvedAt"] == ended["timestamp"]
    assert (ended["data"]["value"], ended["data"]["noDataSince"]) == (None, gap["noDataSince"])
    [entry] = [each for each in owner.get("/v1/audit").json()["entries"] if each["action"] == "alert.resolve"]
    assert (entry["subject"], entry["details"]) == (alert["id"], {"name": "Slow"})


@pytest.mark.long
def test_what_is_resolved_by_hand_fires_again_while_the_condition_is_true(street: Street, owner: Workspace) -> None:
    alert = slow(street, owner, seconds=50)
    seen(owner, alert, lambda found: found["status"] == "firing")
    with owner.client() as client:
        assert resolve(client, alert).json()["status"] == "ok"
    seen(owner, alert, lambda found: found["status"] == "firing")
    assert did(owner, alert) == [("fired", 9), ("resolved", 9), ("fired", 9)]
    street.arrived(2)
    assert [each["type"] for each in told(street, alert)] == ["alert.fired", "alert.resolved"]  # the cooldown


@pytest.mark.long
def test_the_value_comes_back_and_ends_the_gap_or_the_incident(street: Street, owner: Workspace) -> None:
    alert = slow(street, owner, seconds=6)
    seen(owner, alert, in_gap)
    assert owner.send({"name": "request", "properties": {"ms": 9}, "_timestamp": ago(seconds=54)}).status_code == 202
    assert seen(owner, alert, lambda found: not in_gap(found))["status"] == "firing"
    seen(owner, alert, in_gap)
    assert owner.send({"name": "request", "properties": {"ms": 1}}).status_code == 202
    assert seen(owner, alert, lambda found: found["status"] == "ok")["noDataSince"] is None
    assert did(owner, alert) == [("fired", 9), ("nodata", None), ("nodata", None), ("resolved", 1)]


@pytest.mark.long
@pytest.mark.parametrize("deed", ["pause", "delete"])
def test_what_is_paused_or_deleted_without_a_value_tells_nobody(street: Street, owner: Workspace, deed: str) -> None:
    alert = slow(street, owner, seconds=5)
    seen(owner, alert, in_gap)
    with owner.client() as client:
        if deed == "pause":
            paused = client.patch(f"/v1/alerts/{alert['id']}", json={"enabled": False}).json()
            assert (paused["status"], paused["noDataSince"]) == ("paused", None)
            resumed = client.patch(f"/v1/alerts/{alert['id']}", json={"enabled": True}).json()
            assert (resumed["status"], resumed["noDataSince"]) == ("nodata", None)
            check_refusal(resolve(client, alert), 409)
        else:
            assert client.delete(f"/v1/alerts/{alert['id']}").status_code == 204
            check_refusal(resolve(client, alert), 404)
    assert did(owner, alert) == [("fired", 9), ("nodata", None), ("resolved", None)]
    assert [each["type"] for each in told(street, alert)] == ["alert.fired"]


def test_who_may_resolve(street: Street, owner: Workspace) -> None:
    alert = slow(street, owner, seconds=50)
    seen(owner, alert, lambda found: found["status"] == "firing")
    viewer, other = add_member(owner, "viewer"), sign_up(street.server.url)
    tokens = {
        "read": (owner.make_token("read")[0], 403),
        "annotate": (owner.make_token("annotate")[0], 403),
        "elsewhere": (owner.make_token("write", environment="development")[0], 404),
    }
    with viewer.client() as client:
        check_refusal(resolve(client, alert), 403)
    with other.client() as client:
        check_refusal(resolve(client, alert), 404)
    for token, status in tokens.values():
        with owner.client(token) as client:
            check_refusal(resolve(client, alert), status)
    assert did(owner, alert) == [("fired", 9)]
    with owner.client(owner.make_token("write", environment="production")[0]) as client:
        assert resolve(client, alert).status_code == 200


@pytest.mark.long
def test_a_gap_is_told_when_the_cooldown_ends(street: Street, owner: Workspace) -> None:
    alert = slow(street, owner, seconds=8, cooldownMinutes=1)
    gap = seen(owner, alert, in_gap)
    deadline = time.monotonic() + 120
    while len(told(street, alert)) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.5)
    fired, missing = told(street, alert)
    assert (missing["type"], missing["data"]["firedAt"]) == ("alert.nodata", fired["timestamp"])
    assert (missing["data"]["value"], missing["data"]["noDataSince"]) == (None, gap["noDataSince"])
