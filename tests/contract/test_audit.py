"""The audit log: each deed once, newest first, without a secret, for its admins (rules/people#audit-log)."""

import hashlib
from typing import Any

import httpx
import pytest

from harness.clients.member import Member, accept, add_member, invite
from harness.clients.row_publication import BOARD, DEEDS_OF_ROWS, Deed, ok
from harness.clients.workspace import PASSWORD, Workspace
from harness.oracles.refusal import check_refusal
from harness.suite.few import few

FIELDS = ["id", "at", "by", "action", "subject", "details"]


def entries(workspace: Workspace, **params: Any) -> list[Any]:
    answer = workspace.get("/v1/audit", **params)
    assert answer.status_code == 200, answer.text
    return list(answer.json()["entries"])


def make_key(client: httpx.Client, name: str = "k") -> Any:
    return ok(client.post("/v1/keys", json={"name": name, "environment": "production"}))


def test_a_new_workspace_begins_with_its_foundation(workspace: Workspace) -> None:
    first = entries(workspace)[-1]
    me = workspace.get("/v1/auth/me").json()
    assert list(first) == FIELDS
    assert (first["action"], first["subject"]) == ("workspace.create", workspace.workspace_id)
    assert first["by"] == {"id": me["user"]["id"], "email": workspace.email}
    assert first["details"] == {"name": me["workspace"]["name"]}


"""Does something as the owner; answers the subject and the details that the log is to have. There is a member."""


def key_create(client: httpx.Client, _: Member) -> tuple[str, Any]:
    key = make_key(client, "Backend")
    prefix = key["secret"][:12]
    return key["id"], {"name": "Backend", "environment": "production", "kind": "secret", "prefix": prefix}


def key_rename(client: httpx.Client, _: Member) -> tuple[str, Any]:
    key = make_key(client, "Backend")
    for _again in range(2):
        ok(client.patch(f"/v1/keys/{key['id']}", json={"name": "Bot"}))
    names = {"name": "Bot", "from": "Backend", "to": "Bot"}
    return key["id"], {"environment": "production", "kind": "secret", "prefix": key["prefix"]} | names


def key_revoke(client: httpx.Client, _: Member) -> tuple[str, Any]:
    key = make_key(client)
    for _again in range(2):  # the second time changes nothing and is no deed
        ok(client.delete(f"/v1/keys/{key['id']}"))
    return key["id"], {"name": "k", "environment": "production", "kind": "secret", "prefix": key["prefix"]}


def stats_token_create(client: httpx.Client, _: Member) -> tuple[str, Any]:
    body = {"name": "Listing", "scope": "bot", "botId": "264811613708746752"}
    token = ok(client.post("/v1/stats-tokens", json=body))
    return token["id"], body | {"prefix": token["secret"][:12]}


def stats_token_revoke(client: httpx.Client, _: Member) -> tuple[str, Any]:
    token = ok(client.post("/v1/stats-tokens", json={"name": "Reader", "scope": "read"}))
    for _again in range(2):
        ok(client.delete(f"/v1/stats-tokens/{token['id']}"))
    return token["id"], {"name": "Reader", "scope": "read", "prefix": token["prefix"]}


def token_create(client: httpx.Client, _: Member) -> tuple[str, Any]:
    token = ok(client.post("/v1/tokens", json={"name": "CI", "scopes": ["write", "read"]}))
    kept = ("name", "environment", "expiresAt", "prefix", "createdBy")
    return token["id"], {name: token[name] for name in kept} | {"scopes": "read write"}


def token_revoke(client: httpx.Client, member: Member) -> tuple[str, Any]:
    token_id, details = token_create(client, member)
    for _again in range(2):
        ok(client.delete(f"/v1/tokens/{token_id}"))
    return token_id, details


def listing_publish(client: httpx.Client, member: Member) -> tuple[str, Any]:
    for _again in range(2):
        ok(client.patch("/v1/listing", json={"isPublic": True}))
    return member.workspace.workspace_id, {}


