"""Alert channels over HTTP: who is told, and how little is seen of where (rules/alerts#channel)."""

import asyncio
import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from standardwebhooks import Webhook

from harness.builders.alert_messages import HOSTILE, MAILBOX, POINTS, a_message, make_channel
from harness.clients.member import add_member
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.receiver import Answer
from harness.servers.street import Street, open_street
from harness.stores.metadata import opened
from harness.stores.metadata_edits import at_rest
from harness.suite.few import few
from tallyroom.alerts.delivery.message_queue import MessageQueue
from tallyroom.core.clock import SystemClock
from tallyroom.core.data_directory import DATABASE_FILE
from tallyroom.core.ids import IdGenerator

FIELDS = ["id", "name", "type", "destinationPreview", "enabled", "createdAt"]
PATH = "secret-path-0123456789"
TOKEN = "123456:secret-token"


@pytest.fixture(scope="module")
def street(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Street]:
    with open_street(tmp_path_factory.mktemp("street"), log_level="debug") as street:
        yield street


@pytest.fixture
def owner(street: Street) -> Workspace:
    street.clear()
    return sign_up(street.server.url)


def destination(street: Street, kind: str) -> str:
    if kind == "email":
        return "secret-ann@example.com"
    return f"{TOKEN}/-1001234567890" if kind == "telegram" else f"{street.receiver.url}/{PATH}"


def body(street: Street, kind: str, **fields: Any) -> Any:
    return {"name": "On call", "type": kind, "destination": destination(street, kind)} | fields


def listed(workspace: Workspace) -> Any:
    answer = workspace.get("/v1/alert-channels")
    assert list(answer.json()) == ["alertChannels"]
    return answer.json()["alertChannels"]


def patch(workspace: Workspace, channel_id: str, change: Any) -> Any:
    with workspace.client() as client:
        answer = client.patch(f"/v1/alert-channels/{channel_id}", json=change)
    assert answer.status_code == 200, answer.text
    return answer.json()


def post(workspace: Workspace, path: str) -> Any:
    with workspace.client() as client:
        answer = client.post(f"/v1/alert-channels/{path}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def deliveries(workspace: Workspace, channel_id: str) -> Any:
    return workspace.get(f"/v1/alert-channels/{channel_id}/deliveries").json()["deliveries"]


def settled(workspace: Workspace, channel_id: str, status: str) -> Any:
    """The deliveries, as soon as the newest has the status."""
    deadline = time.monotonic() + 20
    while (found := deliveries(workspace, channel_id))[0]["status"] != status or found[0]["attempts"] == 0:
        assert time.monotonic() < deadline, found
        time.sleep(0.05)
    return found


def fire(street: Street, channel_ids: list[str], **fields: Any) -> None:
    """Write a message as the evaluation of alerts does, into the metadata of the running server."""

    async def write() -> None:
        database = opened(street.server.data / DATABASE_FILE)
        async with database.session(write=True) as db:
            queue = MessageQueue(SystemClock(), IdGenerator())
            await queue.enqueue(db, channel_ids, a_message(points=POINTS, **fields))
        await database.close()

    asyncio.run(write())


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "preview"),
    [
        ("email", "s•••@example.com"),
        ("webhook", "{url}/••••6789"),
        ("slack", "{url}/••••6789"),
        ("discord", "{url}/••••6789"),
        ("telegram", "{url}/••••7890"),
    ],
)
def test_a_channel_is_made_and_listed(street: Street, owner: Workspace, kind: str, preview: str) -> None:
    assert listed(owner) == []
    made = make_channel(owner, **body(street, kind))
    secret = made.pop("secret", None)
    assert (secret is not None) == (kind == "webhook")
    assert list(made) == FIELDS
    assert made["destinationPreview"] == preview.format(url=street.receiver.url)
    assert (made["name"], made["type"], made["enabled"]) == ("On call", kind, True)
    second = make_channel(owner, name="A", enabled=False)
    assert listed(owner) == [made, second]
    assert listed(sign_up(street.server.url)) == []


