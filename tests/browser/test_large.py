"""As much as a workspace may hold, and names of every script and length: nothing breaks, and nothing overflows."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from harness.browser.app import App, Tabs, paths_of_members, settled
from harness.builders.canaries import WORLDLY, Hostile, make_hostile
from harness.builders.moments import ago
from harness.clients.dashboards import CONFIGS, make_annotation, make_dashboard, make_widget
from harness.servers.server import Server
from harness.stores.crowded_metadata import crowd_with_annotations, crowd_with_members

pytestmark = pytest.mark.long

WIDTHS = (1440, 768, 390, 320)
PATHS = paths_of_members()
MOST_WIDGETS, MOST_ANNOTATIONS, ACTORS, MEMBERS = 100, 10_000, 5_000, 1_000
OUTSIDE = """() => [...document.querySelectorAll('main *')].filter(each => {
    const { left, right, width, height } = each.getBoundingClientRect()
    if (width < 2 || height < 2 || (right <= innerWidth + 1 && left >= -1)) return false
    for (let around = each.parentElement; around; around = around.parentElement)
        if (getComputedStyle(around).overflowX !== 'visible') return false
    return each.checkVisibility()
}).map(each => `${each.localName}.${each.className} ${each.textContent.slice(0, 40)}`)"""
"""What sticks out of the window, though nothing around it scrolls."""


def check_shape(page: Page) -> None:
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        settled(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(OUTSIDE) == [], width


def main(page: Page) -> Locator:
    return page.get_by_role("main")


def load_more(page: Page, rows: Locator, name: str, most: int = 200) -> None:
    """Press a button that shows more rows until there are no more, or so often."""
    button = main(page).get_by_role("button", name=re.compile(name))
    for _ in range(most):
        if button.count() == 0:
            return
        shown = rows.count()
        button.click()
        expect(rows.nth(shown)).to_be_attached()


def at_its_end(page: Page) -> None:
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    bottom = "document.documentElement.scrollHeight - innerHeight - scrollY"
    assert page.evaluate(bottom) <= 1


def test_a_hundred_widgets_on_one_dashboard(app: App) -> None:
    events = [{"name": "xy"[n % 2], "_actor": f"a{n % 7}", "properties": {"n": n}} for n in range(97)]
    assert app.workspace.send({"events": events}).status_code == 202
    board = make_dashboard(app.workspace, name="Everything", isPublic=True)
    kinds = [kind for kind in CONFIGS if kind != "external"]
    for number in range(MOST_WIDGETS):
        kind = kinds[number % len(kinds)]
        layout = {"w": (3, 4, 6, 12)[number % 4], "h": (2, 4, 3)[number % 3]}
        make_widget(
            app.workspace, board["id"], type=kind, title=f"Number {number}", config=CONFIGS[kind], layout=layout
        )
    for who, path in (("owner", f"/d/{board['id']}"), ("public", f"/p/{board['slug']}")):
        page = settled(app.opens(who, path))
        expect(main(page).get_by_role("region")).to_have_count(MOST_WIDGETS)
        check_shape(page)
        at_its_end(page)
        last = main(page).get_by_role("region", name=f"Number {MOST_WIDGETS - 1}", exact=True)
        expect(last).to_be_in_viewport()
        last.get_by_role("button", name="Widget menu").click()
        page.get_by_role("menuitem", name="View as table").click()
        expect(last.get_by_role("table")).to_be_visible()
    page = settled(app.opens("owner", f"/d/{board['id']}?edit=1"))
    check_shape(page)
    page.set_viewport_size({"width": 1440, "height": 900})
    handle = page.get_by_role("button", name=f"Move Number {MOST_WIDGETS - 1}")
    for key in ("m", "ArrowLeft", "Enter"):
        handle.press(key)
    expect(page.get_by_text(f"Moved “Number {MOST_WIDGETS - 1}”", exact=True)).to_be_visible()


def test_ten_thousand_annotations(app: App, server: Server) -> None:
    make_annotation(app.workspace, label="Deploy 0")
    crowd_with_annotations(server.data, app.workspace, MOST_ANNOTATIONS, "Deploy 0")
    page = settled(app.opens("developer", "/annotations"))
    expect(main(page)).to_contain_text("100 of 10,000 annotations")
    check_shape(page)
    rows = main(page).get_by_role("list", name="Annotations").get_by_role("listitem")
    load_more(page, rows, "^Show .* more$", most=19)
    expect(rows).to_have_count(2_000)
    at_its_end(page)
    rows.last.get_by_role("button", name="Edit Deploy 1999").click()
    expect(page.get_by_role("dialog", name="Edit annotation")).to_be_visible()


def test_five_thousand_actors(app: App) -> None:
    for first in range(0, ACTORS, 500):
        events = [
            {"name": "x", "_actor": f"actor-{n}", "_actorLabel": f"Somebody {n}", "_timestamp": ago(hours=1 + n % 97)}
            for n in range(first, first + 500)
        ]
        assert app.workspace.send({"events": events}).status_code == 202
    page = settled(app.opens("viewer", "/actors"))
    check_shape(page)
    rows = page.get_by_role("table", name="Actors").get_by_role("row")
    load_more(page, rows, "^Next 50$")
    expect(rows).to_have_count(1 + ACTORS)
    expect(main(page)).to_contain_text("5,000 shown")
    at_its_end(page)
    check_shape(page)
    last = rows.last.get_by_role("link")
    name = last.inner_text()
    last.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


def test_a_thousand_members(app: App, server: Server) -> None:
    names = [f"{WORLDLY[n % len(WORLDLY)][:60]} {n}" for n in range(MEMBERS - 1)]
    crowd_with_members(server.data, app.workspace, names)
    page = settled(app.opens("owner", "/settings#members"))
    check_shape(page)
    rows = page.get_by_role("table", name="Members").get_by_role("row")
    load_more(page, rows, "^Next 50$")
    expect(rows).to_have_count(1 + MEMBERS)
    check_shape(page)
    page.get_by_role("textbox", name="Search members").fill("member-731-")
    expect(rows).to_have_count(2)
    rows.last.get_by_role("combobox").select_option("developer")
    expect(rows.last.get_by_role("combobox")).to_have_value("developer")


@pytest.fixture(scope="module")
def worldly(server: Server) -> Hostile:
    return make_hostile(server.url, WORLDLY)


@pytest.fixture
def visiting(tabs: Tabs, worldly: Hostile) -> App:
    return App(tabs, worldly.workspace)


@pytest.mark.parametrize("path", PATHS)
def test_names_of_all_scripts_and_lengths(visiting: App, worldly: Hostile, path: str) -> None:
    page = settled(visiting.opens("owner", worldly.address(path), refused=[404]))
    check_shape(page)
    for opener in page.locator("button[aria-haspopup]:visible:enabled").all()[:3]:
        opener.click()
        assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("innerWidth")
        page.keyboard.press("Escape")


@pytest.mark.parametrize("text", WORLDLY, ids=lambda text: ascii(text)[1:25])
@pytest.mark.parametrize("path", ["/actors/$actorKey", "/groups/$groupKey"])
def test_whoever_has_such_a_name_has_a_page(visiting: App, worldly: Hostile, path: str, text: str) -> None:
    page = settled(visiting.opens("owner", worldly.address(path, text)))
    assert page.get_by_role("heading", level=1).inner_text() != "Nothing here"
    check_shape(page)


CUT_AT_THE_BEGINNING = """() => [...document.querySelectorAll('body *')].filter(each => {
    const style = getComputedStyle(each), text = each.firstChild
    if (style.textOverflow !== 'ellipsis' || style.whiteSpace !== 'nowrap' || text?.nodeType !== Node.TEXT_NODE) return false
    if (!each.checkVisibility() || each.matches('header > span, dd *') || each.scrollWidth <= each.clientWidth + 1) return false
    const range = document.createRange(), box = each.getBoundingClientRect()
    range.setStart(text, 0)
    range.setEnd(text, 1)
    const first = range.getBoundingClientRect()
    return first.left < box.left - 1 || first.right > box.right + 1
}).map(each => `${each.localName}.${each.className} ${each.textContent.slice(0, 20)}`)"""
"""Names, not sentences with names in them, which are read from left to right."""


@pytest.mark.parametrize("path", ["/d/$id", "/events", "/alerts"])
def test_a_name_that_is_cut_shows_how_it_begins(visiting: App, worldly: Hostile, path: str) -> None:
    """Also one that is read from right to left, whose beginning is at the right."""
    page = settled(visiting.opens("owner", worldly.address(path, WORLDLY[2])))
    assert page.evaluate(CUT_AT_THE_BEGINNING) == []
