"""What became of the messages about an open incident: who was told, and who could not be (rules/alerts#alert)."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from harness.builders.alert_messages import make_channel
from harness.clients.dashboards import make_alert
from harness.clients.workspace import Workspace, sign_up
from harness.servers.receiver import Answer
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


def seen(owner: Workspace, alert: Any, is_so: Callable[[Any], bool]) -> Any:
    """The alert, as soon as it is so."""
    deadline = time.monotonic() + PATIENCE
    while not is_so(shown := owner.get(f"/v1/alerts/{alert['id']}").json()):
        assert time.monotonic() < deadline, shown
        time.sleep(0.1)
    return shown


def statuses(alert: Any) -> list[str]:
    return [delivery["status"] for delivery in alert["lastDeliveries"]]


def test_an_open_incident_says_who_could_not_be_told_and_why(street: Street, owner: Workspace) -> None:
    street.receiver.otherwise = Answer(404)
    refusing = make_channel(owner, name="Chat", type="slack", destination=f"{street.receiver.url}/hook")
    reached = make_channel(owner, name="On call")
    idle = make_channel(owner, name="Off", enabled=False)
    channels = [refusing["id"], reached["id"], idle["id"]]
    alert = make_alert(owner, event="order", threshold=0, channelIds=channels)
    make_alert(owner, name="Other", event="order", threshold=0, channelIds=[reached["id"]])
    assert alert["lastDeliveries"] == []
    assert owner.send({"name": "order"}).status_code == 202
    fires = seen(owner, alert, lambda shown: statuses(shown) == ["failed", "sent"])
    failed, sent = fires["lastDeliveries"]
    assert failed == {"channelId": refusing["id"], "at": failed["at"], "status": "failed", "error": "HTTP 404"}
    assert (sent["channelId"], sent["error"]) == (reached["id"], None)
    [listed, _other] = owner.get("/v1/alerts").json()["alerts"]
    assert listed["lastDeliveries"] == fires["lastDeliveries"]
    with owner.client() as client:
        resolved = client.post(f"/v1/alerts/{alert['id']}/resolve").json()
        assert resolved["lastDeliveries"] == []
        client.patch(f"/v1/alerts/{alert['id']}", json={"enabled": False, "channelIds": []})
    assert owner.get(f"/v1/alerts/{alert['id']}").json()["lastDeliveries"] == []
