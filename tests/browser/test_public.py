"""A public dashboard in a browser: nobody is signed in, nothing leaks, and nothing can be changed (rules/boards#public-page)."""

import gzip
import json
import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, Response, expect

from harness.browser.app import DESK, PHONE, WEB, App, Tabs, axe, axe_in_both_themes, settled
from harness.builders.canaries import IMAGE, SEEMLY, cut
from harness.clients.dashboards import make_dashboard, make_segment, make_widget
from harness.clients.workspace import Workspace, sign_up
from harness.servers.server import Server

BUDGET = json.loads((WEB / "sizes.json").read_text(encoding="utf-8"))["public"]["most"]
SECRET = "canary"
PLAYS = [
    {
        "name": "track.play",
        "_actor": f"{SECRET}-actor-{n}",
        "_actorLabel": f"{SECRET}-label-{n}",
        "_source": f"{SECRET}-source",
        "properties": {"plan": "pro" if n % 3 else "free", "ms": 100 + n, "note": f"{SECRET}-payload"},
    }
    for n in range(9)
]
FILTERS = [{"key": f"{SECRET}-key", "op": "not_exists"}]
PLAYED: dict[str, Any] = {"event": "track.play", "measure": "count", "filters": FILTERS}
WIDGETS: dict[str, dict[str, Any]] = {
    "Numbers": {"type": "kpi", "config": {"items": [PLAYED | {"label": "Plays", "good": "up"}], "sparklines": True}},
    "Tracks played": {"type": "metric", "config": PLAYED | {"overTime": True}},
    "Plans": {"type": "metric", "config": PLAYED | {"breakdown": "plan"}},
    "Listeners": {"type": "metric", "config": PLAYED | {"breakdown": "_actor"}},
    "Slowness": {"type": "metric", "config": PLAYED | {"measure": "p95", "property": "ms", "overTime": True}},
    "Plays by two": {"type": "formula", "config": {"a": PLAYED, "expression": "a / 2"}},
    "The way": {"type": "funnel", "config": {"steps": [{"event": "track.play"}, {"event": "track.end"}]}},
    "Who returns": {"type": "retention", "config": {"cohortEvent": "track.play", "granularity": "week"}},
    "How long": {"type": "histogram", "config": {"event": "track.play", "property": "ms"}},
    "When": {"type": "heatmap", "config": {"event": "track.play"}},
    "Newest": {"type": "table", "config": {"columns": ["time", "event", "actor", "source"]}},
    "Words": {"type": "note", "config": {"text": "### Whose\nNumbers of **one** bot.\n###### Since when"}},
}


class Board:
    """A published dashboard with a widget of each kind, and secrets in all that is not public."""

    def __init__(self, server: Server) -> None:
        self.workspace: Workspace = sign_up(server.url, workspaceName=f"{SECRET} workspace")
        assert self.workspace.send({"events": PLAYS}).status_code == 202
        segment = make_segment(self.workspace, name=f"{SECRET}-segment", filters=FILTERS)
        fields = {"description": "Live figures of a bot", "icon": "🎧", "timeRange": "24h", "isPublic": True}
        self.saved = make_dashboard(self.workspace, name="Encore in numbers", **fields)
        for title, widget in WIDGETS.items():
            config = widget["config"] | ({} if widget["type"] == "note" else {"segmentId": segment["id"]})
            make_widget(self.workspace, self.saved["id"], title=title, **widget | {"config": config})
        self.path = f"/p/{self.saved['slug']}"


@pytest.fixture(scope="module")
def board(server: Server) -> Board:
    return Board(server)


@pytest.fixture
def app(tabs: Tabs, board: Board) -> App:
    return App(tabs, board.workspace)


def empty_tab(app: App) -> Page:
    """A tab of somebody who is not signed in, to be listened to before it opens a page."""
    return app.blank("public")


def card(page: Page, title: str) -> Any:
    return page.get_by_role("main").get_by_role("region", name=title, exact=True)


def test_it_shows_the_saved_span_and_tables_to_who_is_not_signed_in(app: App, board: Board) -> None:
    page = settled(app.opens("public", f"{board.path}?range=90d"))
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("Encore in numbers"))
    assert page.title() == "Encore in numbers · Tallyroom"
    expect(page.get_by_role("banner")).to_contain_text("Live figures of a bot. Last 24 hours.")
    expect(card(page, "Numbers")).to_contain_text("9")
    for title in WIDGETS:
        expect(card(page, title)).to_be_visible()
    assert page.get_by_role("navigation").count() == 0
    assert page.get_by_role("radiogroup").count() == 0
    assert page.context.cookies() == []
    origin = page.get_by_role("contentinfo").get_by_role("link", name="Made with Tallyroom")
    assert origin.get_attribute("href") == "/"
    check_table(page)
    check_last_of_the_line(page, board)