def listing_unpublish(client: httpx.Client, member: Member) -> tuple[str, Any]:
    for is_public in (True, False, False):
        ok(client.patch("/v1/listing", json={"isPublic": is_public}))
    return member.workspace.workspace_id, {}


def listing_slug(client: httpx.Client, member: Member) -> tuple[str, Any]:
    ok(client.patch("/v1/listing", json={"isPublic": True}))
    ok(client.post("/v1/listing/slug"))
    return member.workspace.workspace_id, {}


def member_role(client: httpx.Client, member: Member) -> tuple[str, Any]:
    for _again in range(2):
        ok(client.patch(f"/v1/members/{member.user_id}", json={"role": "admin"}))
    return member.user_id, {"email": member.email, "from": "viewer", "to": "admin"}


def member_remove(client: httpx.Client, member: Member) -> tuple[str, Any]:
    ok(client.delete(f"/v1/members/{member.user_id}"))
    return member.user_id, {"email": member.email, "role": "viewer"}


def invite_create(client: httpx.Client, member: Member) -> tuple[str, Any]:
    body = {"email": f"not-{member.email}", "role": "admin"}
    return ok(client.post("/v1/invites", json=body))["id"], body


def invite_withdraw(client: httpx.Client, member: Member) -> tuple[str, Any]:
    made = invite(member.workspace, f"not-{member.email}")
    ok(client.delete(f"/v1/invites/{made['id']}"))
    return made["id"], {"email": made["email"], "role": "viewer"}


def workspace_update(client: httpx.Client, member: Member) -> tuple[str, Any]:
    body = {"name": "Renamed", "timezone": "Europe/Berlin"}
    for _again in range(2):
        ok(client.patch("/v1/workspace", json=body))
    return member.workspace.workspace_id, body


def environment_create(client: httpx.Client, _: Member) -> tuple[str, Any]:
    ok(client.post("/v1/environments", json={"name": "staging"}))
    return "staging", {}


def environment_update(client: httpx.Client, _: Member) -> tuple[str, Any]:
    for _again in range(2):
        ok(client.patch("/v1/environments/production", json={"retentionDays": 30}))
    return "production", {"retentionDays": 30, "before": None}


def environment_delete(client: httpx.Client, _: Member) -> tuple[str, Any]:
    ok(client.post("/v1/environments", json={"name": "staging"}))
    ok(client.delete("/v1/environments/staging"))
    return "staging", {}


def actor_erase(client: httpx.Client, _: Member) -> tuple[str, Any]:
    ok(client.delete("/v1/actors/ann%40example.com?environment=development"))
    return "development", {"actorSha256": hashlib.sha256(b"ann@example.com").hexdigest()}


def dashboard_publish(client: httpx.Client, _: Member) -> tuple[str, Any]:
    board = ok(client.post("/v1/dashboards", json=BOARD))
    for _again in range(2):
        ok(client.patch(f"/v1/dashboards/{board['id']}", json={"isPublic": True}))
    return board["id"], BOARD


def dashboard_publish_at_once(client: httpx.Client, _: Member) -> tuple[str, Any]:
    return ok(client.post("/v1/dashboards", json=BOARD | {"isPublic": True}))["id"], BOARD


def dashboard_unpublish(client: httpx.Client, _: Member) -> tuple[str, Any]:
    board = ok(client.post("/v1/dashboards", json=BOARD | {"isPublic": True}))
    for _again in range(2):
        ok(client.patch(f"/v1/dashboards/{board['id']}", json={"isPublic": False}))
    return board["id"], BOARD


def dashboard_slug(client: httpx.Client, _: Member) -> tuple[str, Any]:
    board = ok(client.post("/v1/dashboards", json=BOARD | {"isPublic": True}))
    ok(client.post(f"/v1/dashboards/{board['id']}/slug"))
    return board["id"], BOARD


def dashboard_delete(client: httpx.Client, _: Member) -> tuple[str, Any]:
    board = ok(client.post("/v1/dashboards", json=BOARD))
    ok(client.delete(f"/v1/dashboards/{board['id']}"))
    return board["id"], BOARD


