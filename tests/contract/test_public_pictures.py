"""Pictures of the widgets of public dashboards: what is drawn, for whom, and what is never in them.

The rule: rules/pictures#public-widgets.
"""

import io
from typing import Any

import httpx
import pytest
from PIL import Image

from harness.builders.published_dashboard import CANARY, Page
from harness.clients.dashboards import make_dashboard, make_widget
from harness.clients.pictures import texts_of
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from tallyroom.dashboards.registry import KINDS

COUNT = {"event": "open", "measure": "count"}


@pytest.fixture(scope="module")
def page(server: Server) -> Page:
    return Page(sign_up(server.url))


def path_of(page: Page, kind: str, end: str = "") -> str:
    widget = next(each for each in page.widgets if each["type"] == kind)
    return f"/custom/widgets/{page.dashboard['slug']}/{widget['id']}{end}"


def size(answer: httpx.Response) -> tuple[int, int]:
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png"), answer.text
    return Image.open(io.BytesIO(answer.content)).size


@pytest.mark.long
def test_a_picture_says_what_the_public_data_says(page: Page, anybody: httpx.Client) -> None:
    actors = next(each for each in page.widgets if each["config"].get("breakdown") == "_actor")
    shown = texts_of(anybody.get(f"/custom/widgets/{page.dashboard['slug']}/{actors['id']}.svg"))
    assert shown[0] == "metric"
    assert {"••• 1", "3"} <= set(shown)


@pytest.mark.long
def test_nothing_leaks_into_any_picture(page: Page, anybody: httpx.Client) -> None:
    for widget in page.widgets:
        answer = anybody.get(f"/custom/widgets/{page.dashboard['slug']}/{widget['id']}")
        assert answer.status_code == (200 if KINDS[widget["type"]].build_chart else 404), answer.text
        everything = f"{answer.text} {answer.headers}"
        assert CANARY not in everything
        assert [each for each in page.secrets if each in everything] == []


@pytest.mark.long
@pytest.mark.parametrize(("end", "type_"), [("", "svg+xml"), (".svg", "svg+xml"), (".png", "png")])
def test_the_path_decides_the_format(page: Page, anybody: httpx.Client, end: str, type_: str) -> None:
    assert anybody.get(path_of(page, "metric", end)).headers["content-type"] == f"image/{type_}"


def test_the_look_can_be_chosen(page: Page, anybody: httpx.Client) -> None:
    path = path_of(page, "heatmap", ".png")
    assert size(anybody.get(path))[0] == 1200
    assert size(anybody.get(path, params={"width": 800, "height": 900, "scale": 1})) == (800, 900)
    corner = [
        Image.open(io.BytesIO(anybody.get(path, params=look).content)).convert("RGBA").getpixel((1, 1))
        for look in ({"theme": "dark"}, {"background": "transparent"}, {"background": "102030"})
    ]
    assert corner[0] == (23, 23, 27, 255)
    assert corner[1][3] == 0  # type: ignore[index] # a pixel of RGBA has four numbers
    assert corner[2] == (16, 32, 48, 255)
    assert "prefers-color-scheme:dark" in anybody.get(path_of(page, "heatmap", ".svg"), params={"theme": "auto"}).text


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"width": "319"}, "width"),
        ({"height": "2001"}, "height"),
        ({"scale": "5"}, "scale"),
        ({"scale": "4", "width": "2000", "height": "1000"}, "scale"),
        ({"theme": "blue"}, "theme"),
        ({"background": "url(#a)"}, "background"),
    ],
    ids=str,
)
def test_400_names_what_is_wrong(page: Page, anybody: httpx.Client, query: dict[str, Any], field: str) -> None:
    body = check_refusal(anybody.get(path_of(page, "metric", ".png"), params=query), 400)
    assert body["message"].startswith(field), body["message"]


def test_it_is_answered_as_other_pictures(page: Page, anybody: httpx.Client) -> None:
    path = path_of(page, "funnel", ".svg")
    first = anybody.get(path)
    assert first.headers["cache-control"] == "public, max-age=60"
    assert first.headers["access-control-allow-origin"] == "*"
    assert first.headers["cross-origin-resource-policy"] == "cross-origin"
    again = anybody.get(path, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    looked = anybody.head(path)
    assert (looked.status_code, looked.content, looked.headers["etag"]) == (200, b"", first.headers["etag"])


@pytest.mark.parametrize("kind", sorted(name for name, kind in KINDS.items() if kind.build_chart is None))
def test_what_has_no_picture_is_not_there(page: Page, anybody: httpx.Client, kind: str) -> None:
    assert "no picture" in check_refusal(anybody.get(path_of(page, kind, ".png")), 404)["message"]


def test_what_is_not_public_is_not_there(workspace: Workspace, page: Page, anybody: httpx.Client) -> None:
    """An unknown slug, a private dashboard, and a widget of another dashboard get the same refusal."""
    mine = make_dashboard(workspace, isPublic=True)
    widget = make_widget(workspace, mine["id"], type="metric", config=COUNT)
    foreign = f"/custom/widgets/{page.dashboard['slug']}/{widget['id']}"
    own = f"/custom/widgets/{mine['slug']}/{widget['id']}"
    assert anybody.get(own).status_code == 200
    with workspace.client() as client:
        Page.patch(client, f"/v1/dashboards/{mine['id']}", {"isPublic": False})
    unknown = f"/custom/widgets/AAAAAAAAAAAAAAAAAAAAAA/{widget['id']}"
    paths = [
        foreign,
        own,
        unknown,
        f"{own}.png",
        f"/custom/dashboards/{mine['slug']}.png",
        "/custom/dashboards/x",
        "/custom/dashboards/%00",
    ]
    refused = [check_refusal(anybody.get(path), 404) for path in paths]
    assert {each["message"] for each in refused} == {"This public dashboard does not exist."}


def test_a_dashboard_is_previewed_by_its_first_chart(workspace: Workspace, anybody: httpx.Client) -> None:
    assert workspace.send({"events": [{"name": "open", "_actor": "ann"}] * 3}).status_code == 202
    board = make_dashboard(workspace, isPublic=True)
    path = f"/custom/dashboards/{board['slug']}"
    make_widget(workspace, board["id"], title="Hello")
    assert "no chart" in check_refusal(anybody.get(f"{path}.png"), 404)["message"]
    make_widget(workspace, board["id"], title="All", type="metric", config=COUNT)
    assert texts_of(anybody.get(path))[0] == "All"
    make_widget(workspace, board["id"], title="By day", type="metric", config=COUNT | {"overTime": True})
    assert texts_of(anybody.get(path))[0] == "By day"
    assert size(anybody.get(f"{path}.png")) == (1200, 630)
    assert size(anybody.get(f"{path}.png", params={"width": 320, "height": 200, "scale": 1})) == (320, 200)


def test_a_preview_that_needs_its_room_is_as_large(workspace: Workspace, anybody: httpx.Client) -> None:
    board = make_dashboard(workspace, isPublic=True)
    make_widget(
        workspace, board["id"], title="Way", type="funnel", config={"steps": [{"event": f"s{n}"} for n in range(6)]}
    )
    assert size(anybody.get(f"/custom/dashboards/{board['slug']}.png")) == (1200, 630)
