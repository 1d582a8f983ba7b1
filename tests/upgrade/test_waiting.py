"""What waited at a moment goes on when that moment has come in a server of this commit, and comes once."""

import base64
import hashlib
import hmac
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from harness.clients.letters import token_in
from harness.servers.receiver import Received
from harness.suite.patience import wait_until
from upgrade.conftest import POSTGRESQL, SQLITE, Copy, Opened, mainly_on
from upgrade.content import ANN, BEN, MEMBER
from upgrade.outside import HOOK, TELEGRAM, Outside, outside, serving, to_serve

MINUTE_MS = 60_000


class Story:
    """A server on a copy, and those whom it tells."""

    def __init__(self, opened: Opened, copy: Copy, others: Outside) -> None:
        self.opened = opened
        self.others = others
        self._copy = copy

    def go(self, hour: int, minute: int) -> None:
        """Set the clock, and wait for the beat and for all that is due."""
        at = self._copy.facts["ends_ms"] // 86_400_000 * 86_400_000 + (60 * hour + minute) * MINUTE_MS
        self._copy.clock.set(at)
        due = f"2026-11-20T{hour:02}:{minute:02}:00.000Z"
        wait_until(lambda: all(each["lastEvaluatedAt"] == due for each in self.alerts() if each["enabled"]))
        wait_until(lambda: "waiting" not in [each["status"] for each in [*self.deliveries(), *self.mails()]])

    def alerts(self) -> list[Any]:
        found: list[Any] = self.opened.ask("/v1/alerts")["alerts"]
        return found

    def statuses(self) -> dict[str, str]:
        return {alert["name"]: alert["status"] for alert in self.alerts()}

    def activity(self) -> Counter[tuple[str, str]]:
        lines = self.opened.ask("/v1/alerts/activity")["activity"]
        return Counter((line["alertName"], line["type"]) for line in lines)

    def deliveries(self) -> list[Any]:
        paths = [f"/v1/alert-channels/{id_}/deliveries" for id_ in self.opened.ids["channels"].values()]
        return [each for path in paths for each in self.opened.ask(path)["deliveries"]]

    def mails(self) -> list[Any]:
        sendings = self.opened.ask(f"/v1/digests/{self.opened.ids['digest']}/sendings")["sendings"]
        return [mail for sending in sendings for mail in sending["mails"]]

    def hooks(self) -> Counter[tuple[str, str]]:
        told = [request.json for request in self.others.told(HOOK)]
        return Counter((message["data"]["name"], message["type"]) for message in told)

    def subjects(self, address: str) -> list[str]:
        return [subject for subject, _ in self.others.mails(address)]


@pytest.fixture
def death(request: pytest.FixtureRequest) -> str:
    """Where a server dies before the one of the story starts; nowhere, unless the test says so."""
    return str(getattr(request, "param", ""))


@pytest.fixture
def story(copy: Copy, death: str) -> Iterator[Story]:
    with outside() as others:
        copy.lead_webhooks_to(others.receiver.url + HOOK)
        if death:
            dying = to_serve(copy.data, copy.clock, copy.dsn, failpoints=f"{death}=kill", **others.settings).launch()
            assert dying.wait() == -9, dying.text()
        with serving(copy.data, copy.clock, copy.dsn, **others.settings) as server:
            yield Story(Opened(server, copy), copy, others)


@mainly_on(POSTGRESQL, SQLITE)
@pytest.mark.parametrize(
    "death", ["", "queue.move", pytest.param("queue.moved", marks=pytest.mark.long)], indirect=True
)
def test_messages_and_mails_that_waited_come_once(story: Story) -> None:
    assert Counter(each["status"] for each in story.deliveries()) == {"sent": 6, "waiting": 3}
    for minute in (4, 5):  # the second one brings nothing
        story.go(8, minute)
        wait_until(lambda: story.others.mails(BEN) and story.others.mails(MEMBER))
        assert story.hooks() == {("waiting", "alert.fired"): 1}
        assert len(story.others.told(TELEGRAM)) == 1
        assert Counter("digest" if "board" in subject else "alert" for subject in story.subjects(ANN)) == {
            "digest": 1,
            "alert": 1,
        }
        assert len(story.others.mails(BEN)) == len(story.others.mails(MEMBER)) == 1
    assert [each["status"] for each in story.deliveries()] == ["sent"] * 9
    [hook] = story.others.told(HOOK)
    check_signature(hook, story.opened.secrets["webhook"])
    assert story.activity() == {(name, "fired"): 1 for name in ("told", "average", "waiting")}
    follow_links(story)


def check_signature(hook: Received, secret: str) -> None:
    """As rules/alerts#webhook has it, by the secret of before."""
    head = f"{hook.headers['webhook-id']}.{hook.headers['webhook-timestamp']}.".encode()
    mark = hmac.new(base64.b64decode(secret.removeprefix("whsec_")), head + hook.body, hashlib.sha256).digest()
    assert hook.headers["webhook-signature"] == f"v1,{base64.b64encode(mark).decode()}"


def follow_links(story: Story) -> None:
    """The links in the mails that waited lead where they should."""
    [(_, invitation)], [(_, reset)] = story.others.mails(BEN), story.others.mails(MEMBER)
    body = {"token": token_in(invitation), "name": "Ben", "password": "another long password"}
    assert story.opened.send("POST", "/v1/invites/accept", body, who="").status_code == 201
    body = {"token": token_in(reset), "password": "yet another long password"}
    assert story.opened.send("POST", "/v1/auth/reset/confirm", body, who="").status_code == 204


@pytest.mark.long
def test_an_open_incident_ends_and_a_digest_comes_at_their_time(story: Story) -> None:
    assert story.statuses() == {"told": "firing", "average": "firing", "waiting": "firing"} | {
        "paused": "paused",
        "formula": "ok",
    }
    for minute in (50, 51):  # the second one brings nothing
        story.go(8, minute)
        resolved = {("told", "alert.resolved"): 1, ("waiting", "alert.resolved"): 1}
        assert story.hooks() == {("waiting", "alert.fired"): 1} | resolved
    fired = {(name, "fired"): 1 for name in ("told", "average", "waiting")}
    assert story.activity() == fired | {(name, "resolved"): 1 for name in ("told", "waiting")}
    assert story.statuses()["told"] == story.statuses()["waiting"] == "ok"
    assert story.statuses()["average"] == "firing"
    [digest] = story.opened.ask("/v1/digests")["digests"]
    assert digest["nextSendAt"] == "2026-11-20T09:00:00.000Z"
    assert len([subject for subject in story.subjects(ANN) if "board" in subject]) == 1
    for minute in (0, 1):  # as above
        story.go(9, minute)
        wait_until(lambda: len([subject for subject in story.subjects(ANN) if "board" in subject]) > 1)
        assert len([subject for subject in story.subjects(ANN) if "board" in subject]) == 2
        [digest] = story.opened.ask("/v1/digests")["digests"]
        assert digest["nextSendAt"] == "2026-11-21T09:00:00.000Z"
    assert story.subjects(BEN) == story.subjects(BEN)[:1]