def mailed(client: httpx.Client) -> Any:
    board = ok(client.post("/v1/dashboards", json=BOARD))
    body = {"dashboardId": board["id"], "cadence": "daily", "recipients": ["Ann@example.com", "ben@example.com"]}
    return ok(client.post("/v1/digests", json=body))


def told_of(digest: Any) -> tuple[str, Any]:
    details = {
        "name": BOARD["name"],
        "dashboardId": digest["dashboardId"],
        "recipients": "Ann@example.com, ben@example.com",
    }
    return digest["id"], details


def digest_create(client: httpx.Client, _: Member) -> tuple[str, Any]:
    return told_of(mailed(client))


def digest_update(client: httpx.Client, _: Member) -> tuple[str, Any]:
    digest = mailed(client)
    for _again in range(2):
        ok(client.patch(f"/v1/digests/{digest['id']}", json={"sendHour": 7}))
    return told_of(digest)


def digest_send(client: httpx.Client, _: Member) -> tuple[str, Any]:
    digest = mailed(client)
    ok(client.post(f"/v1/digests/{digest['id']}/send"))
    return told_of(digest)


def digest_delete(client: httpx.Client, _: Member) -> tuple[str, Any]:
    digest = mailed(client)
    ok(client.delete(f"/v1/digests/{digest['id']}"))
    return told_of(digest)


ALERT = {"name": "Silence", "environment": "production", "event": "x", "condition": "nodata"}


def alert_create(client: httpx.Client, _: Member) -> tuple[str, Any]:
    return ok(client.post("/v1/alerts", json=ALERT))["id"], {"name": "Silence"}


def alert_update(client: httpx.Client, _: Member) -> tuple[str, Any]:
    alert = ok(client.post("/v1/alerts", json=ALERT))
    for _again in range(2):
        ok(client.patch(f"/v1/alerts/{alert['id']}", json={"name": "Quiet"}))
    return alert["id"], {"name": "Quiet"}


def alert_delete(client: httpx.Client, _: Member) -> tuple[str, Any]:
    alert = ok(client.post("/v1/alerts", json=ALERT))
    ok(client.delete(f"/v1/alerts/{alert['id']}"))
    return alert["id"], {"name": "Silence"}


HOOK = {"name": "Hook", "type": "webhook", "destination": "https://example.com/hooks/0123456789"}
TOLD = {"name": "Hook", "type": "webhook"}


SOURCE = {"name": "Shop", "host": "api.example.com"}
SOURCE_TOKEN = "a-token-of-the-shop"


def external_source_create(client: httpx.Client, _: Member) -> tuple[str, Any]:
    return ok(client.post("/v1/external-sources", json=SOURCE | {"token": SOURCE_TOKEN}))["id"], SOURCE


def external_source_update(client: httpx.Client, _: Member) -> tuple[str, Any]:
    made = ok(client.post("/v1/external-sources", json=SOURCE | {"token": SOURCE_TOKEN}))
    body = {"host": "other.example.com", "headerName": "X-Key"}
    for _again in range(2):
        ok(client.patch(f"/v1/external-sources/{made['id']}", json=body))
    return made["id"], SOURCE | {"host": "other.example.com", "changed": "host, headerName, token"}


def external_source_delete(client: httpx.Client, _: Member) -> tuple[str, Any]:
    made = ok(client.post("/v1/external-sources", json=SOURCE))
    ok(client.delete(f"/v1/external-sources/{made['id']}"))
    return made["id"], SOURCE


def alert_channel_create(client: httpx.Client, _: Member) -> tuple[str, Any]:
    return ok(client.post("/v1/alert-channels", json=HOOK))["id"], TOLD


def alert_channel_update(client: httpx.Client, _: Member) -> tuple[str, Any]:
    made = ok(client.post("/v1/alert-channels", json=HOOK))
    body = {"enabled": False, "destination": "https://example.com/hooks/9876543210"}
    for _again in range(2):
        ok(client.patch(f"/v1/alert-channels/{made['id']}", json=body))
    return made["id"], TOLD | {"changed": "enabled, destination"}


