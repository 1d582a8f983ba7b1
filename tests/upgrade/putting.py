"""Puts the content of the fixture into a server over HTTP, in the order in which it has to come."""

import hashlib
import hmac
import json
import re
from typing import Any

import httpx

from harness.clients.workspace import PASSWORD
from harness.servers.server import Server
from harness.servers.wall_clock import WallClock
from harness.suite.patience import wait_until
from upgrade.content import (
    ALERTS,
    ANN,
    BEN,
    BOT_SECRET,
    BOTS,
    DEVELOPMENT,
    ERASED,
    MEMBER,
    MEMBER_PASSWORD,
    PROBES,
    PRODUCTION,
    SPAN,
    VOTERS,
    WAITING,
    WAITING_ALERT,
    WAITING_DEVELOPMENT,
    WIDGETS,
)
from upgrade.outside import HOOK, TELEGRAM, Outside


class Putting:
    """The content as it grows.

    Attributes:
        server: the server; another one after a restart.
        secrets: keys, tokens and passwords, by a name for each.
        ids: what the server called what it made, by names of the fixture.
    """

    def __init__(self, server: Server, clock: WallClock, others: Outside) -> None:
        self.server = server
        self.secrets: dict[str, str] = {}
        self.ids: dict[str, Any] = {}
        self._clock = clock
        self._others = others

    def people(self) -> None:
        """The owner, a developer, two workspaces, and all kinds of keys and tokens."""
        body = {"email": ANN, "password": PASSWORD, "name": "Ann", "workspaceName": "Harbor"}
        self.secrets["session"] = self._asked("POST", "/v1/auth/signup", body, who="").headers["x-session-token"]
        self.secrets |= {"password": PASSWORD, "developer password": MEMBER_PASSWORD}
        self.post("/v1/workspaces", {"name": "Quay"})
        self.patch("/v1/workspace", {"timezone": "Europe/Berlin"})
        invitation = self.post("/v1/invites", {"email": MEMBER, "role": "developer"})["token"]
        joined = {"token": invitation, "name": "Dev", "password": MEMBER_PASSWORD}
        accepted = self._asked("POST", "/v1/invites/accept", joined, who="")
        self.secrets["developer"] = accepted.headers["x-session-token"]
        for name, environment in (("live", "production"), ("test", "development"), ("revoked", "production")):
            key = self.post("/v1/keys", {"name": name, "environment": environment})
            self.secrets[name] = key["secret"]
        self._asked("DELETE", f"/v1/keys/{key['id']}")
        tokens: dict[str, dict[str, Any]] = {
            "token": {"scopes": ["read", "write"]},
            "limited": {"scopes": ["read"], "environment": "development"},
            "expired": {"scopes": ["read"], "expiresAt": "2026-11-20T08:01:30Z"},
        }
        for name, body in tokens.items():
            self.secrets[name] = self.post("/v1/tokens", {"name": name, **body})["secret"]
        for name, scope in (("stats", "read"), ("feed", "write")):
            self.secrets[name] = self.post("/v1/stats-tokens", {"name": name, "scope": scope})["secret"]

    def events(self) -> None:
        """All that is stored, and then hidden or erased."""
        self.send("live", PRODUCTION, "stored-batch")
        self.send("live", [*PROBES, *ERASED])
        self.send("test", DEVELOPMENT)
        place = {"environment": "production", **SPAN}
        found = self.get("/v1/events", **place, filters=json.dumps([{"key": "path", "op": "eq", "value": "/probe"}]))
        self.ids["hidden"] = [event["id"] for event in found["events"]]
        for event in self.ids["hidden"]:
            self._asked("POST", f"/v1/events/{event}/hide")
        assert self._asked("DELETE", "/v1/actors/erin").json() == {"erased": len(ERASED)}
        self.post("/v1/groups/keys", {"propKey": "server_id", "label": "Server"})
        self.post("/v1/annotations", {"environment": "production", "label": "v2", "time": "2026-11-18T09:00:00Z"})
        filters = [{"key": "plan", "op": "eq", "value": "pro"}]
        segment = self.post("/v1/segments", {"name": "Pro", "environment": "production", "filters": filters})
        self.ids["segment"] = segment["id"]

    def boards(self) -> None:
        """A public board and one that was public once, each with all kinds of widgets."""
        for name in ("public", "private"):
            body = {"name": f"The {name} board", "timeRange": "90d", "isPublic": True}
            board = self.post("/v1/dashboards", body)
            self.ids[name] = board["id"]
            widgets = [(kind, config) for kind, config in WIDGETS] + [
                ("metric", {"event": "order.placed", "measure": "count", "segmentId": self.ids["segment"]})
            ]
            path = f"/v1/dashboards/{board['id']}/widgets"
            self.ids[f"widgets of {name}"] = [
                self.post(path, {"type": kind, "config": config, "title": f"{kind} {number}"})["id"]
                for number, (kind, config) in enumerate(widgets)
            ]
            self.ids["slug" if name == "public" else "old slug"] = board["slug"]
        self.patch(f"/v1/dashboards/{self.ids['private']}", {"isPublic": False})
        source = {"name": "Prices", "host": "127.0.0.1", "token": "token-of-the-source"}
        self.ids["source"] = self.post("/v1/external-sources", source)["id"]

    def bots(self) -> None:
        """Three bots with counters and votes, and a list that signs its webhooks."""
        for number, (bot, name) in enumerate(zip(BOTS, ("Teapot", "Umbrella", "Timetable"), strict=True)):
            path = f"/chat/bots/{bot}"
            self.put(path, {"name": name, "tags": ["fun"], "owners": [VOTERS[3]]})
            for day in (10, 15, 19):
                counters = {"server_count": 100 * (number + 1) + day, "timestamp": f"2026-11-{day}T12:00:00Z"}
                self.post(f"{path}/stats", counters, who="feed")
            for voter in VOTERS[: 3 - number]:
                for time in ("2026-10-31T10:00:00Z", "2026-11-01T12:00:00Z"):
                    self.post(f"{path}/votes", {"userId": voter, "timestamp": time, "isWeekend": True}, who="feed")
        self.post(f"/chat/bots/{BOTS[2]}/stats", {"total_votes": 5000, "monthly_votes": 40}, who="feed")
        self._asked("PUT", f"/v1/statistics/bots/{BOTS[0]}/webhook-secret", {"secret": BOT_SECRET})
        self.patch("/v1/listing", {"isPublic": True})

    def alerts(self) -> None:
        """Channels of three kinds, and alerts of which two fire and are told."""
        channels = {
            "email": ("email", ANN),
            "webhook": ("webhook", self._others.receiver.url + HOOK),
            "telegram": ("telegram", f"{TELEGRAM.strip('/').removeprefix('bot')}/4711"),
        }
        self.ids["channels"] = {}
        for name, (kind, destination) in channels.items():
            made = self.post("/v1/alert-channels", {"name": name, "type": kind, "destination": destination})
            self.ids["channels"][name] = made["id"]
            if kind == "webhook":
                self.secrets["webhook"] = made["secret"]
        self.ids["alerts"] = {name: self._alert(name, body) for name, body in ALERTS.items()}
        self._beat(2)
        wait_until(lambda: [each["status"] for each in self._deliveries()] == ["sent"] * 6)

    def digest(self) -> None:
        """A digest for two people, who got it once, and one of whom has had enough of it."""
        body = {
            "dashboardId": self.ids["private"],
            "cadence": "daily",
            "sendHour": 10,
            "timezone": "Europe/Berlin",
            "recipients": [ANN, BEN],
        }
        self.ids["digest"] = self.post("/v1/digests", body)["id"]
        self._asked("POST", f"/v1/digests/{self.ids['digest']}/send")
        wait_until(lambda: self._others.mails(BEN))
        [(_, text)] = self._others.mails(BEN)
        [path] = re.findall(r"http://tally\.example\.com(/unsubscribe/\S+)", text)
        self._asked("POST", path, who="")
        wait_until(lambda: all(mail["status"] == "sent" for mail in self._mails()))

    def what_waits_for_others(self) -> None:
        """A message of an alert, a digest and two mails, which nobody takes."""
        self.ids["alerts"]["waiting"] = self._alert("waiting", WAITING_ALERT)
        self._beat(3)
        wait_until(lambda: [each["attempts"] for each in self._deliveries() if each["status"] == "waiting"] == [1] * 3)
        self._asked("POST", f"/v1/digests/{self.ids['digest']}/send")
        wait_until(lambda: [mail["attempts"] for mail in self._mails() if mail["status"] == "waiting"] == [1])
        self._refused(lambda: self.post("/v1/invites", {"email": BEN, "role": "viewer"}))
        self._refused(lambda: self._asked("POST", "/v1/auth/reset", {"email": MEMBER}, who=""))

    def what_waits_for_the_store(self) -> None:
        """Events and a vote that are durable, but not stored."""
        self.send("live", WAITING[:1], "waiting-batch")
        self.send("live", WAITING[1:])
        self.send("test", WAITING_DEVELOPMENT)
        vote = {"userId": VOTERS[3], "timestamp": "2026-11-20T07:59:00Z"}
        self.post(f"/chat/bots/{BOTS[0]}/votes", vote, who="feed")

    def send(self, key: str, events: list[Any], idempotency_key: str = "") -> None:
        """Events, in one request."""
        headers = {"idempotency-key": idempotency_key} if idempotency_key else {}
        answer = self._asked("POST", "/v1/events", {"events": events}, who=key, **headers)
        assert answer.json() == {"accepted": len(events)}

    def get(self, path: str, **params: Any) -> Any:
        """What the owner is answered."""
        return self._asked("GET", path, params=params).json()

    def post(self, path: str, body: Any, who: str = "session") -> Any:
        """What a POST has made."""
        return self._asked("POST", path, body, who=who).json()

    def put(self, path: str, body: Any) -> None:
        """Feed a profile."""
        self._asked("PUT", path, body, who="feed")

    def patch(self, path: str, body: Any) -> None:
        """Change something."""
        self._asked("PATCH", path, body)

    def _asked(
        self, method: str, path: str, body: Any = None, *, who: str = "session", params: Any = None, **headers: str
    ) -> httpx.Response:
        if who:
            headers["authorization"] = f"Bearer {self.secrets[who]}"
        answer = httpx.request(method, self.server.url + path, json=body, params=params, headers=headers, timeout=60)
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer

    def _alert(self, name: str, body: dict[str, Any]) -> str:
        channels = list(self.ids["channels"].values())
        made = self.post("/v1/alerts", {"name": name, "environment": "production", "channelIds": channels} | body)
        return str(made["id"])

    def _beat(self, minute: int) -> None:
        """Set the clock to a minute, and wait for the evaluation of all alerts."""
        at = self._clock.now_ms() // 3_600_000 * 3_600_000 + minute * 60_000
        self._clock.set(at)
        due = f"2026-11-20T08:{minute:02}:00.000Z"
        wait_until(lambda: all(e["lastEvaluatedAt"] == due for e in self.get("/v1/alerts")["alerts"] if e["enabled"]))

    def _deliveries(self) -> list[Any]:
        channels = self.ids["channels"].values()
        return [each for id_ in channels for each in self.get(f"/v1/alert-channels/{id_}/deliveries")["deliveries"]]

    def _mails(self) -> list[Any]:
        sendings = self.get(f"/v1/digests/{self.ids['digest']}/sendings")["sendings"]
        return [mail for sending in sendings for mail in sending["mails"]]

    def _refused(self, cause: Any) -> None:
        """Cause a mail, and wait until it was refused."""
        before = self._others.mailbox.attempts
        cause()
        wait_until(lambda: self._others.mailbox.attempts > before)


def signed(body: bytes, now_ms: int) -> dict[str, str]:
    """The headers with which the list of the first bot signs a webhook."""
    at = now_ms // 1000
    mark = hmac.new(BOT_SECRET.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return {"x-topgg-signature": f"t={at},v1={mark}", "content-type": "application/json"}
