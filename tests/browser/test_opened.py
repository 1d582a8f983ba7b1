"""What opens above a page: dialogs, menus, lists, forms and panels, held to the rules of the page itself."""

import re
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Locator, Page, expect

from harness.app import DESK, PHONE, App, axe, settled, use_theme
from harness.dashboards import make_dashboard, make_widget

SHEETS = "[role=dialog], [role=alertdialog], [role=listbox], [role=menu], :popover-open"
"""What lies above a page."""


class Press(NamedTuple):
    """Something to press, by role and name; the first of that name."""

    role: Any
    name: str

    def on(self, page: Page) -> Locator:
        return page.get_by_role(self.role, name=re.compile(f"^{self.name}")).first


def menu(name: str, item: str) -> list[Press]:
    return [Press("button", f"{name} menu"), Press("menuitem", item)]


EVERYWHERE = {
    "the palette": [Press("button", "Search")],
    "the shortcuts": [Press("button", "Shortcuts")],
    "the workspaces": [Press("button", "Workspace|Owner's workspace")],
    "who is signed in": [Press("button", "You|Owner\\b")],
}
OPENED: dict[str, dict[str, list[Press]]] = {
    "/dashboards": EVERYWHERE | {"the templates": [Press("button", "New")]},
    "/d/{board}": {
        "the menu": [Press("button", "Dashboard menu")],
        "the address to share": menu("Dashboard", "Share"),
        "the settings": menu("Dashboard", "Settings"),
        "the question before deleting": menu("Dashboard", "Delete"),
        "the menu of a widget": [Press("button", "Widget menu")],
        "more spans": [Press("button", "More spans")],
        "a filter": [Press("button", "Filter")],
        "the properties of a filter": [Press("button", "Filter"), Press("combobox", "Property")],
        "who is behind a step": [Press("button", ".*cart.filled")],
    },
    "/d/{board}?edit=1": {"the menu of a widget": [Press("button", "Widget menu")]},
    "/d/{board}/w/new": {"the events": [Press("combobox", "Event")], "more spans": [Press("button", "More spans")]},
    "/events": {
        "an event": [Press("row", "\\d")],
        "a filter": [Press("button", "Filter")],
        "the menu of the histogram": [Press("button", "Histogram menu")],
    },
    "/groups": {
        "a group key to register": [Press("button", "Register")],
        "the menu of a key": [Press("button", "Plan menu")],
    },
    "/keys": {
        "a new key": [Press("button", "New|Create")],
        "the question before revoking": [Press("button", "Revoke")],
    },
}


@pytest.fixture
def board(app: App) -> Any:
    steps = ["page.viewed", "cart.filled", "order.placed"]
    events = [
        {"name": step, "_actor": f"actor {n}", "properties": {"plan": "pro", "n": n}}
        for step in steps
        for n in range(3)
    ]
    assert app.workspace.send({"events": events}).status_code == 202
    with app.workspace.client() as client:
        assert client.post("/v1/groups/keys", json={"propKey": "plan", "label": "Plan"}).status_code == 201
    made = make_dashboard(app.workspace, name="Orders")
    make_widget(
        app.workspace, made["id"], type="funnel", title="Way", config={"steps": [{"event": step} for step in steps]}
    )
    return made


def opened(page: Page, presses: list[Press]) -> None:
    for press in presses:
        press.on(page).click()
    settled(page)


@pytest.mark.parametrize("size", [DESK, pytest.param(PHONE, marks=pytest.mark.long)], ids=["desk", "phone"])
@pytest.mark.parametrize("path", OPENED)
def test_what_opens_has_no_fault_and_fits(app: App, board: Any, path: str, size: tuple[int, int]) -> None:
    page = settled(app.opens("owner", path.format(board=board["id"]), size=size))
    for what, presses in OPENED[path].items():
        if size == PHONE and not presses[0].on(page).is_visible():
            page.get_by_role("button", name="Open navigation").click()
        opened(page, presses)
        if "sel=" not in page.url:
            expect(page.locator(SHEETS).filter(visible=True).first).to_be_visible()
        for theme in ("light", "dark"):
            use_theme(page, theme)
            assert axe(page) == [], (what, theme)
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0], what
        assert outside(page) == [], what
        page.goto(app.workspace.url + path.format(board=board["id"]))
        settled(page)


def outside(page: Page) -> list[str]:
    """Names of controls in what lies above the page that are not within the window, and cannot be scrolled to."""
    script = """sheets => [...document.querySelectorAll(sheets)].flatMap(sheet =>
        [...sheet.querySelectorAll('button, input, select, a')].filter(e => {
            const box = e.getBoundingClientRect()
            return box.width > 0 && (box.left < 0 || box.right > innerWidth)
        }).map(e => `${e.localName} ${e.getAttribute('aria-label') ?? e.innerText}`))"""
    found: list[str] = page.evaluate(script, SHEETS)
    return found