def alert_channel_secret(client: httpx.Client, _: Member) -> tuple[str, Any]:
    made = ok(client.post("/v1/alert-channels", json=HOOK))
    ok(client.post(f"/v1/alert-channels/{made['id']}/secret"))
    return made["id"], TOLD


def alert_channel_delete(client: httpx.Client, _: Member) -> tuple[str, Any]:
    made = ok(client.post("/v1/alert-channels", json=HOOK))
    ok(client.delete(f"/v1/alert-channels/{made['id']}"))
    return made["id"], TOLD


DEEDS: list[tuple[str, Deed]] = [
    ("alert.create", alert_create),
    ("alert.update", alert_update),
    ("alert.delete", alert_delete),
    ("key.create", key_create),
    ("key.rename", key_rename),
    ("key.revoke", key_revoke),
    ("token.create", token_create),
    ("token.revoke", token_revoke),
    ("stats_token.create", stats_token_create),
    ("stats_token.revoke", stats_token_revoke),
    ("member.role", member_role),
    ("member.remove", member_remove),
    ("invite.create", invite_create),
    ("invite.withdraw", invite_withdraw),
    ("workspace.update", workspace_update),
    ("environment.create", environment_create),
    ("environment.update", environment_update),
    ("environment.delete", environment_delete),
    ("actor.erase", actor_erase),
    ("listing.publish", listing_publish),
    ("listing.unpublish", listing_unpublish),
    ("listing.slug", listing_slug),
    ("dashboard.publish", dashboard_publish),
    ("dashboard.publish", dashboard_publish_at_once),
    ("dashboard.unpublish", dashboard_unpublish),
    ("dashboard.slug", dashboard_slug),
    ("dashboard.delete", dashboard_delete),
    *DEEDS_OF_ROWS,
    ("external_source.create", external_source_create),
    ("external_source.update", external_source_update),
    ("external_source.delete", external_source_delete),
    ("digest.create", digest_create),
    ("digest.update", digest_update),
    ("digest.send", digest_send),
    ("digest.delete", digest_delete),
    ("alert_channel.create", alert_channel_create),
    ("alert_channel.update", alert_channel_update),
    ("alert_channel.secret", alert_channel_secret),
    ("alert_channel.delete", alert_channel_delete),
]


@few(3, ("action", "deed"), DEEDS, ids=[action for action, _ in DEEDS])
def test_each_deed_is_recorded_once(workspace: Workspace, action: str, deed: Deed) -> None:
    member = add_member(workspace, "viewer")
    before = {entry["id"] for entry in entries(workspace)}
    with workspace.client() as client:
        subject, details = deed(client, member)
    new = [entry for entry in entries(workspace) if entry["id"] not in before and entry["action"] == action]
    assert [(entry["subject"], entry["details"]) for entry in new] == [(subject, details)]
    assert new[0]["by"]["email"] == workspace.email


def test_who_accepts_and_who_leaves_did_it_himself(workspace: Workspace) -> None:
    made = invite(workspace, f"guest-{workspace.email}", "developer")
    user_id = accept(workspace.url, made["token"]).json()["user"]["id"]
    again = {"email": made["email"], "password": PASSWORD}
    with workspace.client("none") as client:
        token = client.post("/v1/auth/login", json=again).headers["x-session-token"]
        client.headers["authorization"] = f"Bearer {token}"
        ok(client.delete(f"/v1/members/{user_id}"))
    left, came = entries(workspace)[:2]
    by = {"id": user_id, "email": made["email"]}
    assert (came["action"], came["subject"], came["by"]) == ("invite.accept", made["id"], by)
    assert (left["action"], left["subject"], left["by"]) == ("member.remove", user_id, by)


def test_invitations_that_go_with_something_else_are_recorded(workspace: Workspace) -> None:
    admin = add_member(workspace, "admin")
    with admin.client() as client:
        made = [
            ok(client.post("/v1/invites", json={"email": f"guest-{workspace.email}", "role": role}))
            for role in ("viewer", "developer")  # the second replaces the first
        ]
    withdrawn = [(made[0]["id"], admin.email, {"email": made[0]["email"], "role": "viewer"})]
    assert told_withdrawn(workspace) == withdrawn
    with workspace.client() as owner:
        ok(owner.delete(f"/v1/members/{admin.user_id}"))
    withdrawn = [(made[1]["id"], workspace.email, {"email": made[1]["email"], "role": "developer"}), *withdrawn]
    assert told_withdrawn(workspace) == withdrawn