@few(3, "kind", ["email", "webhook", "slack", "discord", "telegram"])
def test_a_test_message_arrives(street: Street, owner: Workspace, kind: str) -> None:
    made = make_channel(owner, **body(street, kind, enabled=False))
    assert post(owner, f"{made['id']}/test") == {"ok": True}
    if kind == "email":
        letter = street.mailbox.arrives()
        assert (str(letter["to"]), str(letter["subject"])) == ("secret-ann@example.com", "Test: On call")
        assert "image/png" in [part.get_content_type() for part in letter.walk()]
    else:
        [request] = street.receiver.requests
        words = request.body.decode(errors="replace")
        assert "This is only a test" in words or request.json["type"] == "test"
        assert request.path == (f"/bot{TOKEN}/sendPhoto" if kind == "telegram" else f"/{PATH}")
    assert deliveries(owner, made["id"]) == []


def test_what_slack_is_shown_can_be_fetched_by_anybody(street: Street, owner: Workspace) -> None:
    made = make_channel(owner, **body(street, "slack"))
    post(owner, f"{made['id']}/test")
    [request] = street.receiver.requests
    [url] = [block["image_url"] for block in request.json["blocks"] if block["type"] == "image"]
    assert url.startswith("https://tally.example.com/custom/graph.png?")
    with owner.client("none") as client:
        picture = client.get(url.replace("https://tally.example.com", ""))
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/png")


def test_a_test_says_why_nothing_arrived(street: Street, owner: Workspace) -> None:
    made = make_channel(owner, **body(street, "webhook"))
    street.receiver.otherwise = Answer(404, body=b"remote words")
    assert post(owner, f"{made['id']}/test") == {"ok": False, "error": "HTTP 404"}
    patch(owner, made["id"], {"destination": "https://127.0.0.1:1/nobody-listens"})
    failed = post(owner, f"{made['id']}/test")
    assert failed["ok"] is False
    assert "nobody-listens" not in failed["error"]


def test_a_sixth_test_in_a_minute_is_refused(street: Street, owner: Workspace) -> None:
    made = make_channel(owner, **body(street, "webhook"))
    for _ in range(5):
        post(owner, f"{made['id']}/test")
    with owner.client() as client:
        refused = client.post(f"/v1/alert-channels/{made['id']}/test")
    check_refusal(refused, 429)
    assert 0 < int(refused.headers["retry-after"]) <= 61
    assert len(street.receiver.requests) == 5


@pytest.mark.long
def test_messages_are_delivered_and_signed(street: Street, owner: Workspace) -> None:
    made = make_channel(owner, **body(street, "webhook"))
    for type_ in ("alert.fired", "alert.reminder", "alert.resolved"):
        fire(street, [made["id"]], type_=type_)
        settled(owner, made["id"], "sent")
    requests = street.arrived(3)
    told = [Webhook(made["secret"]).verify(request.body, request.headers)["type"] for request in requests]
    assert told == ["alert.fired", "alert.reminder", "alert.resolved"]
    found = deliveries(owner, made["id"])
    assert [each["id"] for each in found] == [request.headers["webhook-id"] for request in reversed(requests)]
    newest = {
        "type": "alert.resolved",
        "alertName": "Too many sign-ups",
        "status": "sent",
        "attempts": 1,
        "error": None,
    }
    assert found[0] == newest | {"id": found[0]["id"], "at": found[0]["at"]}


@pytest.mark.long
def test_a_delivery_that_failed_is_retried_with_the_same_id(street: Street, owner: Workspace) -> None:
    made = make_channel(owner, **body(street, "webhook"))
    street.receiver.answers = [Answer(410)]
    fire(street, [made["id"]])
    [failed] = settled(owner, made["id"], "failed")
    assert failed["error"] == "HTTP 410"
    again = post(owner, f"{made['id']}/deliveries/{failed['id']}/retry")
    assert (again["id"], again["status"]) == (failed["id"], "waiting")
    [sent] = settled(owner, made["id"], "sent")
    assert (sent["attempts"], sent["error"]) == (2, None)
    assert [request.headers["webhook-id"] for request in street.receiver.requests] == [failed["id"]] * 2


