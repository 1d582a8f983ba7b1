"""From an event to the message of an alert, over every type of channel (rules/alerts#delivery)."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from standardwebhooks import Webhook

from harness.builders.alert_messages import make_channel
from harness.clients.dashboards import make_alert
from harness.clients.workspace import Workspace, sign_up
from harness.servers.street import Street, open_street


@pytest.fixture(scope="module")
def street(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Street]:
    with open_street(tmp_path_factory.mktemp("street"), alert_seconds="1") as street:
        yield street


@pytest.fixture
def owner(street: Street) -> Workspace:
    street.clear()
    return sign_up(street.server.url)


def channels_of(street: Street, owner: Workspace) -> dict[str, Any]:
    """A channel of each type."""
    destinations = {"email": "ann@example.com", "telegram": "123456:token/-1001234567890"}
    destinations |= {kind: f"{street.receiver.url}/{kind}" for kind in ("webhook", "slack", "discord")}
    return {kind: make_channel(owner, type=kind, destination=text) for kind, text in destinations.items()}


def patch(owner: Workspace, path: str, body: Any) -> None:
    with owner.client() as client:
        answer = client.patch(path, json=body)
    assert answer.status_code == 200, answer.text


def test_an_alert_tells_all_of_its_channels_that_it_fired_and_resolved(street: Street, owner: Workspace) -> None:
    channels = channels_of(street, owner)
    alert = make_alert(
        owner, name="Sign-ups", event="signup", threshold=2, channelIds=[each["id"] for each in channels.values()]
    )
    assert owner.send({"events": [{"name": "signup"}] * 3}).status_code == 202
    fired = {request.path.split("/")[1]: request for request in street.arrived(4)[:4]}
    assert set(fired) == {"webhook", "slack", "discord", "bot123456:token"}
    told = Webhook(channels["webhook"]["secret"]).verify(fired["webhook"].body, fired["webhook"].headers)
    data = told["data"]
    assert (told["type"], data["alertId"], data["value"], data["threshold"]) == ("alert.fired", alert["id"], 3, 2)
    page = f"https://tally.example.com/alerts/{alert['id']}?w={owner.workspace_id}"
    assert (data["url"], data["resolvedAt"]) == (page, None)
    sentence = "signup count is 3, above 2, over the last 60 minutes."
    assert sentence in json.dumps(fired["slack"].json)
    assert sentence.encode() in fired["discord"].body
    assert sentence.encode() in fired["bot123456:token"].body
    assert "files[0]" in fired["discord"].parts
    assert fired["bot123456:token"].path.endswith("/sendPhoto")
    mail = street.mailbox.arrives()
    assert mail["subject"] == "Fired: Sign-ups"
    assert "image/png" in [part.get_content_type() for part in mail.walk()]
    patch(owner, f"/v1/alerts/{alert['id']}", {"threshold": 100})
    assert street.mailbox.arrives(2)["subject"] == "Resolved: Sign-ups"
    resolved = [request.json for request in street.arrived(8) if request.path == "/webhook"][-1]
    assert (resolved["type"], resolved["data"]["firedAt"]) == ("alert.resolved", data["firedAt"])
    assert resolved["data"]["resolvedAt"] == resolved["timestamp"]


@pytest.mark.long
def test_an_alert_loses_a_channel_that_is_deleted(street: Street, owner: Workspace) -> None:
    first, second = (make_channel(owner, destination=f"{name}@example.com") for name in ("first", "second"))
    alert = make_alert(owner, event="signup", threshold=0, channelIds=[first["id"], second["id"]])
    with owner.client() as client:
        assert client.delete(f"/v1/alert-channels/{first['id']}").status_code == 204
    assert owner.get(f"/v1/alerts/{alert['id']}").json()["channelIds"] == [second["id"]]
    assert owner.send({"name": "signup"}).status_code == 202
    assert str(street.mailbox.arrives()["to"]) == "second@example.com"
    assert len(street.mailbox.letters) == 1
