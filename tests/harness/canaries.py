"""A workspace whose every text wants to be markup, an address or a template, or to break the lines around it."""

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from harness.browser import RUN
from harness.dashboards import make, make_annotation, make_dashboard, make_segment, make_widget
from harness.moments import ago
from harness.workspace import Workspace, sign_up

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
TEXT_OF_NOTE = "\n\n".join([*CANARIES, *(f"- **{each}** `{each}` # {each}" for each in CANARIES[:7])])


@dataclass
class Hostile:
    """What was made.

    Attributes:
        boards: ids of the dashboards, the one with all widgets first.
        widgets: ids of the widgets, by kind.
        prop_key: of the groups.
    """

    workspace: Workspace
    boards: list[str] = field(default_factory=list)
    widgets: dict[str, str] = field(default_factory=dict)
    prop_key: str = CANARIES[1]

    def address(self, path: str, text: str = IMAGE) -> str:
        """A path of the map with something for each name: a kind of widget, or the key of an actor or group."""
        names = {"$id": self.boards[0], "$widgetId": self.widgets["metric"]}
        names |= {"$actorKey": quote(text, safe=""), "$groupKey": quote(text, safe="")}
        return "/".join(names.get(part, part) for part in path.split("/"))


def make_hostile(url: str) -> Hostile:
    """Sign up, and give every field that pages show a text of each sort."""
    workspace = sign_up(url, name=cut(f"{IMAGE}{'W' * 99}", 80), workspaceName=cut(f"{CANARIES[1]}{'W' * 99}", 80))
    hostile = Hostile(workspace)
    _send(hostile)
    for text in SEEMLY:
        _name_things(hostile, text)
    make(workspace, "/v1/environments", {"name": "hostile", "displayName": cut(CANARIES[1], 80)})
    _make_board(hostile)
    return hostile


def cut(text: str, length: int) -> str:
    """No longer than a field takes, and no half of a letter."""
    return text[:length].rstrip("\u200d")


def _send(hostile: Hostile) -> None:
    events = [
        {
            "name": cut(text, 128),
            "_actor": cut(text, 256),
            "_actorLabel": cut(CANARIES[number - 1], 256),
            "_source": cut(text, 128),
            "_timestamp": ago(minutes=2 + 5 * number),
            "properties": dict.fromkeys(map(_key, SEEMLY), text) | {hostile.prop_key: text, "n": number},
        }
        for number, text in enumerate(CANARIES)
    ]
    sent = hostile.workspace.send({"events": events})
    assert sent.status_code == 202, sent.text
    refused = hostile.workspace.send({"name": "x", "_timestamp": IMAGE, IMAGE: 1})
    assert refused.status_code == 400


def _key(text: str) -> str:
    return cut(text, 128)


def _name_things(hostile: Hostile, text: str) -> None:
    workspace = hostile.workspace
    for path, body in (
        ("/v1/groups/keys", {"propKey": _key(text), "label": cut(text, 80), "makeDefault": text == hostile.prop_key}),
        ("/v1/keys", {"name": cut(text, 120), "environment": "production"}),
    ):
        make(workspace, path, body)
    filters = [{"key": _key(text), "op": "eq", "value": text}]
    make_segment(workspace, name=cut(text, 120), filters=filters)
    make_annotation(workspace, label=cut(text, 120), description=cut(text, 500), time=ago(hours=30))
    made = make_dashboard(workspace, name=cut(text, 120), description=cut(text * 9, 280), filters=filters)
    hostile.boards.append(made["id"])


def _make_board(hostile: Hostile) -> None:
    """The first dashboard: a widget of each kind, over the events and keys of those names."""
    board = make_dashboard(hostile.workspace, name=IMAGE, description=" ".join(SEEMLY)[:280])["id"]
    hostile.boards.insert(0, board)
    names = [cut(text, 128) for text in CANARIES]
    counted = {"event": names[0], "measure": "count"}
    for at, (kind, config) in enumerate(_configs(names, hostile.prop_key, counted).items()):
        title = cut(SEEMLY[at % len(SEEMLY)], 120)
        made = make_widget(hostile.workspace, board, type=kind.split()[0], title=title, config=config)
        hostile.widgets.setdefault(kind.split()[0], made["id"])
    unnamed = make_widget(hostile.workspace, board, type="metric", title="", config=counted)
    assert unnamed["title"] == ""


def _configs(names: list[str], key: str, counted: dict[str, Any]) -> dict[str, dict[str, Any]]:
    filters = [{"key": _key(text), "op": "neq", "value": text[:200]} for text in SEEMLY[3:6]]
    everything = {"events": "all", "measure": "count"}
    return {
        "metric": everything | {"overTime": True, "breakdown": key},
        "metric ranked": everything | {"breakdown": "name"},
        "metric filtered": counted | {"filters": filters, "display": {"unit": IMAGE[:20]}},
        "formula": {"a": counted, "b": everything, "expression": "a / b", "breakdown": key},
        "kpi": {"items": [counted | {"label": cut(text, 80)} for text in SEEMLY[:6]]},
        "table": {"columns": ["time", "event", "actor", "source", f"prop:{key}"]},
        "funnel": {"steps": [{"event": name} for name in names[:8]]},
        "retention": {"cohortEvent": names[0], "returnEvent": names[1]},
        "histogram": {"event": names[0], "property": "n"},
        "heatmap": {"event": names[0]},
        "note": {"text": TEXT_OF_NOTE},
    }
