"""The colors that a widget has saved: who may save which, and that the public gets none of them.

The rules: rules/pictures#color-of-a-value, rules/boards#public-colors, rules/questions#folded-series.
"""

import re
from typing import Any

import httpx
import pytest

from harness.clients.dashboards import make_dashboard, make_widget
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from tallyroom.core.value_colors import assign_colors
from tallyroom.images.charts.colors import THEMES

CITIES = [f"city-{number:02}" for number in range(12)]
CANARY = "a-value-that-no-event-has"
CONFIG: dict[str, Any] = {"event": "hit", "measure": "count", "breakdown": "city", "overTime": True, "limit": 50}
VISITS = {"event": "visit", "measure": "count"}
CHOSEN = {"city-11": 5, CANARY: 2}


@pytest.fixture(scope="module")
def owner(server: Server) -> Workspace:
    workspace = sign_up(server.url)
    hits = [{"name": "hit", "properties": {"city": city}} for rank, city in enumerate(CITIES, 1) for _ in range(rank)]
    visits = [{"name": "visit", "_actor": city, "properties": {"city": city}} for city in CITIES]
    assert workspace.send({"events": hits + visits}).status_code == 202
    return workspace


def ask(owner: Workspace, path: str, body: Any) -> Any:
    with owner.client() as client:
        answer = client.post(path, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_widget_keeps_the_colors_that_it_was_saved_with(owner: Workspace) -> None:
    config = CONFIG | {"display": {"colors": {"city-01": 8, "": 1, "(none)": 3}}}
    widget = make_widget(owner, make_dashboard(owner)["id"], type="metric", config=config)
    assert widget["config"]["display"] == config["display"]


@pytest.mark.parametrize(
    ("colors", "reason"),
    [
        ({"city-01": 9}, "must be 8 or less"),
        ({"city-01": 0}, "must be 1 or more"),
        ({"city-01": "red"}, "must be an integer, not a string"),
        ({"x" * 257: 1}, "must have 256 or fewer characters"),
        ({str(number): 1 for number in range(51)}, "must have 50 or fewer entries"),
        (["city-01"], "must be an object or null, not a list"),
    ],
)
def test_colors_that_do_not_exist_are_refused(owner: Workspace, colors: Any, reason: str) -> None:
    body = {"type": "metric", "config": CONFIG | {"display": {"colors": colors}}}
    with owner.client() as client:
        answer = client.post(f"/v1/dashboards/{make_dashboard(owner)['id']}/widgets", json=body)
    [detail] = check_refusal(answer, 400)["details"]
    assert detail == {"path": ["config", "display", "colors"], "message": reason}


def test_a_card_asks_for_eight_labels_and_the_others_and_who_they_are(owner: Workspace) -> None:
    widget = make_widget(owner, make_dashboard(owner)["id"], type="metric", config=CONFIG)
    path = f"/v1/widgets/{widget['id']}/data"
    assert len(ask(owner, path, {})["series"]) == 12
    folded = ask(owner, path, {"foldSeries": True})["series"]
    assert [part["label"] for part in folded] == [*reversed(CITIES[4:]), None]
    assert (folded[-1]["kind"], folded[-1]["total"]) == ("other", 1 + 2 + 3 + 4)
    assert not any("color" in part for part in folded)


@pytest.mark.parametrize(
    ("kind", "config"),
    [
        ("metric", CONFIG | {"event": "visit", "limit": 10}),
        ("formula", {"a": VISITS, "expression": "a", "breakdown": "city", "overTime": True}),
    ],
)
def test_who_is_behind_the_other_labels(owner: Workspace, kind: str, config: dict[str, Any]) -> None:
    question = {"environment": "production", "timeRange": "24h", "type": kind, "config": config, "foldSeries": True}
    others = ask(owner, "/v1/query", question)["series"][-1]
    behind = ask(owner, "/v1/query/actors", question | {"at": {"label": None, "kind": others["kind"]}})
    assert {actor["actorKey"] for actor in behind["actors"]} == set(CITIES[8:])


def test_the_public_gets_the_colors_of_the_answer_and_no_others(owner: Workspace) -> None:
    board = make_dashboard(owner, isPublic=True, timeRange="24h")
    config = CONFIG | {"display": {"colors": CHOSEN, "chart": "bar"}}
    widget = make_widget(owner, board["id"], type="metric", config=config)
    ranked = make_widget(owner, board["id"], type="metric", config=config | {"overTime": False})
    url = f"{owner.url}/v1/public/dashboards/{board['slug']}"
    series = httpx.post(f"{url}/widgets/{widget['id']}/data").json()["series"]
    colors = assign_colors(CITIES[4:], CHOSEN)
    assert [part.get("color") for part in series] == [*(colors[city] for city in reversed(CITIES[4:])), None]
    rows = httpx.post(f"{url}/widgets/{ranked['id']}/data").json()["rows"]
    assert rows[0]["color"] == CHOSEN["city-11"]
    picture = httpx.get(f"{owner.url}/custom/widgets/{board['slug']}/{widget['id']}.svg?theme=light")
    paints = re.findall(r"\.p(\w+)\{fill:(#\w{6})", picture.text)
    palette = {str(index): color for index, color in enumerate(THEMES["light"].series)} | {"rest": THEMES["light"].rest}
    assert dict(paints) == palette
    page = httpx.get(f"{owner.url}/p/{board['slug']}")
    for answer in (httpx.get(url), page, picture, httpx.post(f"{url}/widgets/{widget['id']}/data")):
        assert answer.status_code == 200
        assert CANARY not in answer.text
        assert '"colors"' not in answer.text
