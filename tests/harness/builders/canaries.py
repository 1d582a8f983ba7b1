"""A workspace whose every text wants to be markup, an address or a template, or to break the lines around it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from harness.browser.chromium import RUN
from harness.builders.moments import ago
from harness.clients.dashboards import (
    make,
    make_alert,
    make_annotation,
    make_dashboard,
    make_digest,
    make_external_source,
    make_segment,
    make_widget,
)
from harness.clients.workspace import Workspace, sign_up

ELSEWHERE = "evil.example"
IMAGE = f"<img src=x onerror={RUN}>"
CANARIES = [
    IMAGE,
    f'"><script>{RUN}</script>',
    f"javascript:{RUN}",
    "{{7*7}}",
    f"[x](javascript:{RUN})",
    f"![x](https://{ELSEWHERE}/x.png)",
    f"//{ELSEWHERE}/..",
    "\u202egnp.exe\u2066 to the left",
    "W" * 256,
    "👩‍👩‍👧‍👦" * 36,
]
"""The sixth fetches where notes show pictures; the seventh is another site wherever a key becomes an address."""
SEEMLY = [text for text in CANARIES if "\u202e" not in text]
"""Those for fields that take no letters that turn the order around."""
BOT, USER = "100000000000000000", "205680187394752512"
WORLDLY = [
    text[:256].strip()
    for text in (
        "متجر الموسيقى: أرقام اليوم والأسبوع",
        "הזמנות לפי חבילה",
        "لوحة " * 60,
        "הכנסות" * 50,
        "شراء via Checkout v2 (תשלום) 50%",
        "注文の金額と利用者の数" * 24,
        "ขนส่งน้ำผึ้ง" * 22,
        "नमस्ते दुनिया " * 19,
        "🎧🇩🇪👩🏽‍🚀" * 32,
        "Donaudampfschifffahrtsgesellschaft" * 8,
    )
]
"""Names as people all over the world choose them, from right to left as well, some of them as long as names may be."""


@dataclass
class Hostile:
    """What was made.

    Attributes:
        boards: ids of the dashboards, the one with all widgets first.
        widgets: ids of the widgets, by kind.
        alert: id of the alert on a formula.
        prop_key: of the groups.
        texts: what everything is called.
    """

    workspace: Workspace
    texts: Sequence[str] = tuple(CANARIES)
    boards: list[str] = field(default_factory=list)
    widgets: dict[str, str] = field(default_factory=dict)
    alert: str = ""

    @property
    def seemly(self) -> list[str]:
        """The texts for fields that take no letters that turn the order around."""
        return [text for text in self.texts if "\u202e" not in text]

    @property
    def prop_key(self) -> str:
        return _key(self.texts[1])

    def address(self, path: str, text: str = "") -> str:
        """A path of the map with something for each name: a kind of widget, or the key of an actor or group."""
        names = {"$id": self.boards[0], "$widgetId": self.widgets["metric"], "$alertId": self.alert}
        key = quote(cut(text or self.texts[0], 256), safe="")
        names |= {"$actorKey": key, "$groupKey": key}
        names |= {"$botId": BOT, "$userId": USER}
        return "/".join(names.get(part, part) for part in path.split("/"))


def make_hostile(url: str, texts: Sequence[str] = CANARIES) -> Hostile:
    """Sign up, and give every field that pages show each of the texts."""
    longest = max(texts, key=len)
    workspace = sign_up(url, name=cut(f"{texts[0]}{longest}", 80), workspaceName=cut(f"{texts[1]}{longest}", 80))
    hostile = Hostile(workspace, tuple(texts))
    _send(hostile)
    for text in hostile.seemly:
        _name_things(hostile, text)
    make(workspace, "/v1/environments", {"name": "hostile", "displayName": cut(texts[1], 80)})
    _make_board(hostile)
    _list_bots(hostile)
    return hostile


def cut(text: str, length: int) -> str:
    """No longer than a field takes, and no half of a letter."""
    return text[:length].rstrip("\u200d")


def _send(hostile: Hostile) -> None:
    events = [
        {
            "name": cut(text, 128),
            "_actor": cut(text, 256),
            "_actorLabel": cut(hostile.texts[number - 1], 256),
            "_source": cut(text, 128),
            "_timestamp": ago(minutes=2 + 5 * number),
            "properties": dict.fromkeys(map(_key, hostile.seemly), text) | {hostile.prop_key: text, "n": number},
        }
        for number, text in enumerate(hostile.texts)
    ]
    sent = hostile.workspace.send({"events": events})
    assert sent.status_code == 202, sent.text
    refused = hostile.workspace.send({"name": "x", "_timestamp": IMAGE, IMAGE: 1})
    assert refused.status_code == 400


def _list_bots(hostile: Hostile) -> None:
    """A listing whose bots and voters have those texts for names, and in place of addresses."""
    rows: list[dict[str, Any]] = []
    for number, text in enumerate(hostile.seemly):
        short = cut(text, 120)
        bot = {"id": str(int(BOT) + number), "name": short, "tags": [short], "lib": short, "prefix": short}
        address = f"https://{ELSEWHERE}/{quote(short[:40])}"
        rows.append(bot | {"short_desc": cut(text, 500), "website": address, "owners": [USER], "server_count": number})
    rows.append({"bot": BOT, "userId": USER, "username": cut(hostile.texts[0], 120)})
    token, _ = hostile.workspace.make_stats_token("write")
    with hostile.workspace.client(token) as client:
        answer = client.post("/chat/import", json={"rows": rows})
        assert answer.status_code == 200, answer.text


def _key(text: str) -> str:
    return cut(text, 128)


def _name_things(hostile: Hostile, text: str) -> None:
    workspace = hostile.workspace
    for path, body in (
        ("/v1/groups/keys", {"propKey": _key(text), "label": cut(text, 80), "makeDefault": text == hostile.prop_key}),
        ("/v1/keys", {"name": cut(text, 120), "environment": "production"}),
        ("/v1/tokens", {"name": cut(text, 120), "scopes": ["read"]}),
    ):
        make(workspace, path, body)
    filters = [{"key": _key(text), "op": "eq", "value": text}]
    segment = make_segment(workspace, name=cut(text, 120), filters=filters)["id"]
    _alert(hostile, text, segment, filters)
    make_annotation(workspace, label=cut(text, 120), description=cut(text, 500), time=ago(hours=30))
    make_external_source(workspace, name=cut(text, 120))
    made = make_dashboard(workspace, name=cut(text, 120), description=cut(text * 9, 280), filters=filters)
    make_digest(workspace, made["id"], name=cut(text, 120))
    hostile.boards.append(made["id"])


def _alert(hostile: Hostile, text: str, segment: str, filters: Any) -> None:
    """An alert that fires, on one event and on a formula, and a channel of that name."""
    channel = {"name": cut(text, 120), "type": "email", "destination": "ann@example.com"}
    told = [make(hostile.workspace, "/v1/alert-channels", channel)["id"]]
    usual = {"name": cut(text, 120), "segmentId": segment, "channelIds": told, "condition": "below", "threshold": 5}
    part = {"event": cut(text, 128), "measure": "uniq", "property": _key(text), "filters": filters}
    make_alert(hostile.workspace, **usual | {"event": cut(text, 128), "filters": filters})
    formula = {"a": part, "expression": "a * 1"}
    hostile.alert = make_alert(hostile.workspace, **usual | {"event": None, "formula": formula})["id"]


def _make_board(hostile: Hostile) -> None:
    """The first dashboard: a widget of each kind, over the events and keys of those names."""
    seemly = hostile.seemly
    board = make_dashboard(hostile.workspace, name=cut(seemly[0], 120), description=cut(" ".join(seemly), 280))["id"]
    hostile.boards.insert(0, board)
    counted = {"event": cut(hostile.texts[0], 128), "measure": "count"}
    for at, (kind, config) in enumerate(_configs(hostile, counted).items()):
        title = cut(seemly[at % len(seemly)], 120)
        made = make_widget(hostile.workspace, board, type=kind.split()[0], title=title, config=config)
        hostile.widgets.setdefault(kind.split()[0], made["id"])
    unnamed = make_widget(hostile.workspace, board, type="metric", title="", config=counted)
    assert unnamed["title"] == ""


def _configs(hostile: Hostile, counted: dict[str, Any]) -> dict[str, dict[str, Any]]:
    names, key, seemly = [cut(text, 128) for text in hostile.texts], hostile.prop_key, hostile.seemly
    filters = [{"key": _key(text), "op": "neq", "value": text[:200]} for text in seemly[3:6]]
    everything = {"events": "all", "measure": "count"}
    return {
        "metric": everything | {"overTime": True, "breakdown": key},
        "metric ranked": everything | {"breakdown": "name"},
        "metric filtered": counted | {"filters": filters, "display": {"unit": seemly[0][:20]}},
        "formula": {"a": counted, "b": everything, "expression": "a / b", "breakdown": key},
        "kpi": {"items": [counted | {"label": cut(text, 80)} for text in seemly[:6]]},
        "table": {"columns": ["time", "event", "actor", "source", f"prop:{key}"]},
        "funnel": {"steps": [{"event": name} for name in names[:8]]},
        "retention": {"cohortEvent": names[0], "returnEvent": names[1]},
        "histogram": {"event": names[0], "property": "n"},
        "heatmap": {"event": names[0]},
        "note": {"text": _note(hostile.texts)},
    }


def _note(texts: Sequence[str]) -> str:
    return "\n\n".join([*texts, *(f"- **{each}** `{each}` # {each}" for each in texts[:7])])[:2_000]
