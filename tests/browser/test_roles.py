"""What a role may not do is not on its pages; a page for a higher role says which one (rules/people#roles)."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from harness.browser.app import App, settled
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

WRITES = re.compile(
    r"^(New|Create|Add widget|Set secret|Replace|Edit|Delete|Duplicate|Share|Save(?! as CSV)|Register|Revoke|Hide|Show again|Rename|Invite|Move|Annotate|Send|Add token|Pause|Resume|Test)\b"
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
    "/digests",
    "/annotations",
    "/segments",
    "/alerts",
    "/alerts?tab=channels",
    "/alerts/{alert}",
    "/alerts/new",
    "/keys",
    "/sources",
    "/bots",
    "/bots/{bot}",
    "/bots/feeding?bot={bot}",
    "/settings",
    "/import",
    "/export",
]
ONE_OF_EACH_SORT = {"/d/{board}", "/actors/ann", "/alerts/{alert}", "/settings"}
"""Cards, a detail, a form and sections; the others ask the same code what a role may do."""


def mostly_long(paths: Iterable[str], *, but: set[str]) -> list[Any]:
    """The paths, of which only some are for every run."""
    return [path if path in but else pytest.param(path, marks=pytest.mark.long) for path in paths]


@pytest.fixture(scope="module")
def board(shared_app: App) -> Any:
    event = {"name": "order.placed", "_actor": "ann", "properties": {"plan": "pro", "team": "a"}}
    assert shared_app.workspace.send(event).status_code == 202
    with shared_app.workspace.client() as client:
        assert client.post("/v1/groups/keys", json={"propKey": "plan", "label": "Plan"}).status_code == 201
    made = make_dashboard(shared_app.workspace, name="Orders") | {"bot": ranked_bots(shared_app.workspace, 2)[0]}
    make_digest(shared_app.workspace, made["id"])
    make_annotation(shared_app.workspace, label="v1")
    make_segment(shared_app.workspace)
    make_external_source(shared_app.workspace)
    config = {"event": "order.placed", "measure": "count", "overTime": True}
    for title in ("First", "Second"):
        make_widget(shared_app.workspace, made["id"], title=title)
    make_channel(shared_app.workspace, name="Pager")
    alert = make_alert(shared_app.workspace, name="Many", event="order.placed")["id"]
    return made | {
        "alert": alert,
        "widget": make_widget(shared_app.workspace, made["id"], type="metric", title="Placed", config=config),
    }


NAMES = "all => all.map(each => (each.getAttribute('aria-label') || each.innerText).trim())"


def controls(page: Page) -> list[str]:
    """The names of everything that can be pressed, in menus that are closed as well."""
    found: list[str] = []
    for role in ("button", "link", "menuitem", "switch", "checkbox"):
        found += page.get_by_role(role).evaluate_all(NAMES)
    return found


def writes(page: Page) -> list[str]:
    found = controls(page)
    for menu in page.get_by_role("main").get_by_role("button", name=re.compile("menu$")).all():
        menu.click()
        found += page.get_by_role("menuitem").all_inner_texts()
        page.keyboard.press("Escape")
    return [name for name in found if WRITES.match(name)]


OF_EVERYBODY = {"/events": ["Pause"], "/settings": ["Add token"]}
"""What viewers may do as well: hold a stream still, and make tokens that see what they see."""


def address(path: str, board: Any) -> str:
    names = {name: board[name] for name in ("alert", "bot")}
    return path.format(board=board["id"], widget=board["widget"]["id"], **names)


@pytest.fixture
def becomes(looking: App) -> Iterator[Callable[[str], None]]:
    """Give the developer another role, until the test ends."""

    def change(role: str) -> None:
        with looking.workspace.client() as client:
            answer = client.patch(f"/v1/members/{looking.members['developer'].user_id}", json={"role": role})
        assert answer.status_code == 200, answer.text

    yield change
    change("developer")


@pytest.mark.long
@pytest.mark.parametrize("path", mostly_long(PAGES, but=ONE_OF_EACH_SORT))
def test_a_viewer_meets_no_control_that_writes(looking: App, board: Any, path: str) -> None:
    page = settled(looking.opens("viewer", address(path, board)))
    for name in OF_EVERYBODY.get(path, []):
        expect(page.get_by_role("button", name=name)).to_be_visible()
    assert writes(page) == OF_EVERYBODY.get(path, [])
    assert controls(page)


OF_DEVELOPERS = ["/dashboards", "/d/{board}", "/alerts", "/alerts/{alert}", "/keys", "/bots/feeding?bot={bot}"]


@pytest.mark.long
@pytest.mark.parametrize("path", mostly_long(OF_DEVELOPERS, but={"/d/{board}"}))
def test_a_developer_meets_them(looking: App, board: Any, path: str) -> None:
    page = settled(looking.opens("developer", address(path, board)))
    assert writes(page) != []


@pytest.mark.parametrize("widget", ["new", pytest.param("{widget}", marks=pytest.mark.long)])
def test_the_editor_tells_a_viewer_which_role_it_needs(looking: App, board: Any, widget: str) -> None:
    name = widget.format(widget=board["widget"]["id"])
    page = settled(looking.opens("viewer", f"/d/{board['id']}/w/{name}"))
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
        field.fill(label.removeprefix("Type ").removesuffix(" to confirm"))
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


def counts_another(page: Page) -> None:
    page.get_by_role("combobox", name="Environment").select_option("development")


def shares(page: Page) -> None:
    choose(page, "Dashboard", "Share")
    page.get_by_role("switch", name="Published").click()


def hides(page: Page) -> None:
    page.get_by_role("row").filter(has_text="order.placed").get_by_role("button").first.click()
    press(page, "Hide event")


def sends_a_digest(page: Page) -> None:
    press(page, "Send now")
    page.get_by_role("dialog").get_by_role("button", name="Send").click()


def edits(menu: str) -> Callable[[Page], None]:
    """Open the editor of something, and save it as it is."""

    def does(page: Page) -> None:
        choose(page, menu, "Edit")
        page.get_by_role("dialog").get_by_role("button", name="Save").click()

    return does


def deletes_an_annotation(page: Page) -> None:
    press(page, "Edit v1")
    press(page, "Delete")


def replaces_a_token(page: Page) -> None:
    press(page, "Add token")
    page.get_by_role("textbox", name="Token").fill("secret")
    page.keyboard.press("Enter")


def creates_a_key(page: Page) -> None:
    page.get_by_role("button", name=re.compile("Create key")).first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="Name").fill("Mine")
    dialog.get_by_role("button", name="Create").click()


def creates_a_channel(page: Page) -> None:
    press(page, "New channel")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="Name").fill("Mine")
    dialog.get_by_role("textbox", name="Address").fill("me@example.com")
    dialog.get_by_role("button", name="Create").click()


def revokes(page: Page) -> None:
    page.get_by_role("button", name=re.compile("^Revoke")).first.click()
    confirm(page, "Revoke")


def creates_a_token(page: Page) -> None:
    page.get_by_role("button", name="Create token").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="Name").fill("Mine")
    dialog.get_by_role("button", name="Create token").click()


def stores_a_secret(page: Page) -> None:
    press(page, "Set secret")
    page.get_by_role("dialog").get_by_label("Secret", exact=True).fill("whs_of_the_list")
    press(page, "Save")


def erases_by_key(page: Page) -> None:
    page.get_by_label("Actor key").fill("ann")
    press(page, "Erase actor")
    confirm(page, "Erase")


def imports(page: Page) -> None:
    file: Any = {
        "name": "events.ndjson",
        "mimeType": "application/x-ndjson",
        "buffer": b'{"name":"x","_timestamp":"2026-11-20T12:00:00Z"}',
    }
    page.get_by_label("Choose a file", exact=True).set_input_files(file)
    page.get_by_role("button", name=re.compile("^Import into")).click()


def saves_a_new_alert(page: Page) -> None:
    page.get_by_role("textbox", name="Threshold").fill("5")
    press(page, "Save")


FORCED: dict[str, tuple[str, Callable[[Page], None]]] = {
    "makes a dashboard": ("/dashboards", lambda page: press(page, "Blank An empty grid")),
    "copies a widget": ("/d/{board}", lambda page: choose(page, "Widget", "Duplicate")),
    "deletes a widget": ("/d/{board}", lambda page: choose(page, "Widget", "Delete")),
    "copies a dashboard": ("/d/{board}", lambda page: choose(page, "Dashboard", "Duplicate")),
    "deletes a dashboard": ("/d/{board}", asks("Dashboard", "Delete")),
    "changes a dashboard": ("/d/{board}", saves_settings),
    "changes whose events a dashboard counts": ("/d/{board}", counts_another),
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
    "sends a digest": ("/digests", sends_a_digest),
    "changes a digest": ("/digests", edits("Digest")),
    "pauses a digest": ("/digests", lambda page: page.get_by_role("switch").click()),
    "deletes a digest": ("/digests", asks("Digest", "Delete")),
    "deletes an annotation": ("/annotations", deletes_an_annotation),
    "changes a segment": ("/segments", edits("Pro")),
    "deletes a segment": ("/segments", asks("Pro", "Delete")),
    "changes a source": ("/sources", edits("Shop")),
    "deletes a source": ("/sources", asks("Shop", "Delete")),
    "replaces a token": ("/sources", replaces_a_token),
    "creates a key": ("/keys", creates_a_key),
    "revokes a key": ("/keys", revokes),
    "creates a statistics token": ("/bots/feeding", creates_a_token),
    "revokes a statistics token": ("/bots/feeding", revokes),
    "publishes a listing": ("/bots/feeding", lambda page: page.get_by_role("switch", name="Published").click()),
    "chooses counters": (
        "/bots/feeding?bot={bot}",
        lambda page: page.get_by_role("switch", name="Count votes").click(),
    ),
    "stores a webhook secret": ("/bots/feeding?bot={bot}", stores_a_secret),
    "erases an actor by their key": ("/settings", erases_by_key),
    "imports a file": ("/import", imports),
    "saves a new alert": ("/alerts/new", saves_a_new_alert),
    "saves an alert": ("/alerts/{alert}", lambda page: press(page, "Save")),
    "pauses an alert": ("/alerts", lambda page: page.get_by_role("switch", name="Many").click()),
    "deletes an alert": ("/alerts/{alert}", asks("Alert", "Delete")),
    "creates a channel": ("/alerts?tab=channels", creates_a_channel),
    "tests a channel": ("/alerts?tab=channels", lambda page: press(page, "Test Pager")),
    "deletes a channel": ("/alerts?tab=channels", asks("Pager", "Delete")),
    "creates the first key": ("/start", lambda page: press(page, "Create key")),
}

ONE_OF_EACH_FRAME = {"copies a widget", "arranges", "saves a widget", "erases an actor", "creates a key"}
"""An item of a menu, keys, a page that is a form, a question and a dialog; the others send by the same code."""


@pytest.mark.long
@pytest.mark.parametrize("what", mostly_long(FORCED, but=ONE_OF_EACH_FRAME))
def test_a_write_that_is_sent_all_the_same_is_refused_in_words(
    looking: App, board: Any, becomes: Callable[[str], None], what: str
) -> None:
    """Whoever loses the role while the page is open still sees the buttons."""
    path, does = FORCED[what]
    page = settled(looking.opens("developer", address(path, board), refused=[403]))
    becomes("viewer")
    does(page)
    expect(page.get_by_text("This needs the developer role or higher", exact=False).first).to_be_visible()