@pytest.mark.long
def test_a_delivery_that_was_sent_is_sent_again_only_if_the_body_says_so(street: Street, owner: Workspace) -> None:
    made = make_channel(owner, **body(street, "webhook"))
    fire(street, [made["id"]])
    [sent] = settled(owner, made["id"], "sent")
    path = f"/v1/alert-channels/{made['id']}/deliveries/{sent['id']}/retry"
    with owner.client() as client:
        for refused in (client.post(path), client.post(path, json={}), client.post(path, json={"again": False})):
            assert "again" in check_refusal(refused, 409)["message"]
        for wrong in ({"again": "yes"}, {"again": None}, {"now": True}):
            [name] = wrong
            assert [each["path"] for each in check_refusal(client.post(path, json=wrong), 400)["details"]] == [[name]]
        assert deliveries(owner, made["id"]) == [sent]
        assert client.post(path, json={"again": True}).json() == sent | {"status": "waiting"}
    street.arrived(2)
    assert [request.headers["webhook-id"] for request in street.receiver.requests] == [sent["id"]] * 2


def test_a_sixth_retry_in_a_minute_is_refused(street: Street, owner: Workspace) -> None:
    made = make_channel(owner, **body(street, "webhook"))
    fire(street, [made["id"]])
    [sent] = settled(owner, made["id"], "sent")
    path = f"/v1/alert-channels/{made['id']}/deliveries/{sent['id']}/retry"
    with owner.client() as client:
        answers = [client.post(path, json={"again": True}) for _ in range(6)]
    assert [answer.status_code for answer in answers[:5]] == [200] * 5
    check_refusal(answers[5], 429)
    assert 0 < int(answers[5].headers["retry-after"]) <= 61


def test_a_new_secret_replaces_the_old_one_at_once(street: Street, owner: Workspace) -> None:
    made = make_channel(owner, **body(street, "webhook"))
    secret = post(owner, f"{made['id']}/secret")["secret"]
    assert secret != made["secret"]
    post(owner, f"{made['id']}/test")
    [request] = street.receiver.requests
    assert Webhook(secret).verify(request.body, request.headers)
    with owner.client() as client:
        other = make_channel(owner, **body(street, "slack"))
        check_refusal(client.post(f"/v1/alert-channels/{other['id']}/secret"), 409)


def test_it_is_renamed_switched_off_and_moved(street: Street, owner: Workspace) -> None:
    made = make_channel(owner, **body(street, "slack"))
    assert patch(owner, made["id"], {}) == made
    renamed = patch(owner, made["id"], {"name": "Night", "enabled": False})
    assert renamed == made | {"name": "Night", "enabled": False}
    moved = patch(owner, made["id"], {"destination": f"{street.receiver.url}/another-path-abcd"})
    assert moved == renamed | {"destinationPreview": f"{street.receiver.url}/••••abcd"}
    post(owner, f"{made['id']}/test")
    assert street.receiver.requests[-1].path == "/another-path-abcd"
    assert listed(owner) == [moved]
    with owner.client() as client:
        assert client.delete(f"/v1/alert-channels/{made['id']}").status_code == 204
        check_refusal(client.delete(f"/v1/alert-channels/{made['id']}"), 404)
    assert listed(owner) == []


