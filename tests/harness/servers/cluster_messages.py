"""What a cluster sends while it is disturbed: a message for each new alert, and a mail for each request of a digest."""

import time
from typing import Any

from harness.builders.alert_messages import make_channel
from harness.clients.dashboards import make_dashboard, make_digest, make_widget
from harness.servers.cluster import Cluster
from harness.servers.mailbox import Mailbox
from harness.servers.receiver import Receiver
from harness.suite.patience import PATIENCE, wait_until

_RULE = {
    "environment": "production",
    "event": "view",
    "measure": "count",
    "condition": "above",
    "threshold": 0,
    "windowMinutes": 60,
    "cooldownMinutes": 1440,  # no reminder, however long a test runs
}

_MAIL_SECONDS = 900
"""A mail may wait ten minutes for the newest events, also behind another one of the workspace."""

_READER = "reader@example.com"
"""Who gets the digests; invitations go to others."""


def sending_settings(host: str, mailbox: Mailbox) -> dict[str, Any]:
    """The settings of servers that send to a receiver and a mailbox at an address."""
    return {
        "outbound_allow": f"{host}/32",
        "outbound_http": "true",
        "alert_seconds": "1",
        "smtp_url": f"smtp://{host}:{mailbox.port}?starttls=never",
        "mail_from": "noreply@example.com",
    }


class ClusterMessages:
    """What was caused, and what has arrived."""

    def __init__(self, cluster: Cluster, receiver: Receiver, mailbox: Mailbox) -> None:
        self._cluster = cluster
        self._receiver = receiver
        self._mailbox = mailbox
        self._channel = make_channel(cluster.workspace, type="webhook", destination=f"{receiver.url}/hook")
        dashboard = make_dashboard(cluster.workspace, environment="production")
        make_widget(cluster.workspace, dashboard["id"], type="metric", config={"event": "view", "measure": "count"})
        self._digest_id = make_digest(cluster.workspace, dashboard["id"], recipients=[_READER])["id"]
        self.alerts: list[str] = []

    def cause(self) -> None:
        """Make an alert that fires, and ask for a digest."""
        body = _RULE | {"name": f"Round {len(self.alerts)}", "channelIds": [self._channel["id"]]}
        self.alerts.append(str(self._post("/v1/alerts", body, 201)["id"]))
        self._post(f"/v1/digests/{self._digest_id}/send", None, 202)

    def _post(self, path: str, body: Any, status: int) -> Any:
        """The answer with this status; whoever is answered 503, because the servers are busy, asks again."""
        deadline = time.monotonic() + PATIENCE
        with self._cluster.workspace.client() as client:
            while (answer := client.post(path, json=body)).status_code == 503:
                assert time.monotonic() < deadline, answer.text
        assert answer.status_code == status, answer.text
        return answer.json()

    def wait(self) -> None:
        """Wait until something has arrived for everything."""
        wait_until(lambda: set(self.messages_by_alert()) == set(self.alerts))
        wait_until(lambda: len(set(self.mails())) >= len(self.alerts), _MAIL_SECONDS)

    def arrived_once(self) -> None:
        """Each message and each mail is one; what a worker did not live to record may come again with its id."""
        messages = {alert: set(arrivals) for alert, arrivals in self.messages_by_alert().items()}
        assert messages.keys() == set(self.alerts)
        assert {alert: arrivals for alert, arrivals in messages.items() if len(arrivals) != 1} == {}
        assert len(set(self.mails())) == len(self.alerts)

    def messages_by_alert(self) -> dict[str, list[tuple[str, str]]]:
        """The type and id of each message that arrived about an alert."""
        messages: dict[str, list[tuple[str, str]]] = {}
        for request in list(self._receiver.requests):
            body = request.json
            messages.setdefault(body["data"]["alertId"], []).append((body["type"], request.headers["webhook-id"]))
        return messages

    def mails(self) -> list[str]:
        """The Message-ID of each digest that arrived."""
        return [str(letter["message-id"]) for letter in list(self._mailbox.letters) if letter["to"] == _READER]
