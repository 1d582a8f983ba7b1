"""What happens inside a popover stays there: its lists, keys and forms move neither its focus nor the page behind it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from harness.browser.app import PHONE, App, settled
from harness.builders.ranked_bots import ranked_bots
from harness.clients.dashboards import make_alert, make_dashboard

COOKIE = "tallyroom_session"
PATHS = ["/d/{board}", "/events"]
LISTS = {
    "an alert": ("/alerts/{alert}", "Filters", "Key"),
    "bots": ("/bots/compare?ids={bot}", "Add a bot", "Bot"),
}
"""Other popovers that hold a list: path, button, field."""


@pytest.fixture(scope="module")
def places(shared_app: App) -> dict[str, str]:
    """Where there are popovers: ids by what they name in a path."""
    events = [{"name": "order.placed", "properties": {"plan": plan, "zone": "eu"}} for plan in ("pro", "free")]
    assert shared_app.workspace.send({"events": events}).status_code == 202
    board = make_dashboard(shared_app.workspace, name="Orders")["id"]
    alert = make_alert(shared_app.workspace, name="Many", event="order.placed")["id"]
    return {"board": board, "alert": alert, "bot": ranked_bots(shared_app.workspace, 2)[0]}


@contextmanager
def phone(browser: Browser, app: App) -> Iterator[Page]:
    """A tab of the owner that is touched."""
    width, height = PHONE
    viewport: Any = {"width": width, "height": height}
    with browser.new_context(viewport=viewport, has_touch=True, is_mobile=True) as context:
        context.add_cookies([{"name": COOKIE, "value": app.workspace.session_token, "url": app.workspace.url}])
        yield context.new_page()


def popover(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Add a filter")


def field(page: Page, name: str) -> Locator:
    return popover(page).get_by_role("combobox", name=name, exact=True)


def option(page: Page, name: str) -> Locator:
    return page.get_by_role("listbox").get_by_role("option", name=name)


def opened(app: App, path: str, places: dict[str, str], query: str = "") -> Page:
    """A page with the form of a filter open above it."""
    page = settled(app.opens("owner", path.format(**places) + query))
    page.get_by_role("button", name="Filter", exact=True).click()
    expect(field(page, "Property")).to_be_focused()
    return page


def fill_in(page: Page, press: Any) -> None:
    """Put the filter "plan is pro" together, pressing on one thing after the other."""
    press(page.get_by_role("button", name="Filter", exact=True))
    expect(field(page, "Property")).to_be_focused()
    press(field(page, "Property"))
    press(option(page, "plan"))
    expect(field(page, "Property")).to_have_value("plan")
    press(field(page, "Value"))
    expect(field(page, "Value")).to_be_focused()
    press(option(page, "pro"))
    expect(field(page, "Value")).to_have_value("pro")
    expect(field(page, "Value")).to_be_focused()
    press(popover(page).get_by_role("button", name="Add filter"))
    expect(popover(page)).to_be_hidden()
    expect(page.get_by_role("group", name="Filters").get_by_text("pro")).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("path", PATHS)
def test_a_filter_is_filled_in_by_mouse(looking: App, places: dict[str, str], path: str) -> None:
    page = settled(looking.opens("owner", path.format(**places)))
    fill_in(page, Locator.click)


@pytest.mark.long
@pytest.mark.parametrize("path", PATHS)
def test_a_filter_is_filled_in_by_finger(browser: Browser, looking: App, places: dict[str, str], path: str) -> None:
    with phone(browser, looking) as page:
        page.goto(looking.workspace.url + path.format(**places))
        fill_in(page, Locator.tap)


@pytest.mark.long
@pytest.mark.parametrize("path", PATHS)
def test_a_filter_is_filled_in_by_keys(looking: App, places: dict[str, str], path: str) -> None:
    page = opened(looking, path, places)
    page.keyboard.type("pla")
    expect(option(page, "plan")).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(field(page, "Property")).to_have_value("plan")
    expect(popover(page)).to_be_visible()
    page.keyboard.press("Tab")
    expect(popover(page).get_by_role("combobox", name="Operator")).to_be_focused()
    page.keyboard.press("Tab")
    expect(field(page, "Value")).to_be_focused()
    page.keyboard.type("free")
    page.keyboard.press("Enter")
    expect(popover(page)).to_be_hidden()
    expect(page.get_by_role("group", name="Filters").get_by_text("free")).to_be_visible()


@pytest.mark.long
def test_a_list_that_closes_leaves_what_holds_it_open(looking: App, places: dict[str, str]) -> None:
    page = opened(looking, "/events", places)
    field(page, "Property").click()
    expect(page.get_by_role("listbox")).to_be_visible()
    page.evaluate("document.querySelector('[role=listbox]').hidePopover()")
    expect(page.get_by_role("listbox")).to_have_count(0)
    expect(field(page, "Property")).to_be_focused()
    expect(page.get_by_role("button", name="Filter", exact=True)).to_have_attribute("aria-expanded", "true")


@pytest.mark.long
@pytest.mark.parametrize("path", PATHS)
def test_escape_closes_the_list_then_the_popover_and_nothing_behind_it(
    looking: App, places: dict[str, str], path: str
) -> None:
    page = opened(looking, path, places, "?f=zone:eq:eu")
    chip = page.get_by_role("group", name="Filters").get_by_text("eu")
    field(page, "Property").click()
    expect(page.get_by_role("listbox")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("listbox")).to_have_count(0)
    expect(field(page, "Property")).to_be_focused()
    page.keyboard.press("Escape")
    expect(popover(page)).to_be_hidden()
    expect(page.get_by_role("button", name="Filter", exact=True)).to_be_focused()
    expect(chip).to_be_visible()


@pytest.mark.long
def test_a_click_outside_closes_both_and_one_on_the_list_neither(looking: App, places: dict[str, str]) -> None:
    page = opened(looking, "/events", places)
    field(page, "Property").click()
    option(page, "Actor label").click()
    expect(field(page, "Property")).to_have_value("Actor label")
    expect(popover(page)).to_be_visible()
    field(page, "Property").click()
    expect(page.get_by_role("listbox")).to_be_visible()
    page.mouse.click(5, 700)
    expect(page.get_by_role("listbox")).to_have_count(0)
    expect(popover(page)).to_be_hidden()


def test_letters_in_a_popover_are_no_shortcuts(looking: App, places: dict[str, str]) -> None:
    page = opened(looking, "/d/{board}", places)
    page.keyboard.type("ge1?tev")
    expect(field(page, "Property")).to_have_value("ge1?tev")
    expect(page.get_by_role("heading", level=1)).to_have_text("Orders")
    assert "range" not in page.url


@pytest.mark.long
def test_a_choice_of_the_operator_keeps_the_focus_and_the_form(looking: App, places: dict[str, str]) -> None:
    page = opened(looking, "/events", places)
    operator = popover(page).get_by_role("combobox", name="Operator")
    operator.focus()
    operator.select_option(label="is not")
    expect(operator).to_be_focused()
    expect(popover(page)).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("what", LISTS)
def test_every_popover_with_a_list_can_be_filled_in_by_mouse(looking: App, places: dict[str, str], what: str) -> None:
    path, button, name = LISTS[what]
    page = settled(looking.opens("owner", path.format(**places)))
    page.get_by_role("button", name=button).first.click()
    surface = page.locator("[popover]:popover-open").first
    if what == "an alert":
        surface.get_by_role("button", name="Filter", exact=True).click()
    combo = surface.get_by_role("combobox", name=name).first
    combo.click()
    expect(page.get_by_role("listbox")).to_be_visible()
    expect(combo).to_be_focused()


@contextmanager
def late_form(page: Page) -> Iterator[Locator]:
    """The button of a filter, pressed, while the script of the form is on its way."""
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    page.route("**/FilterForm-*.js", hold)
    button = page.get_by_role("button", name="Filter", exact=True)
    button.click()
    expect(button).to_have_attribute("aria-expanded", "true")
    page.wait_for_function("document.querySelector(':popover-open')")
    yield button
    for route in waiting:
        route.continue_()
    expect(field(page, "Property")).to_be_visible()


@pytest.mark.long
def test_the_first_field_has_the_focus_when_its_script_comes_late(looking: App, places: dict[str, str]) -> None:
    page = settled(looking.opens("owner", "/events"))
    with late_form(page) as button:
        expect(button).to_be_focused()
    expect(field(page, "Property")).to_be_focused()


@pytest.mark.long
def test_a_form_that_comes_late_takes_the_focus_from_nothing_else(looking: App, places: dict[str, str]) -> None:
    page = settled(looking.opens("owner", "/events"))
    with late_form(page):
        page.get_by_role("button", name="Pause").focus()
    expect(page.get_by_role("button", name="Pause")).to_be_focused()
