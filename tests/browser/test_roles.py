"""What a role may not do is not on its pages; a page for a higher role says which one (rules/people#roles)."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from harness.app import App, settled
from harness.dashboards import make_dashboard, make_widget

WRITES = re.compile(
    r"^(New|Create|Add widget|Edit|Delete|Duplicate|Share|Save(?! as CSV)|Register|Revoke|Hide|Show again|Rename|Invite|Move|Annotate)\b"
)
"""How controls are called that change something."""

PAGES = [
    "/start",
    "/dashboards",
    "/d/{board}",
    "/d/{board}?edit=1",
    "/events",
    "/actors",
    "/actors/ann",
    "/groups",
    "/groups/pro",
    "/keys",
]


@pytest.fixture
def board(app: App) -> Any:
    event = {"name": "order.placed", "_actor": "ann", "properties": {"plan": "pro", "team": "a"}}
    assert app.workspace.send(event).status_code == 202
    with app.workspace.client() as client:
        assert client.post("/v1/groups/keys", json={"propKey": "plan", "label": "Plan"}).status_code == 201
    made = make_dashboard(app.workspace, name="Orders")
    config = {"event": "order.placed", "measure": "count", "overTime": True}
    for title in ("First", "Second"):
        make_widget(app.workspace, made["id"], title=title)
    return made | {"widget": make_widget(app.workspace, made["id"], type="metric", title="Placed", config=config)}


def controls(page: Page) -> list[str]:
    """The names of everything that can be pressed, in menus that are closed as well."""
    found: list[str] = []
    for role in ("button", "link", "menuitem", "switch", "checkbox"):
        found += [
            (each.get_attribute("aria-label") or each.inner_text()).strip() for each in page.get_by_role(role).all()
        ]
    return found


def writes(page: Page) -> list[str]:
    found = controls(page)
    for menu in page.get_by_role("main").get_by_role("button", name=re.compile("menu$")).all():
        menu.click()
        found += [item.inner_text() for item in page.get_by_role("menuitem").all()]
        page.keyboard.press("Escape")
    return [name for name in found if WRITES.match(name)]


@pytest.mark.parametrize("path", PAGES)
def test_a_viewer_meets_no_control_that_writes(app: App, board: Any, path: str) -> None:
    page = settled(app.opens("viewer", path.format(board=board["id"])))
    assert writes(page) == []
    assert controls(page)


@pytest.mark.parametrize("path", ["/dashboards", "/d/{board}", "/keys"])
def test_a_developer_meets_them(app: App, board: Any, path: str) -> None:
    page = settled(app.opens("developer", path.format(board=board["id"])))
    assert writes(page) != []


@pytest.mark.parametrize("widget", ["new", "{widget}"])
def test_the_editor_tells_a_viewer_which_role_it_needs(app: App, board: Any, widget: str) -> None:
    name = widget.format(widget=board["widget"]["id"])
    page = settled(app.opens("viewer", f"/d/{board['id']}/w/{name}"))
    expect(page.get_by_role("main")).to_contain_text("Developer role")
    expect(page.get_by_role("textbox")).to_have_count(0)


def choose(page: Page, menu: str, item: str) -> None:
    page.get_by_role("button", name=f"{menu} menu").first.click()
    page.get_by_role("menuitem", name=item).click()


def confirm(page: Page, word: str) -> None:
    """Answer the question that a dialog asks; some want a word typed."""
    dialog = page.get_by_role("dialog").or_(page.get_by_role("alertdialog"))
    field = dialog.get_by_role("textbox", name=re.compile("^Type "))
    expect(dialog.get_by_role("button", name=word)).to_be_visible()
    if field.count():
        label = field.evaluate("field => field.labels[0].innerText")
        field.fill(label.removeprefix("Type ").removesuffix(" to go on"))
    dialog.get_by_role("button", name=word).click()


def asks(menu: str, item: str) -> Callable[[Page], None]:
    """Choose something that asks before it is done, and say yes."""

    def does(page: Page) -> None:
        choose(page, menu, item)
        confirm(page, item)

    return does


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).first.click()


def moves_a_card(page: Page) -> None:
    handle = page.get_by_role("button", name="Move First")
    handle.press("m")
    handle.press("ArrowRight")
    handle.press("Enter")


def annotates(page: Page) -> None:
    chart = page.get_by_role("application", name="Placed")
    chart.focus()
    chart.press("End")
    chart.press("a")
    page.get_by_role("textbox", name="Label").fill("v1")
    page.keyboard.press("Enter")


def registers(page: Page) -> None:
    press(page, "Register key")
    page.get_by_role("dialog").get_by_role("button", name="Register").click()


def renames(page: Page) -> None:
    choose(page, "Plan", "Rename")
    page.get_by_role("textbox", name="Label").fill("Other")
    press(page, "Save")


def saves_settings(page: Page) -> None:
    choose(page, "Dashboard", "Settings")
    page.get_by_role("textbox", name="Name").fill("Other")
    press(page, "Save")


def shares(page: Page) -> None:
    choose(page, "Dashboard", "Share")
    page.get_by_role("switch", name="Published").click()


def hides(page: Page) -> None:
    page.get_by_role("row").filter(has_text="order.placed").get_by_role("button").first.click()
    press(page, "Hide event")


def creates_a_key(page: Page) -> None:
    page.get_by_role("button", name=re.compile("Create key")).first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="Name").fill("Mine")
    dialog.get_by_role("button", name="Create").click()


def revokes(page: Page) -> None:
    page.get_by_role("button", name=re.compile("^Revoke")).first.click()
    confirm(page, "Revoke")


FORCED: dict[str, tuple[str, Callable[[Page], None]]] = {
    "makes a dashboard": ("/dashboards", lambda page: press(page, "Blank One empty grid")),
    "copies a widget": ("/d/{board}", lambda page: choose(page, "Widget", "Duplicate")),
    "deletes a widget": ("/d/{board}", lambda page: choose(page, "Widget", "Delete")),
    "copies a dashboard": ("/d/{board}", lambda page: choose(page, "Dashboard", "Duplicate")),
    "deletes a dashboard": ("/d/{board}", asks("Dashboard", "Delete")),
    "changes a dashboard": ("/d/{board}", saves_settings),
    "publishes a dashboard": ("/d/{board}", shares),
    "saves a span": ("/d/{board}?range=30d", lambda page: press(page, "Save as default")),
    "annotates": ("/d/{board}", annotates),
    "arranges": ("/d/{board}?edit=1", moves_a_card),
    "saves a new widget": ("/d/{board}/w/new", lambda page: press(page, "Save")),
    "saves a widget": ("/d/{board}/w/{widget}", lambda page: press(page, "Save")),
    "hides an event": ("/events", hides),
    "erases an actor": ("/actors/ann", asks("Actor", "Erase")),
    "registers a group key": ("/groups", registers),
    "renames a group key": ("/groups", renames),
    "removes a group key": ("/groups", asks("Plan", "Remove")),
    "creates a key": ("/keys", creates_a_key),
    "revokes a key": ("/keys", revokes),
    "creates the first key": ("/start", lambda page: press(page, "Create key")),
}


@pytest.mark.parametrize("what", FORCED)
def test_a_write_that_is_sent_all_the_same_is_refused_in_words(app: App, board: Any, what: str) -> None:
    """Whoever loses the role while the page is open still sees the buttons."""
    path, does = FORCED[what]
    page = settled(app.opens("developer", path.format(board=board["id"], widget=board["widget"]["id"]), refused=[403]))
    with app.workspace.client() as client:
        [member] = [row for row in client.get("/v1/members").json()["members"] if row["role"] == "developer"]
        assert client.patch(f"/v1/members/{member['id']}", json={"role": "viewer"}).status_code == 200
    does(page)
    expect(page.get_by_text("This needs the role developer or higher", exact=False).first).to_be_visible()