@pytest.mark.long
def test_nothing_of_what_it_is_made_from_reaches_the_browser_and_its_scripts_are_few(app: App, board: Board) -> None:
    page = empty_tab(app)
    answers: list[Response] = []
    scripts: list[str] = []
    page.on("request", lambda each: scripts.append(each.url) if each.resource_type == "script" else None)

    def hears(answer: Response) -> None:
        answers.append(answer)

    page.on("response", hears)
    page.goto(board.workspace.url + board.path)
    settled(page)
    told = [each for each in answers if "/assets/" not in each.url]
    asked = {each.url.removeprefix(board.workspace.url) for each in told}
    assert any(path.endswith("/data") for path in asked)
    assert [path for path in asked if path.startswith("/v1/") and not path.startswith("/v1/public/")] == []
    for answer in told:
        body = answer.text() if answer.status == 200 else ""
        assert SECRET not in body, answer.url
        assert '"properties"' not in body, answer.url
    assert SECRET not in page.content()
    bodies = [httpx.get(each, headers={"accept-encoding": "identity"}).content for each in scripts]
    assert len(scripts) > 3
    assert sum(len(gzip.compress(body, 9)) for body in bodies) / 1000 <= BUDGET


FORMS = {"Numbers": "numbers", "Tracks played": "line", "Plans": "ranks", "The way": "funnel", "Newest": "table"}


def test_each_card_waits_in_the_shape_of_its_answer(app: App, board: Board) -> None:
    page = empty_tab(app)
    page.route("**/widgets/*/data", lambda _: None)
    page.goto(board.workspace.url + board.path)
    for title, form in FORMS.items():
        expect(card(page, title).locator(f"[data-form={form}]")).to_have_count(1)


def check_table(page: Page) -> None:
    """A card can be read as a table, and not be changed."""
    card(page, "Plans").get_by_role("button", name="Widget menu").click()
    assert page.get_by_role("menuitem").all_inner_texts() == ["View as table", "Save as CSV"]
    page.get_by_role("menuitem", name="View as table").click()
    rows = card(page, "Plans").get_by_role("row")
    expect(rows).to_have_count(3)
    assert [row.get_by_role("cell").all_inner_texts() for row in rows.all()[1:]] == [["pro", "6"], ["free", "3"]]
    expect(card(page, "Listeners")).to_contain_text("••• 1")


def check_last_of_the_line(page: Page, board: Board) -> None:
    """What does not add up has no sum: the p95 of each bucket beside another does not make the p95 of all."""
    shown = httpx.post(
        f"{board.workspace.url}/v1/public/dashboards/{board.saved['slug']}/widgets/{widget_id(board, 'Slowness')}/data",
    )
    values = [point["value"] for point in shown.json()["points"] if point["value"] is not None]
    expect(card(page, "Slowness")).to_contain_text(f"{values[-1]:g}")


def widget_id(board: Board, title: str) -> str:
    page = httpx.get(f"{board.workspace.url}/v1/public/dashboards/{board.saved['slug']}").json()
    return str(next(each["id"] for each in page["widgets"] if each["title"] == title))


@pytest.mark.long
def test_embedded_it_has_no_header_and_takes_a_theme(app: App, board: Board) -> None:
    page = empty_tab(app)
    page.goto(f"{board.workspace.url}{board.path}?embed=1&theme=dark")
    settled(page)
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.get_by_role("banner").count() == 0
    assert page.get_by_role("heading", level=1).inner_text() == "Encore in numbers"
    assert page.get_by_role("contentinfo").get_by_role("link").get_attribute("target") == "_blank"


@pytest.mark.long
def test_only_the_embedded_page_stands_in_pages_of_others(app: App, board: Board, page: Page, elsewhere: Any) -> None:
    url = board.workspace.url
    frames = "".join(f'<iframe src="{url}{path}"></iframe>' for path in (f"{board.path}?embed=1", board.path, "/"))
    page.goto(elsewhere.shows(f"<!doctype html>{frames}").replace("127.0.0.1", "localhost"))
    shown = page.frame_locator("iframe >> nth=0")
    expect(shown.get_by_role("region", name="Plans", exact=True)).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert [frame.url.startswith(url) for frame in page.frames[1:]] == [True, False, False]


