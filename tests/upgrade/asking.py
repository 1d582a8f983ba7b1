"""What is asked of a server of the fixture, and whether an answer still has all that it had."""

import json
from typing import Any, NamedTuple

import httpx

from upgrade.content import BOTS, SPAN, VOTERS

ASIDE = {"computedAt", "lastUsedAt"}
"""Fields of answers that a question itself may change."""


class Question(NamedTuple):
    """One request: by the secret of that name, nobody's if empty; with a body it is a POST."""

    path: str
    who: str = "session"
    body: Any = None
    params: dict[str, Any] | None = None


def ask(url: str, secrets: dict[str, str], question: Question) -> Any:
    """The answer as JSON; of a file, its lines."""
    headers = {"authorization": f"Bearer {secrets[question.who]}"} if question.who else {}
    method = "GET" if question.body is None else "POST"
    answer = httpx.request(
        method, url + question.path, params=question.params, json=question.body, headers=headers, timeout=60
    )
    assert answer.status_code == 200, f"{question}: {answer.status_code} {answer.text}"
    if answer.headers["content-type"].startswith("application/x-ndjson"):
        return [json.loads(line) for line in answer.text.splitlines()]
    return answer.json()


def questions(ids: dict[str, Any]) -> dict[str, Question]:
    """All of them, by name; the audit log comes before the exports, which it notes."""
    return _of_people() | _of_boards(ids) | _of_messages(ids) | _of_bots() | _of_events()


def _of_events() -> dict[str, Question]:
    asked = {}
    for name in ("production", "development"):
        place = {"environment": name, **SPAN}
        asked |= {
            f"export of {name}": Question("/v1/export", params={**place, "format": "ndjson"}),
            f"events of {name}": Question("/v1/events", params={**place, "limit": 200}),
            f"hidden of {name}": Question("/v1/events", params={**place, "hidden": "true"}),
            f"actors of {name}": Question("/v1/actors", params=place),
            f"schema of {name}": Question("/v1/schema", params={"environment": name}),
        }
    production = {"environment": "production", **SPAN}
    return asked | {
        "actor": Question("/v1/actors/ann", params=production),
        "groups": Question("/v1/groups", params=production),
        "group": Question("/v1/groups/north", params=production),
        "group keys": Question("/v1/groups/keys", params=production),
        "usage": Question("/v1/usage"),
        "actors by key": Question("/v1/actors", "live", params=SPAN),
    }


def _of_boards(ids: dict[str, Any]) -> dict[str, Question]:
    asked = {"boards": Question("/v1/dashboards"), "public board": Question(f"/v1/public/dashboards/{ids['slug']}", "")}
    for board in ("public", "private"):
        asked[f"board {board}"] = Question(f"/v1/dashboards/{ids[board]}")
        for number, widget in enumerate(ids[f"widgets of {board}"]):
            asked[f"widget {number} of {board}"] = Question(f"/v1/widgets/{widget}/data", body={})
    for number, widget in enumerate(ids["widgets of public"]):
        path = f"/v1/public/dashboards/{ids['slug']}/widgets/{widget}/data"
        asked[f"widget {number} for everybody"] = Question(path, "", body={})
    return asked | {
        "segments": Question("/v1/segments"),
        "annotations": Question("/v1/annotations", params={"environment": "production"}),
        "sources": Question("/v1/external-sources"),
    }


def _of_messages(ids: dict[str, Any]) -> dict[str, Question]:
    asked = {
        f"deliveries of {name}": Question(f"/v1/alert-channels/{channel}/deliveries")
        for name, channel in ids["channels"].items()
    }
    return asked | {
        "alerts": Question("/v1/alerts"),
        "activity": Question("/v1/alerts/activity"),
        "channels": Question("/v1/alert-channels"),
        "digests": Question("/v1/digests"),
        "sendings": Question(f"/v1/digests/{ids['digest']}/sendings"),
    }


def _of_people() -> dict[str, Question]:
    return {
        "me": Question("/v1/auth/me"),
        "developer": Question("/v1/auth/me", "developer"),
        "workspace": Question("/v1/workspace"),
        "workspaces": Question("/v1/workspaces"),
        "members": Question("/v1/members"),
        "invites": Question("/v1/invites"),
        "environments": Question("/v1/environments"),
        "keys": Question("/v1/keys"),
        "tokens": Question("/v1/tokens"),
        "stats tokens": Question("/v1/stats-tokens"),
        "audit": Question("/v1/audit", params={"limit": 200}),
        "key": Question("/v1/key", "live"),
        "boards by token": Question("/v1/dashboards", "token"),
        "events by limited token": Question("/v1/events", "limited", params={"environment": "development", **SPAN}),
    }


def _of_bots() -> dict[str, Question]:
    asked = {}
    for bot in BOTS:
        path = f"/chat/bots/{bot}"
        asked |= {
            f"bot {bot}": Question(path, "stats"),
            f"voters of {bot}": Question(f"{path}/leaderboard", "stats"),
            f"recent of {bot}": Question(f"{path}/recent", "stats"),
        }
        for kind in ("total_votes", "server_count"):
            params = {"type": kind, "timeFrame": "90d"}
            asked[f"{kind} of {bot}"] = Question(f"{path}/historical", "stats", params=params)
    return asked | {
        "ranking": Question("/chat/rankings/bots", "stats"),
        "ranking by servers": Question("/chat/rankings/bots", "stats", params={"sortBy": "server_count_rank"}),
        "voter": Question(f"/chat/bots/{BOTS[0]}/leaderboard/{VOTERS[0]}", "stats"),
        "comparison": Question(f"/chat/compare/{BOTS[0]}/{BOTS[1]}", "stats"),
        "bots found": Question("/search", "stats", params={"query": "tea"}),
        "listing": Question("/v1/listing"),
    }


def lost(before: Any, now: Any, at: str = "") -> list[str]:
    """Where an answer no longer has what it had; further fields are no loss."""
    if isinstance(before, dict) and isinstance(now, dict):
        known = [name for name in before if name not in ASIDE]
        return [line for name in known for line in lost(before[name], now.get(name, "absent"), f"{at}.{name}")]
    if isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        pairs = enumerate(zip(before, now, strict=True))
        return [line for number, pair in pairs for line in lost(*pair, f"{at}[{number}]")]
    same = type(before) is type(now) and before == now
    return [] if same else [f"{at}: {json.dumps(before)} is now {json.dumps(now)}"]
