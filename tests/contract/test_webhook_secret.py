"""The secret of webhooks: stored encrypted, replaced or taken away, never shown (rules/statistics#webhook-secret)."""

import json
import time
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from cryptography.fernet import Fernet

from harness.builders.listing import signature, webhook_secret
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from harness.stores.metadata_edits import run_beside
from harness.suite.few import few
from tallyroom.core.vault import Vault, open_vault

BOT = "264811613708746752"
PATH = f"/v1/statistics/bots/{BOT}/webhook-secret"


@pytest.fixture
def listing(workspace: Workspace) -> Workspace:
    """A workspace that lists the bot."""
    token, _ = workspace.make_stats_token("write")
    with workspace.client(token) as client:
        assert client.put(f"/chat/bots/{BOT}", json={"name": "Bot"}).status_code == 200
    return workspace


def put(workspace: Workspace, body: Any, path: str = PATH) -> Any:
    with workspace.client() as client:
        return client.put(path, json=body)


@pytest.mark.parametrize("secret", ["whs_0123", "8 chars!", "~" * 200, '"\\ quoted'])
def test_it_is_stored_encrypted_by_the_key_beside_the_data(server: Server, listing: Workspace, secret: str) -> None:
    answer = put(listing, {"secret": secret})
    assert (answer.status_code, answer.content) == (204, b"")
    stored = webhook_secret(server.data, listing.workspace_id, BOT)
    assert stored
    assert secret not in stored
    assert open_vault([], server.data).decrypt(stored) == secret


def test_it_is_replaced_and_taken_away(server: Server, listing: Workspace) -> None:
    for secret in ("the first secret", "the second secret"):
        assert put(listing, {"secret": secret}).status_code == 204
    assert listing.get(PATH).json() == {"isSet": True}
    stored = webhook_secret(server.data, listing.workspace_id, BOT)
    assert stored
    assert open_vault([], server.data).decrypt(stored) == "the second secret"
    with listing.client() as client:
        for _ in range(2):  # the second time changes nothing and is no deed
            answer = client.delete(PATH)
            assert (answer.status_code, answer.content) == (204, b"")
    assert listing.get(PATH).json() == {"isSet": False}
    assert webhook_secret(server.data, listing.workspace_id, BOT) is None
    entries = listing.get("/v1/audit").json()["entries"]
    deeds = [(each["action"], each["subject"], each["details"]) for each in entries][:4]
    assert deeds[:3] == [
        ("webhook_secret.delete", BOT, {}),
        ("webhook_secret.set", BOT, {}),
        ("webhook_secret.set", BOT, {}),
    ]
    assert deeds[3][0] == "stats_token.create"


@few(
    4,
    ("body", "path"),
    [
        ({}, ["secret"]),
        *[({"secret": value}, ["secret"]) for value in (None, 12345678, "", "7 chars", "x" * 201)],
        *[({"secret": value}, ["secret"]) for value in ("a\nbcdefgh", "abcdefgh\n", "grüße grüße", "abcdefg\x7f")],
        ({"secret": "long enough", "botId": BOT}, ["botId"]),
    ],
)
def test_a_wrong_secret_changes_nothing_and_is_not_repeated(
    server: Server, listing: Workspace, body: Any, path: list[str]
) -> None:
    answer = put(listing, body)
    assert [detail["path"] for detail in check_refusal(answer, 400)["details"]] == [path]
    assert webhook_secret(server.data, listing.workspace_id, BOT) is None
    if isinstance(body.get("secret"), str) and body["secret"]:
        assert body["secret"] not in answer.text


def test_a_foreign_bot_is_as_missing_as_a_missing_one(server: Server, listing: Workspace) -> None:
    stranger = sign_up(server.url)
    for path in (PATH, PATH.replace(BOT, "0" * 17)):
        for method, body in (("PUT", {"secret": "long enough"}), ("DELETE", None)):
            with stranger.client() as client:
                refusal = check_refusal(client.request(method, path, json=body), 404)
            assert refusal["message"] == "No bot exists with the ID provided."
    assert webhook_secret(server.data, listing.workspace_id, BOT) is None


@pytest.mark.parametrize("bot_id", ["1" * 16, "1" * 20, "x", "%D9%A2" * 18, BOT + "%0A"])
def test_what_is_no_id_is_400(shared: Workspace, bot_id: str) -> None:
    path = f"/v1/statistics/bots/{bot_id}/webhook-secret"
    check_refusal(put(shared, {"secret": "long enough"}, path), 400)
    with shared.client() as client:
        check_refusal(client.delete(path), 400)


def vote(listing: Workspace, secret: str, body: bytes, *, bot_id: str = BOT, at_s: int | None = None) -> Any:
    headers = {
        "content-type": "application/json",
        "x-topgg-signature": signature(secret, int(time.time()) if at_s is None else at_s, body),
    }
    with httpx.Client(base_url=listing.url) as client:
        return client.post(f"/chat/bots/{bot_id}/votes", content=body, headers=headers)


def event(number: int) -> bytes:
    """A vote as a bot list signs it; spaces, because the signature is over the bytes."""
    vote = {
        "id": f"8089626{number:010}",
        "weight": 1,
        "created_at": datetime.now(UTC).isoformat(),
        "expires_at": (datetime.now(UTC) + timedelta(hours=12)).isoformat(),
        "project": {"id": "1", "type": "bot", "platform": "discord", "platform_id": BOT},
        "user": {"id": "2", "platform_id": "264811613708746753", "name": "Voter", "avatar_url": "https://a.example/a"},
    }
    return json.dumps({"type": "vote.create", "data": vote}, indent=1).encode()


def test_a_signed_vote_counts_once_and_only_while_its_secret_holds(server: Server, listing: Workspace) -> None:
    secret, body = f"whs_{listing.workspace_id}", event(1)
    assert vote(listing, secret, body).status_code == 401
    assert put(listing, {"secret": secret}).status_code == 204
    counted = [vote(listing, secret, body).json()["counted"] for _ in range(3)]
    assert counted == [True, False, False]
    check_refusal(vote(listing, secret, body, at_s=int(time.time()) - 86_410), 401)
    check_refusal(vote(listing, secret, body, bot_id="264811613708746753"), 401)
    assert put(listing, {"secret": f"{secret} anew"}).status_code == 204
    check_refusal(vote(listing, secret, body), 401)
    with listing.client() as client:
        assert client.delete(PATH).status_code == 204
    check_refusal(vote(listing, f"{secret} anew", body), 401)


def test_a_secret_that_no_key_opens_is_503_so_that_the_sender_tries_again(server: Server, listing: Workspace) -> None:
    stranger = Vault([Fernet.generate_key().decode()])
    stored = {"secret": stranger.encrypt("long enough"), "workspace": listing.workspace_id}
    run_beside(server.data, "UPDATE bots SET webhook_secret = :secret WHERE workspace_id = :workspace", stored)
    answer = vote(listing, "long enough", event(2))
    body = check_refusal(answer, 503)
    assert "TALLYROOM_SECRET_KEY" in body["message"]
    assert answer.headers["retry-after"]
    with listing.client() as client:  # or else every other test's false signature of this bot would be 503
        assert client.delete(PATH).status_code == 204
