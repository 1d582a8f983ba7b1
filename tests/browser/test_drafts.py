"""What somebody writes and does not save: kept in the browser, asked about, there again (rules/boards#drafts)."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Dialog, Locator, Page, Route, expect

from harness.browser.app import App, everything_kept, settled
from harness.clients.dashboards import (
    make_alert,
    make_annotation,
    make_dashboard,
    make_digest,
    make_external_source,
    make_segment,
    make_widget,
    widgets_of,
)
from harness.clients.workspace import PASSWORD

WORDS = "Written and not saved"
SECRET = "canary-of-a-secret-0123456789"
METRIC = {"event": "order.placed", "measure": "count"}


@pytest.fixture
def ids(app: App) -> dict[str, str]:
    """One of everything that has an editor, by what it is called in the paths below."""
    workspace = app.workspace
    assert workspace.send({"events": [{"name": "order.placed", "_actor": "a1"}] * 3}).status_code == 202
    board = make_dashboard(workspace, name="Orders")["id"]
    widget = make_widget(workspace, board, type="metric", title="Placed", config=METRIC)
    make_segment(workspace, name="Pro")
    make_annotation(workspace, label="Release")
    make_digest(workspace, board, name="Morning")
    make_external_source(workspace)
    return {"board": board, "widget": widget["id"], "alert": make_alert(workspace, name="Silence")["id"]}


def press_menu(menu: str, item: str) -> Callable[[Page], None]:
    """Return what opens a dialog of a menu."""

    def opens(page: Page) -> None:
        page.get_by_role("button", name=menu).first.click()
        page.get_by_role("menuitem", name=item, exact=True).click()

    return opens


UNLOAD_IS_PREVENTED = """() => {
    const event = new Event("beforeunload", { cancelable: true })
    dispatchEvent(event)
    return event.defaultPrevented
}"""
"""Whether a reload would ask."""

EDITORS: dict[str, tuple[str, Callable[[Page], None] | None, str]] = {
    "a widget": ("/d/{board}/w/{widget}", None, "Title"),
    "a new widget": ("/d/{board}/w/new", None, "Title"),
    "a new note": ("/d/{board}/w/new?kind=note", None, "Text"),
    "an alert": ("/alerts/{alert}", None, "Name"),
    "a new alert": ("/alerts/new", None, "Name"),
    "a dashboard": ("/d/{board}", press_menu("Dashboard menu", "Settings"), "Description"),
    "a segment": ("/segments", press_menu("Pro menu", "Edit"), "Name"),
    "a new segment": ("/segments?new=1", None, "Name"),
    "a digest": ("/digests", press_menu("Digest menu", "Edit"), "Name"),
    "a new digest": ("/digests?new=1", None, "Name"),
    "a new annotation": ("/annotations", None, "Label"),
    "a source": ("/sources", press_menu("Shop menu", "Edit"), "Name"),
    "a new source": ("/sources?new=1", None, "Name"),
    "a bot's token": ("/bots/feeding?new=1", None, "Name"),
    "a picture": ("/bots/image", None, "Title"),
}
"""The path of each editor, what opens it there, and a field of it."""
FEW = {"a new widget", "a segment"}


def open_editor(app: App, ids: dict[str, str], name: str) -> tuple[Page, Locator]:
    """The page of an editor, and its field."""
    path, press, label = EDITORS[name]
    page = app.blank("developer")
    page.goto(app.workspace.url + path.format(**ids))
    return page, field_of(settled(page), press, label)


def field_of(page: Page, press: Callable[[Page], None] | None, label: str) -> Locator:
    if press:
        press(page)
    return page.get_by_role("textbox", name=label, exact=True)


def write(field: Locator, words: str = WORDS) -> None:
    """Type as people do: a browser asks nobody who has pressed nothing."""
    field.click()
    field.press("Control+a")
    field.press_sequentially(words)


def discard_button(page: Page) -> Locator:
    """It stands beside the words that a draft is kept."""
    return page.get_by_role("button", name="Discard", exact=True)


def expect_board(page: Page) -> None:
    """The editor is closed, as it is once it has saved."""
    expect(page.get_by_role("heading", level=1)).to_have_text("Orders")
    expect(page.get_by_role("region", name=WORDS)).to_be_visible()


def leave_question(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Leave without saving?")


@pytest.mark.parametrize(
    "name", [each if each in FEW else pytest.param(each, marks=pytest.mark.long) for each in EDITORS]
)
def test_what_is_written_is_there_after_a_reload_until_it_is_discarded(
    app: App, ids: dict[str, str], name: str
) -> None:
    page, field = open_editor(app, ids, name)
    before = field.input_value()
    expect(discard_button(page)).to_have_count(0)
    write(field)
    expect(page.get_by_text("Draft kept in this browser.").first).to_be_visible()
    page.reload()
    settled(page)
    _, press, label = EDITORS[name]
    expect(field_of(page, press, label)).to_have_value(WORDS)
    discard_button(page).click()
    expect(field).to_have_value(before)
    expect(discard_button(page)).to_have_count(0)
    page.reload()
    settled(page)
    expect(field_of(page, press, label)).to_have_value(before)


@pytest.mark.long
def test_discarding_can_be_undone(app: App, ids: dict[str, str]) -> None:
    page, field = open_editor(app, ids, "a widget")
    write(field)
    discard_button(page).click()
    expect(field).to_have_value("Placed")
    page.get_by_role("button", name="Undo").click()
    expect(field).to_have_value(WORDS)


KEPT_DRAFTS = "Object.keys(localStorage).filter(name => name.startsWith('draft ')).length"


def test_the_draft_of_a_card_ends_with_the_card(app: App, ids: dict[str, str]) -> None:
    page, field = open_editor(app, ids, "a widget")
    write(field)
    page.get_by_role("link", name="Orders", exact=True).click()
    leave_question(page).get_by_role("button", name="Keep draft and leave").click()
    expect(page.get_by_role("region", name="Placed")).to_be_visible()
    assert page.evaluate(KEPT_DRAFTS) == 1
    page.get_by_role("button", name="Widget menu").click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(page.get_by_role("group", name="Deleted “Placed”")).to_be_visible()
    assert page.evaluate(KEPT_DRAFTS) == 0


def test_the_draft_of_what_somebody_else_has_deleted_ends_at_its_page(app: App, ids: dict[str, str]) -> None:
    page, field = open_editor(app, ids, "an alert")
    write(field)
    page.get_by_role("link", name="Events", exact=True).click()
    leave_question(page).get_by_role("button", name="Keep draft and leave").click()
    with app.workspace.client() as client:
        assert client.delete(f"/v1/alerts/{ids['alert']}").status_code == 204
    page = app.blank("developer", refused=[404])
    page.goto(f"{app.workspace.url}/alerts/{ids['alert']}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Nothing here")
    assert page.evaluate(KEPT_DRAFTS) == 0


def test_a_link_and_back_ask_and_back_restores(app: App, ids: dict[str, str]) -> None:
    page, field = open_editor(app, ids, "a new widget")
    write(field)
    page.get_by_role("link", name="Events", exact=True).click()
    leave_question(page).get_by_role("button", name="Stay").click()
    expect(field).to_have_value(WORDS)
    assert page.url.endswith("/w/new")
    page.get_by_role("link", name="Events", exact=True).click()
    leave_question(page).get_by_role("button", name="Keep draft and leave").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Events")
    page.go_back()
    expect(field).to_have_value(WORDS)
    page.go_forward()
    leave_question(page).get_by_role("button", name="Discard and leave").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Events")
    page.go_back()
    expect(field).to_have_value("")


@pytest.mark.long
@pytest.mark.parametrize("name", ["a widget", "an alert"])
def test_a_reload_asks_and_nothing_else_does(app: App, ids: dict[str, str], name: str) -> None:
    page, field = open_editor(app, ids, name)
    dialog_types: list[str] = []

    def answer(dialog: Dialog) -> None:
        dialog_types.append(dialog.type)
        dialog.accept()

    page.on("dialog", answer)
    page.reload()
    settled(page)
    write(field)
    page.reload()
    settled(page)
    assert dialog_types == ["beforeunload"]


@pytest.mark.long
def test_a_dialog_that_closes_says_that_it_leaves_a_draft(app: App, ids: dict[str, str]) -> None:
    page, field = open_editor(app, ids, "a segment")
    assert not page.evaluate(UNLOAD_IS_PREVENTED)
    write(field)
    assert page.evaluate(UNLOAD_IS_PREVENTED)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    message = page.get_by_role("group", name="Draft kept in this browser.")
    press_menu("Pro menu", "Edit")(page)
    expect(field).to_have_value(WORDS)
    page.keyboard.press("Escape")
    message.last.get_by_role("button", name="Discard").click()
    press_menu("Pro menu", "Edit")(page)
    expect(field).to_have_value("Pro")


def failing(status: int | None) -> Callable[[Route], None]:
    """Return what answers a change with a status, or not at all."""

    def answer(route: Route) -> None:
        if route.request.method == "GET":
            route.fallback()
        elif status is None:
            route.abort("internetdisconnected")
        else:
            body = {"code": status, "error": "any", "message": "The server refused.", "details": [], "requestId": "r1"}
            route.fulfill(status=status, json=body)

    return answer


FAILURES = {
    "no connection": (None, "Can't reach the server. Try again when you're connected."),
    "a fault of the server": (500, "An internal error occurred. Try again"),
    "a busy server": (503, "The server is busy."),
    "a refusal": (409, "The server refused."),
}


@pytest.mark.parametrize(
    "failure", [each if each == "no connection" else pytest.param(each, marks=pytest.mark.long) for each in FAILURES]
)
def test_a_save_that_fails_keeps_everything_and_says_what_to_do(app: App, ids: dict[str, str], failure: str) -> None:
    status, words = FAILURES[failure]
    page = settled(app.opens("developer", f"/d/{ids['board']}/w/{ids['widget']}", refused=[status or 500]))
    field = page.get_by_role("textbox", name="Title")
    page.route("**/v1/widgets/*", failing(status))
    write(field)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("main").get_by_text(words)).to_be_visible()
    expect(field).to_have_value(WORDS)
    expect(discard_button(page)).to_be_visible()
    app.faults[:] = [fault for fault in app.faults if "ERR_INTERNET_DISCONNECTED" not in fault]
    page.unroute("**/v1/widgets/*")
    page.get_by_role("button", name="Save", exact=True).click()
    expect_board(page)
    assert [widget["title"] for widget in widgets_of(app.workspace, ids["board"])] == [WORDS]
    assert "draft " not in page.evaluate("Object.keys(localStorage).join()")


SIGN_OUT_AND_CLICK = """async button => {
  const reply = await fetch("/v1/auth/logout", { method: "POST" })
  button.click()
  return reply.status
}"""


def test_a_session_that_ended_leads_back_to_the_draft(app: App, ids: dict[str, str]) -> None:
    page = settled(app.opens("owner", f"/d/{ids['board']}/w/{ids['widget']}", refused=[401]))
    field = page.get_by_role("textbox", name="Title")
    write(field)
    save = page.get_by_role("button", name="Save", exact=True)
    # Within the page: between the two, a request of the page could meet the ended session first and take the button away.
    assert save.evaluate(SIGN_OUT_AND_CLICK) == 204
    expect(page.get_by_role("group", name=re.compile("Your draft is kept in this browser"))).to_be_visible()
    page.get_by_label("Email").fill(app.workspace.email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(field).to_have_value(WORDS)


def change_title(app: App, ids: dict[str, str], title: str) -> None:
    """Somebody else saves the widget."""
    with app.workspace.client() as client:
        assert client.patch(f"/v1/widgets/{ids['widget']}", json={"title": title}).status_code == 200


def test_whoever_saves_after_somebody_else_is_told_and_may_save_again(app: App, ids: dict[str, str]) -> None:
    page, field = open_editor(app, ids, "a widget")
    write(field)
    change_title(app, ids, "Theirs")
    app.faults.clear()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("main").get_by_text("someone else has changed it meanwhile")).to_be_visible()
    expect(field).to_have_value(WORDS)
    assert [widget["title"] for widget in widgets_of(app.workspace, ids["board"])] == ["Theirs"]
    page.get_by_role("button", name="Save", exact=True).click()
    expect_board(page)


@pytest.mark.long
def test_a_draft_of_an_older_version_says_that_it_has_changed_since(app: App, ids: dict[str, str]) -> None:
    page, field = open_editor(app, ids, "a widget")
    write(field)
    change_title(app, ids, "Theirs")
    page.reload()
    settled(page)
    expect(field).to_have_value(WORDS)
    expect(page.get_by_text("The widget has changed since you began this draft.")).to_be_visible()
    discard_button(page).click()
    expect(field).to_have_value("Theirs")


@pytest.mark.long
def test_a_widget_that_was_deleted_meanwhile_can_be_saved_as_a_copy(app: App, ids: dict[str, str]) -> None:
    page, field = open_editor(app, ids, "a widget")
    write(field)
    with app.workspace.client() as client:
        assert client.delete(f"/v1/widgets/{ids['widget']}").status_code == 204
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("main").get_by_text("Choose “Save as copy” to keep your version.")).to_be_visible()
    page.get_by_role("button", name="Save as copy").click()
    expect_board(page)


@pytest.mark.long
def test_secrets_are_never_kept(app: App, ids: dict[str, str]) -> None:
    """Neither the token of a source nor the address of a channel, while the rest of their forms is."""
    page, field = open_editor(app, ids, "a new source")
    write(field)
    write(page.get_by_role("textbox", name="Token"), SECRET)
    assert WORDS in everything_kept(page)
    assert SECRET not in page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")
    page.goto(f"{app.workspace.url}/alerts/new")
    settled(page)
    page.get_by_role("button", name="New channel").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Type").select_option("webhook")
    write(dialog.get_by_role("textbox", name="Name"))
    write(dialog.get_by_role("textbox", name="URL"), f"https://hooks.example.com/{SECRET}")
    assert SECRET not in page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")


def test_signing_out_asks_and_forgets_every_draft(app: App, ids: dict[str, str]) -> None:
    page = settled(app.opens("owner", f"/d/{ids['board']}/w/new", refused=[401]))
    write(page.get_by_role("textbox", name="Title"))
    page.get_by_role("button", name="Owner owner").click()
    page.get_by_role("menuitem", name="Sign out").click()
    dialog = page.get_by_role("dialog", name="Sign out without saving?")
    dialog.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("textbox", name="Title")).to_have_value(WORDS)
    page.get_by_role("button", name="Owner owner").click()
    page.get_by_role("menuitem", name="Sign out").click()
    dialog.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    assert WORDS not in page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")


@pytest.mark.long
def test_a_draft_belongs_to_one_person(app: App, ids: dict[str, str]) -> None:
    """Whoever uses the same browser after somebody whose session ended does not see what they wrote."""
    page, field = open_editor(app, ids, "a new widget")
    write(field)
    kept: Any = page.evaluate("JSON.stringify({...localStorage})")
    other = settled(app.opens("admin", f"/d/{ids['board']}/w/new"))
    other.evaluate("kept => Object.assign(localStorage, JSON.parse(kept))", kept)
    other.reload()
    settled(other)
    expect(other.get_by_role("textbox", name="Title")).to_have_value("")


@pytest.mark.long
def test_a_browser_without_storage_says_that_nothing_is_saved(app: App, ids: dict[str, str]) -> None:
    page = app.blank("developer")
    page.add_init_script("Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }")
    page.goto(f"{app.workspace.url}/d/{ids['board']}/w/new")
    settled(page)
    write(page.get_by_role("textbox", name="Title"))
    expect(page.get_by_text("Not saved.")).to_be_visible()
    page.get_by_role("link", name="Events", exact=True).click()
    expect(leave_question(page)).to_contain_text("Your changes will be lost.")
    expect(leave_question(page).get_by_role("button", name="Keep draft and leave")).to_have_count(0)
