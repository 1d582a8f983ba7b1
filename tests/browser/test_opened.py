"""What opens above a page: dialogs, menus, lists, forms and panels, held to the rules of the page itself."""

import re
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Locator, Page, expect

from harness.browser.app import DESK, PHONE, App, axe_in_both_themes, settled, use_theme
from harness.builders.alert_messages import make_channel
from harness.builders.ranked_bots import ranked_bots
from harness.clients.dashboards import (
    make_alert,
    make_annotation,
    make_dashboard,
    make_digest,
    make_external_source,
    make_segment,
    make_widget,
)

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
    "the shortcuts": [Press("button", "Shortcuts")],
    "the workspaces": [Press("button", "Workspace|Owner's workspace")],
    "who is signed in": [Press("button", "You|Owner\\b")],
}
OPENED: dict[str, dict[str, list[Press]]] = {
    "/dashboards": EVERYWHERE | {"the templates": [Press("button", "New")]},
    "/d/{board}": {
        "the palette": [Press("button", "Search")],
        "the menu": [Press("button", "Dashboard menu")],
        "the address to share": menu("Dashboard", "Share"),
        "what a filter may begin with": [Press("button", "Filter")],
    },
    "/d/{board}?range=30d": {
        "the settings": menu("Dashboard", "Settings"),
        "the question before deleting": menu("Dashboard", "Delete"),
        "the menu of a widget": [Press("button", "Widget menu")],
        "more time ranges": [Press("button", "More time ranges")],
    },
    "/d/{board}?edit=1": {"the menu of a widget": [Press("button", "Widget menu")]},
    "/d/{board}/w/new": {
        "the events": [Press("combobox", "Event")],
        "the time ranges": [Press("button", "Time range")],
    },
    "/events": {
        "an event": [Press("row", "\\d")],
        "what a filter may begin with": [Press("button", "Filter")],
        "the menu of the histogram": [Press("button", "Histogram menu")],
    },
    "/groups": {
        "a group key to register": [Press("button", "Register")],
        "the menu of a key": [Press("button", "Plan menu")],
    },
    "/digests": {
        "a new digest": [Press("button", "New digest")],
        "the menu of a digest": [Press("button", "Digest menu")],
        "the question before sending": [Press("button", "Send now")],
        "the time zones": [Press("button", "New digest"), Press("combobox", "Time zone")],
    },
    "/annotations": {"an annotation": [Press("button", "Edit v1")]},
    "/segments": {
        "a new segment": [Press("button", "New segment")],
        "the question before deleting": menu("Pro", "Delete"),
    },
    "/sources": {
        "a new source": [Press("button", "New source")],
        "another token": [Press("button", "Add token")],
    },
    "/alerts?tab=channels": {
        "a new channel": [Press("button", "New channel")],
        "the menu of a channel": [Press("button", "Pager menu")],
        "the question before deleting a channel": menu("Pager", "Delete"),
    },
    "/alerts/{alert}": {
        "the filters": [Press("button", "Filters")],
        "the events": [Press("combobox", "Event")],
        "the menu": [Press("button", "Alert menu")],
        "the question before deleting": menu("Alert", "Delete"),
        "a new channel": [Press("button", "New channel")],
    },
    "/keys": {
        "a new key": [Press("button", "New|Create")],
        "the question before revoking": [Press("button", "Revoke")],
    },
    "/bots/{bot}": {"the menu of the history": [Press("button", "History menu")]},
    "/bots/compare?ids={bot}": {
        "one more bot": [Press("button", "Add a bot"), Press("combobox", "Bot")],
    },
    "/bots/compare?ids={bots}": {
        "the menu of the race": [Press("button", "Race menu")],
        "the picture to share": [Press("button", "Share this race")],
    },
    "/bots/feeding?bot={bot}": {
        "a new token": [Press("button", "Create token")],
        "the question before revoking": [Press("button", "Revoke")],
        "a webhook secret": [Press("button", "Set secret")],
        "another address": [Press("button", "Replace link")],
    },
    "/bots/image?ids={bot}": {
        "a series from a bot": [Press("button", "From a bot"), Press("combobox", "Bot")],
        "points": [Press("button", "[0-9,]+ points? of")],
        "the way to move a series": [Press("button", "Move Bot")],
    },
    "/settings": {
        "a new environment": [Press("button", "New environment")],
        "an environment to change": menu("production", "Edit"),
        "an invitation": [Press("button", "Invite")],
        "a new token": [Press("button", "Add token")],
        "the question before signing out": [Press("button", "Sign out everywhere")],
    },
}


@pytest.fixture(scope="module")
def board(shared_app: App) -> Any:
    steps = ["page.viewed", "cart.filled", "order.placed"]
    events = [
        {"name": step, "_actor": f"actor {n}", "properties": {"plan": "pro", "n": n}}
        for step in steps
        for n in range(3)
    ]
    assert shared_app.workspace.send({"events": events}).status_code == 202
    with shared_app.workspace.client() as client:
        assert client.post("/v1/groups/keys", json={"propKey": "plan", "label": "Plan"}).status_code == 201
        assert client.patch("/v1/listing", json={"isPublic": True}).status_code == 200
    ids = ranked_bots(shared_app.workspace, 2)
    made = make_dashboard(shared_app.workspace, name="Orders") | {"bot": ids[0], "bots": ",".join(ids)}
    make_digest(shared_app.workspace, made["id"])
    make_annotation(shared_app.workspace, label="v1")
    make_segment(shared_app.workspace)
    make_external_source(shared_app.workspace)
    make_widget(
        shared_app.workspace,
        made["id"],
        type="funnel",
        title="Way",
        config={"steps": [{"event": step} for step in steps]},
    )
    make_channel(shared_app.workspace, name="Pager")
    return made | {"alert": make_alert(shared_app.workspace, name="Many", event="order.placed")["id"]}


def opened(page: Page, presses: list[Press]) -> None:
    for press in presses:
        press.on(page).click()
    settled(page)


def address(path: str, board: Any) -> str:
    return path.format(board=board["id"], **{name: board[name] for name in ("alert", "bot", "bots")})


ONE_OF_EACH_FRAME = {"/d/{board}", "/keys"}
"""Menus, lists, the palette, panels, forms and questions; the frames of the others are the same."""
PAGES = [path if path in ONE_OF_EACH_FRAME else pytest.param(path, marks=pytest.mark.long) for path in OPENED]


@pytest.mark.parametrize("size", [DESK, pytest.param(PHONE, marks=pytest.mark.long)], ids=["desk", "phone"])
@pytest.mark.parametrize("path", PAGES)
def test_what_opens_has_no_fault_fits_and_closes(looking: App, board: Any, path: str, size: tuple[int, int]) -> None:
    page = settled(looking.opens("owner", address(path, board), size=size))
    for what, presses in OPENED[path].items():
        if size == PHONE and not presses[0].on(page).is_visible():
            page.get_by_role("button", name="Open navigation").click()
        opened(page, presses)
        of_an_event = "sel=" in page.url
        sheets = page.locator(SHEETS).filter(visible=True)
        if not of_an_event:
            expect(sheets.first).to_be_visible()
        assert axe_in_both_themes(page, None if of_an_event else SHEETS) == [], what
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0], what
        assert outside(page) == [], what
        use_theme(page, "light")
        for _ in presses:
            page.keyboard.press("Escape")
        expect(sheets).to_have_count(0)
        if of_an_event or not presses[0].on(page).is_visible():
            page.goto(looking.workspace.url + address(path, board))
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
