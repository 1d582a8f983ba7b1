"""The web app by keyboard alone: shortcuts, the palette, and a focus that is always somewhere and always seen."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from harness.browser.app import App, focused, settled
from harness.clients.dashboards import make_dashboard, make_widget
from tallyroom.core.version import VERSION

MOST_STOPS = 80
LOOK = """() => {
    const e = document.activeElement
    if (e === document.body) return null
    const shown = e.closest('label') ?? e, near = [e, shown, e.parentElement]
    const box = shown.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + Math.min(box.height / 2, 20)
    const hit = document.elementFromPoint(Math.min(Math.max(x, 0), innerWidth - 1), Math.min(Math.max(y, 0), innerHeight - 1))
    const outlined = style => (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2) || style.boxShadow !== 'none'
    const marked = near.some(each => ['', '::before', '::after'].some(part => outlined(getComputedStyle(each, part))))
    return {
        name: `${e.localName} ${e.getAttribute('aria-label') ?? e.innerText ?? ''}`.trim(),
        marked, seen: box.bottom > 0 && box.top < innerHeight && (shown.contains(hit) || hit?.contains(shown) === true),
    }
}"""
"""What has the focus: its name, whether it is marked, and whether anything is in front of it."""


@pytest.fixture(scope="module")
def board(shared_app: App) -> Any:
    events = [{"name": "order.placed", "_actor": f"actor {n}", "properties": {"total": n}} for n in range(3)]
    assert shared_app.workspace.send({"events": events}).status_code == 202
    made = make_dashboard(shared_app.workspace, name="Orders")
    config = {"event": "order.placed", "measure": "count", "overTime": True}
    make_widget(shared_app.workspace, made["id"], type="metric", title="Placed", config=config)
    return made


def stops(page: Page) -> list[Any]:
    """What Tab leads to, from the top of the page until it has been everywhere."""
    found: list[Any] = []
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        stop = page.evaluate(LOOK)
        if stop is None:  # the end of the page: the next stop is the browser's own
            return found
        found.append(stop)
    return found


def palette(page: Page) -> None:
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog").get_by_role("combobox")).to_be_focused()


def tab_to(page: Page, wanted: Locator) -> None:
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        if wanted.evaluate("e => e === document.activeElement"):
            return
    raise AssertionError(f"Tab never comes to {wanted}")


@pytest.mark.long
@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize(
    "path",
    [
        "/d/{board}?edit=1",
        "/dashboards",
        "/d/{board}",
        "/d/{board}/w/new",
        "/events",
    ],
)
def test_the_focus_is_marked_and_nothing_is_in_front_of_it(looking: App, board: Any, path: str, width: int) -> None:
    page = settled(looking.opens("owner", path.format(board=board["id"]), size=(width, 800)))
    found = stops(page)
    assert len(found) > 5
    assert [stop["name"] for stop in found if not stop["marked"]] == []
    assert [stop["name"] for stop in found if not stop["seen"]] == []


def test_the_first_stop_skips_the_navigation(looking: App) -> None:
    page = settled(looking.opens("owner", "/dashboards"))
    page.keyboard.press("Tab")
    assert page.evaluate(LOOK) == {"name": "a Skip to the page", "marked": True, "seen": True}
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.querySelector('main').contains(document.activeElement)")
    expect(page).to_have_url(re.compile("/dashboards$"))


@pytest.mark.long
def test_two_keys_lead_to_each_page(looking: App) -> None:
    page = settled(looking.opens("owner", "/start"))
    for keys, name in (
        ("gd", "Dashboards"),
        ("ge", "Events"),
        ("ga", "Actors"),
        ("go", "Groups"),
        ("gu", "Import"),
        ("gk", "API keys"),
        ("g,", "Settings"),
    ):
        for key in keys:
            page.keyboard.press(key)
        heading = page.get_by_role("heading", level=1)
        expect(heading).to_have_text(name)
        expect(heading).to_be_focused()
        assert focused(page) == f"h1 {name}"


@pytest.mark.long
def test_the_palette_gives_the_focus_back_and_finds_a_dashboard_by_a_few_letters(looking: App, board: Any) -> None:
    page = settled(looking.opens("owner", "/dashboards"))
    link = page.get_by_role("link", name="Orders")
    link.focus()
    palette(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(link).to_be_focused()
    palette(page)
    page.keyboard.type("orde")
    expect(page.get_by_role("option", name="Orders").first).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Orders")


def test_what_is_typed_while_the_palette_is_on_its_way_is_in_its_field(looking: App, board: Any) -> None:
    page = looking.blank("owner")
    waiting: list[Route] = []
    page.route("**/assets/Palette-*.js", lambda route: waiting.append(route))  # noqa: PLW0108 # it takes no builtin
    page.goto(f"{looking.workspace.url}/dashboards")
    settled(page)
    assert waiting == []  # it comes when it is wanted
    with page.expect_request("**/assets/Palette-*.js"):
        page.keyboard.press("Control+k")
    page.keyboard.type("goalx")
    page.keyboard.press("Backspace")
    [script] = waiting
    script.continue_()
    field = page.get_by_role("dialog").get_by_role("combobox")
    expect(field).to_have_value("goal")
    expect(field).to_be_focused()
    expect(page.get_by_role("heading", level=1, include_hidden=True)).to_have_text("Dashboards")


@pytest.mark.long
def test_single_keys_are_text_in_fields_nothing_in_dialogs_and_can_be_switched_off(looking: App, board: Any) -> None:
    page = settled(looking.opens("owner", "/dashboards"))
    page.keyboard.press("/")
    page.keyboard.type("ge1?")
    expect(page.get_by_role("textbox", name="Name")).to_have_value("ge1?")
    expect(page.get_by_role("heading", level=1)).to_have_text("Dashboards")
    page.get_by_role("textbox", name="Name").blur()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text(f"Tallyroom {VERSION}")
    page.keyboard.type("ge")
    expect(page.get_by_role("heading", level=1, include_hidden=True)).to_have_text("Dashboards")
    check_they_can_be_switched_off(page)


def check_they_can_be_switched_off(page: Page) -> None:
    page.evaluate("localStorage.setItem('shortcuts', 'off')")
    page.reload()
    settled(page)
    page.keyboard.type("?ge")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_have_text("Dashboards")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog")).to_be_visible()


@pytest.mark.long
def test_keys_make_a_card_a_table_and_open_its_menu(looking: App, board: Any) -> None:
    page = settled(looking.opens("owner", f"/d/{board['id']}"))
    chart = page.get_by_role("application", name="Placed")
    table = page.get_by_role("region", name="Placed").get_by_role("table")
    chart.press("t")
    expect(table).to_be_visible()
    assert focused(page).startswith("section")
    page.keyboard.press("t")
    expect(chart).to_be_visible()
    page.keyboard.press(".")
    expect(page.get_by_role("menuitem", name="View as table")).to_be_visible()
    page.keyboard.press("Escape")
    page.goto(looking.workspace.url + "/events")
    settled(page).keyboard.press("v")
    expect(page.get_by_role("combobox", name="Environment")).to_be_focused()


@pytest.mark.long
def test_a_tour_without_a_mouse(looking: App, board: Any) -> None:
    """From signing in to the profile of an actor and back."""
    page = looking.opens("public", "/")
    page.get_by_role("textbox", name="Email").focus()
    page.keyboard.type(looking.workspace.email)
    tab_to(page, page.get_by_role("textbox", name="Password"))
    page.keyboard.type("a long enough password")
    page.keyboard.press("Enter")
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("Dashboards")
    palette(page)
    page.keyboard.type("Orders")
    expect(page.get_by_role("option", name="Orders").first).to_be_visible()
    page.keyboard.press("Enter")
    expect(heading).to_have_text("Orders")
    settled(page)
    page.keyboard.press("e")
    expect(page.get_by_role("button", name="Done")).to_be_visible()
    page.get_by_role("button", name="Done").press("Enter")
    expect(page.get_by_role("button", name="Edit", exact=True)).to_be_visible()
    page.keyboard.press("g")
    page.keyboard.press("e")
    expect(heading).to_have_text("Events")
    settled(page)
    page.get_by_role("row").filter(has_text="actor 2").get_by_role("button").first.press("Enter")
    expect(page).to_have_url(re.compile("sel="))
    row, title = focused(page), "h2 order.placed"
    for key, place in (("Tab", title), ("Shift+Tab", row), ("ArrowDown", None), ("ArrowUp", row), ("Tab", title)):
        page.keyboard.press(key)
        assert place is None or focused(page) == place
    link = page.get_by_role("link", name="actor 2").first
    link.press("Enter")
    expect(heading).to_have_text("actor 2")
    assert focused(page) == "h1 actor 2"
    page.go_back()
    expect(heading).to_have_text("Events")