WRONG: list[tuple[Any, list[Any]]] = [
    *[
        ({"name": name}, ["name"])
        for name in (None, "", " ", "x" * 121, 1, "a\n", "a\r\nBcc: b@example.com", "a\u202eb")
    ],
    *[({"type": kind}, ["type"]) for kind in (None, "", "sms", "Email", 1)],
    *[
        ({"destination": text}, ["destination"])
        for text in (None, "", 1, "x", "a@example.com\r\nBcc: b@example.com", "x" * 2001)
    ],
    *[
        ({"type": "webhook", "destination": text}, ["destination"])
        for text in ("http://example.com/x", "https://10.0.0.1/x", "example.com")
    ],
    ({"enabled": "yes"}, ["enabled"]),
    *[({field: "x"}, [field]) for field in ("id", "secret", "destinationPreview", "createdAt", "workspaceId")],
]


@few(4, ("wrong", "path"), WRONG)
def test_what_is_refused_makes_nothing(shared: Workspace, wrong: Any, path: list[Any]) -> None:
    before = listed(shared)
    with shared.client() as client:
        answer = client.post("/v1/alert-channels", json=MAILBOX | wrong)
    assert [detail["path"] for detail in check_refusal(answer, 400)["details"]] == [path]
    assert listed(shared) == before


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"type": "email"}, ["type"]),
        ({"destination": "https://example.com"}, ["destination"]),
        ({"name": "a\n"}, ["name"]),
    ],
)
def test_what_cannot_be_changed(shared: Workspace, change: Any, path: list[Any]) -> None:
    made = make_channel(shared)
    with shared.client() as client:
        answer = client.patch(f"/v1/alert-channels/{made['id']}", json=change)
    assert [detail["path"] for detail in check_refusal(answer, 400)["details"]] == [path]
    assert made in listed(shared)


def test_another_workspaces_channel_is_as_missing_as_a_missing_one(street: Street, owner: Workspace) -> None:
    other, own = make_channel(sign_up(street.server.url)), make_channel(owner)
    messages = set()
    with owner.client() as client:
        for channel_id in (other["id"], "none"):
            path = f"/v1/alert-channels/{channel_id}"
            answers = [client.patch(path, json={"destination": "b@example.com"}), client.delete(path)]
            answers += [client.post(f"{path}/{end}") for end in ("test", "secret", "deliveries/none/retry")]
            messages |= {check_refusal(each, 404)["message"] for each in [*answers, client.get(f"{path}/deliveries")]}
        check_refusal(client.post(f"/v1/alert-channels/{own['id']}/deliveries/none/retry"), 404)
    assert len(messages) == 1


@few(4, "name", [name for name in HOSTILE if len(name) <= 120 and "\n" not in name and "\u202e" not in name])
def test_hostile_names_reach_a_mailbox_as_they_are(street: Street, owner: Workspace, name: str) -> None:
    made = make_channel(owner, **body(street, "email", name=name))
    assert post(owner, f"{made['id']}/test") == {"ok": True}
    assert str(street.mailbox.arrives()["subject"]) == f"Test: {name}"


@pytest.mark.long
def test_nothing_shows_a_destination_or_a_secret(street: Street, owner: Workspace) -> None:
    viewer = add_member(owner, "viewer")
    secrets = [PATH, TOKEN, "secret-ann", "1001234567890"]
    answers = []
    street.receiver.otherwise = Answer(500)
    for kind in ("email", "webhook", "slack", "discord", "telegram"):
        made = make_channel(owner, **body(street, kind))
        secrets += [made.pop("secret")] if "secret" in made else []
        answers += [made, patch(owner, made["id"], {"name": "New"})]
        fire(street, [made["id"]])
        settled(owner, made["id"], "sent" if kind == "email" else "waiting")
        answers += [post(owner, f"{made['id']}/test"), deliveries(owner, made["id"])]
    with viewer.client() as client:
        answers.append(client.get("/v1/alert-channels").json())
    answers.append(owner.get("/v1/audit").json())
    text = json.dumps(answers, ensure_ascii=False) + street.server.text()
    stored = at_rest(street.server.data)
    for secret in secrets:
        assert secret not in text
        assert secret.encode() not in stored