def told_withdrawn(workspace: Workspace) -> list[tuple[str, str, Any]]:
    """Subject, doer and details of each invitation that the log says was withdrawn."""
    return [
        (entry["subject"], entry["by"]["email"], entry["details"])
        for entry in entries(workspace)
        if entry["action"] == "invite.withdraw"
    ]


def test_what_was_refused_is_no_deed(workspace: Workspace) -> None:
    me = workspace.get("/v1/auth/me").json()["user"]["id"]
    before = entries(workspace)
    with workspace.client() as client:
        check_refusal(client.delete(f"/v1/members/{me}"), 409)
        check_refusal(client.patch(f"/v1/members/{me}", json={"role": "viewer"}), 409)
        check_refusal(client.delete("/v1/environments/production"), 400)
        check_refusal(client.post("/v1/environments", json={"name": "production"}), 409)
        check_refusal(client.post("/v1/invites", json={"email": workspace.email, "role": "viewer"}), 409)
        check_refusal(client.patch("/v1/workspace", json={"name": "New", "timezone": "Mars"}), 400)
        check_refusal(client.delete("/v1/actors/a?environment=none"), 400)
        ok(client.patch("/v1/workspace", json={}))
        board = ok(client.post("/v1/dashboards", json=BOARD))
        check_refusal(client.post(f"/v1/dashboards/{board['id']}/slug"), 409)
        check_refusal(client.patch(f"/v1/dashboards/{board['id']}", json={"isPublic": True, "name": ""}), 400)
    assert entries(workspace) == before


def test_no_secret_is_in_the_log(workspace: Workspace) -> None:
    made = invite(workspace, f"guest-{workspace.email}")
    accept(workspace.url, made["token"])
    with workspace.client() as client:
        key = make_key(client)
        token = ok(client.post("/v1/stats-tokens", json={"name": "t", "scope": "write"}))
        ok(client.post("/v1/external-sources", json=SOURCE | {"token": SOURCE_TOKEN}))
        ok(client.delete("/v1/actors/ann%40example.com"))
        slug = ok(client.post("/v1/dashboards", json=BOARD | {"isPublic": True}))["slug"]
    text = workspace.get("/v1/audit").text
    assert slug not in text
    for secret in (key["secret"], token["secret"], workspace.key, made["token"], workspace.session_token):
        assert secret[12:] not in text
    for secret in (SOURCE_TOKEN, PASSWORD, "ann@example.com"):
        assert secret not in text
    assert workspace.key[:12] in text


def test_it_is_read_page_by_page_newest_first(workspace: Workspace) -> None:
    with workspace.client() as client:
        made = [make_key(client)["id"] for _ in range(7)]
    whole = entries(workspace)
    assert {entry["subject"] for entry in whole[:7]} == set(made)
    assert whole == sorted(whole, key=lambda entry: (entry["at"], entry["id"]), reverse=True)
    pages, cursor = [], None
    while cursor is not None or not pages:
        page = workspace.get("/v1/audit", limit=2, **({"cursor": cursor} if cursor else {})).json()
        pages.append(page["entries"])
        cursor = page["next"]
        with workspace.client() as client:
            make_key(client)  # what comes later moves no page
    assert [len(page) for page in pages] == [2] * (len(whole) // 2) + [1] * (len(whole) % 2)
    assert [entry for page in pages for entry in page] == whole


@pytest.mark.parametrize(
    "params", [{"limit": "0"}, {"limit": "x"}, {"limit": "-1"}, {"cursor": "x"}, {"cursor": "W10"}]
)
def test_a_wrong_parameter_is_400(shared: Workspace, params: dict[str, str]) -> None:
    check_refusal(shared.get("/v1/audit", **params), 400)