@pytest.mark.long
@pytest.mark.parametrize(
    ("asked", "system", "theme"),
    [
        ("?theme=light", "dark", "light"),
        ("", "dark", "dark"),
        ("?theme=dark", "light", "dark"),
        ("?theme=auto", "dark", "dark"),
    ],
)
def test_the_address_can_name_the_theme_and_a_switch_another(
    app: App, board: Board, asked: str, system: str, theme: str
) -> None:
    page = app.opens("public", board.path + asked, theme=system)
    root = page.locator("html")
    expect(root).to_have_attribute("data-theme", theme)
    other = "light" if theme == "dark" else "dark"
    page.get_by_role("button", name=f"Use {other} theme").click()
    expect(page.get_by_role("button", name=f"Use {theme} theme")).to_be_visible()
    expect(root).to_have_attribute("data-theme", other)


@pytest.mark.long
def test_an_address_that_is_not_public_is_a_page_that_says_so(app: App) -> None:
    page = app.opens("public", "/p/AAAAAAAAAAAAAAAAAAAAAA", refused=[404])
    expect(page.get_by_role("heading", level=1)).to_have_text("Nothing here")
    expect(page.get_by_role("main")).to_contain_text("There is no public dashboard at this address")
    assert axe(page) == []


@pytest.mark.long
def test_a_page_that_becomes_private_says_so(app: App, board: Board) -> None:
    made = make_dashboard(board.workspace, name="Soon gone", isPublic=True)
    page = app.opens("public", "/p/" + made["slug"], refused=[404])
    page.route(
        "**/v1/public/dashboards/*",
        lambda route: route.fulfill(status=404, json={"error": "not_found", "message": "x"}),
    )
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Nothing here")


@pytest.mark.long
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_axe_finds_nothing_and_it_never_scrolls_sideways(app: App, board: Board, size: tuple[int, int]) -> None:
    page = settled(app.opens("public", board.path, size=size))
    assert axe_in_both_themes(page) == []
    for width in (size[0], 320):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.long
@pytest.mark.parametrize("width", [1024, 1440])
def test_a_strip_loses_no_number(app: App, board: Board, width: int) -> None:
    made = make_dashboard(board.workspace, name="Strips", timeRange="24h", isPublic=True)
    for cells, w, h in ((6, 12, 2), (6, 6, 2), (4, 4, 2), (6, 4, 4)):
        items = [PLAYED | {"label": f"Number {n} of {cells}"} for n in range(cells)]
        config = {"items": items, "sparklines": True}
        make_widget(
            board.workspace, made["id"], type="kpi", title=f"{w} by {h}", config=config, layout={"w": w, "h": h}
        )
    page = settled(app.opens("public", f"/p/{made['slug']}", size=(width, 900)))
    lost = page.evaluate("""() => [...document.querySelectorAll("section")].flatMap(card => {
        const frame = card.getBoundingClientRect()
        return [...card.querySelectorAll("li")].filter(cell => {
            const value = cell.querySelector("span").getBoundingClientRect()
            const box = cell.getBoundingClientRect()
            return value.bottom > frame.bottom || value.right > box.right + 4 || cell.scrollWidth > cell.clientWidth + 4
        }).map(cell => `${card.querySelector("h2").innerText}: ${cell.innerText}`)
    })""")
    assert lost == []


@pytest.mark.long
@pytest.mark.parametrize("embed", ["", "?embed=1"])
def test_hostile_texts_stay_text(app: App, board: Board, embed: str) -> None:
    made = make_dashboard(
        board.workspace, name=IMAGE, description=" ".join(SEEMLY)[:280], isPublic=True, icon=IMAGE[:64]
    )
    for text in SEEMLY:
        make_widget(board.workspace, made["id"], title=cut(text, 120), **WIDGETS["Plans"])
    page = empty_tab(app)
    page.goto(f"{board.workspace.url}/p/{made['slug']}{embed}")
    assert settled(page).evaluate("window.ran") is None
    assert page.locator("img, script:not([src])").count() == 0
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.long
def test_the_share_dialog_gives_what_others_need(app: App, board: Board) -> None:
    page = settled(app.opens("owner", f"/d/{board.saved['id']}"))
    page.get_by_role("button", name="Dashboard menu").click()
    page.get_by_role("menuitem", name="Share").click()
    dialog = page.get_by_role("dialog")
    assert dialog.get_by_role("textbox", name="Link").input_value() == board.workspace.url + board.path
    code = dialog.get_by_role("textbox", name="Embed code").input_value()
    assert code.startswith(f'<iframe src="{board.workspace.url}{board.path}?embed=1" title="Encore in numbers"')
    page.keyboard.press("Escape")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    card(page, "Tracks played").get_by_role("button", name="Widget menu").click()
    page.get_by_role("menuitem", name="Copy picture").click()
    expect(page.get_by_text("Picture copied as Markdown").first).to_be_visible()
    copied = re.fullmatch(r"!\[Tracks played\]\((\S+)\)", page.evaluate("navigator.clipboard.readText()"))
    assert copied
    assert httpx.get(copied[1], timeout=60).headers["content-type"] == "image/svg+xml"
