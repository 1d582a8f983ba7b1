"""Filters as one line of text, in the browser: written by mouse, finger and keys, changed, removed, and of wicked values."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from harness.browser.app import PHONE, App, axe_in_both_themes, settled
from harness.clients.dashboards import make_alert, make_dashboard, make_segment, make_widget, widgets_of

COOKIE = "tallyroom_session"
WICKED = 'New York, "NY" or <b onclick=x>half</b> & \\ more'
PATHS = ["/d/{board}", "/events"]
FORMS = {
    "a widget": ("/d/{board}/w/new?kind=metric", ()),
    "a step": ("/d/{board}/w/new?kind=funnel", ()),
    "a segment": ("/segments", ("New segment",)),
    "an alert": ("/alerts/{alert}", ("Filters: + filter",)),
}
"""Where filters of something saved are written: paths, and the buttons that lead there."""


@pytest.fixture(scope="module")
def places(shared_app: App) -> dict[str, str]:
    """Ids by what they name in a path."""
    workspace = shared_app.workspace
    events = [
        {"name": "order.placed", "properties": {"plan": plan, "zone": "eu", "city": WICKED, "total": total}}
        for total, plan in enumerate(("pro", "pro", "free"))
    ]
    assert workspace.send({"events": events}).status_code == 202
    make_segment(workspace, name="Paying", filters=[{"key": "plan", "op": "eq", "value": "pro"}])
    board = make_dashboard(workspace, name="Orders")["id"]
    make_widget(workspace, board, type="metric", title="Placed", config={"event": "order.placed", "measure": "count"})
    return {"board": board, "alert": make_alert(workspace, name="Many", event="order.placed")["id"]}


def bar(page: Page) -> Locator:
    return page.get_by_role("group", name="Filters", exact=True).first


def field(page: Page) -> Locator:
    return page.get_by_role("combobox", name="Filter", exact=True)


def chip(page: Page, text: str) -> Locator:
    return bar(page).get_by_role("group", name=text, exact=True)


def option(page: Page, name: str) -> Locator:
    return page.get_by_role("listbox", name="Filter").get_by_role("option", name=name, exact=False).first


def add_button(page: Page) -> Locator:
    return page.get_by_role("button", name="Filter", exact=True).first


def opened(app: App, path: str, places: dict[str, str], query: str = "") -> Page:
    """A page on which a new filter is about to be written, once the names are there."""
    page = settled(app.opens("owner", path.format(**places) + query))
    add_button(page).click()
    expect(field(page)).to_be_focused()
    expect(option(page, "plan")).to_be_visible()
    return page


def write(page: Page, text: str) -> None:
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def fill_in(page: Page, press: Any) -> None:
    """Put the filter "plan is pro" together, pressing on one thing after the other."""
    press(add_button(page))
    expect(field(page)).to_be_focused()
    press(option(page, "plan"))
    press(page.get_by_role("option", name="is", exact=True))
    expect(option(page, "pro")).to_contain_text("2")  # of the last 30 days
    press(option(page, "pro"))
    expect(chip(page, "plan is pro")).to_be_visible()
    expect(add_button(page)).to_be_focused()


@contextmanager
def phone(browser: Browser, app: App) -> Iterator[Page]:
    """A tab of the owner that is touched."""
    width, height = PHONE
    viewport: Any = {"width": width, "height": height}
    with browser.new_context(viewport=viewport, has_touch=True, is_mobile=True) as context:
        context.add_cookies([{"name": COOKIE, "value": app.workspace.session_token, "url": app.workspace.url}])
        yield context.new_page()


@pytest.mark.long
@pytest.mark.parametrize("path", PATHS)
def test_a_filter_is_written_by_mouse(looking: App, places: dict[str, str], path: str) -> None:
    page = settled(looking.opens("owner", path.format(**places)))
    fill_in(page, Locator.click)


@pytest.mark.parametrize("path", [PATHS[0], pytest.param(PATHS[1], marks=pytest.mark.long)])
def test_a_filter_is_written_by_finger_and_fits_the_phone(
    browser: Browser, looking: App, places: dict[str, str], path: str
) -> None:
    with phone(browser, looking) as page:
        page.goto(looking.workspace.url + path.format(**places))
        fill_in(page, Locator.tap)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


def test_a_filter_is_written_changed_and_removed_by_keys(looking: App, places: dict[str, str]) -> None:
    page = opened(looking, "/d/{board}", places)
    assert axe_in_both_themes(page) == []
    page.keyboard.type("pla")
    page.keyboard.press("Enter")
    expect(field(page)).to_have_value("plan ")
    page.keyboard.press("Tab")  # takes the first operator, and stays
    expect(field(page)).to_have_value("plan is ")
    write(page, "free")
    expect(chip(page, "plan is free")).to_be_visible()
    expect(add_button(page)).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")  # its value is selected, so that another one takes its place
    expect(field(page)).to_have_value("plan is free")
    write(page, "pro")
    expect(chip(page, "plan is pro")).to_be_visible()
    expect(chip(page, "plan is pro").get_by_role("button").first).to_be_focused()
    page.keyboard.press("Delete")
    expect(chip(page, "plan is pro")).to_have_count(0)
    expect(add_button(page)).to_be_focused()


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("total > 1", "total:gt:1"),
        ("plan is not free", "plan:neq:free"),
        ("plan is one of pro, team", "plan:in:pro,team"),
        ("plan is none of free", "plan:not_in:free"),
        ("plan contains r", "plan:contains:r"),
        ("plan starts with p", "plan:starts_with:p"),
        ("plan matches ^p", "plan:regex:^p"),
        ("plan is not set", "plan:not_exists"),
        ("plan is pro or total >= 2", "any|plan:eq:pro|total:gte:2"),
    ],
)
def test_every_operator_can_be_typed(looking: App, places: dict[str, str], text: str, written: str) -> None:
    page = opened(looking, "/events", places)
    write(page, text)
    expect(bar(page).get_by_role("button", name="Remove")).to_be_visible()
    assert dict(parse_qsl(urlsplit(page.url).query))["f"] == written


def test_a_wicked_value_is_offered_taken_and_changed_as_it_is(looking: App, places: dict[str, str]) -> None:
    page = opened(looking, "/events", places)
    page.keyboard.type("city is New")
    option(page, "New York").click()
    expect(chip(page, f"city is {WICKED}")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("3 of 3 match")
    chip(page, f"city is {WICKED}").get_by_role("button").first.click()
    expect(field(page)).to_have_value(f"city is {json.dumps(WICKED)}")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(chip(page, f"city is {WICKED}").get_by_role("button").first).to_be_focused()
    page.reload()
    expect(chip(page, f"city is {WICKED}")).to_be_visible()


def test_what_is_no_filter_is_refused_and_a_key_that_never_came_asked_about(
    looking: App, places: dict[str, str]
) -> None:
    page = opened(looking, "/events", places)
    note = page.get_by_role("alertdialog")
    write(page, "zzz")
    expect(note).to_contain_text("“zzz” is not a whole filter")
    page.keyboard.press("Enter")
    expect(field(page)).to_have_value("zzz")
    write(page, " is 5")
    expect(note).to_contain_text("“zzz” has never been seen. Use it anyway?")
    page.keyboard.press("Enter")
    expect(chip(page, "zzz is 5")).to_be_visible()


@pytest.mark.long
def test_escape_closes_the_list_then_the_field_and_nothing_behind_it(looking: App, places: dict[str, str]) -> None:
    page = opened(looking, "/events", places, "?f=zone:eq:eu")
    page.keyboard.type("ge1?tev")  # letters are no shortcuts here
    expect(field(page)).to_have_value("ge1?tev")
    page.keyboard.press("Escape")
    expect(field(page)).to_have_count(0)
    expect(add_button(page)).to_be_focused()
    expect(chip(page, "zone is eu")).to_be_visible()


@pytest.mark.long
def test_a_segment_is_chosen_in_the_same_field(looking: App, places: dict[str, str]) -> None:
    page = opened(looking, "/events", places)
    page.keyboard.type("pay")
    option(page, "Segment Paying").click()
    expect(page.get_by_role("group", name="Segment Paying")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("2 of 3 match")


@pytest.mark.long
@pytest.mark.parametrize("what", FORMS)
def test_every_form_has_the_same_field(looking: App, places: dict[str, str], what: str) -> None:
    path, buttons = FORMS[what]
    page = settled(looking.opens("owner", path.format(**places)))
    for name in buttons:
        page.get_by_role("button", name=name).first.click()
    add_button(page).click()
    expect(field(page)).to_be_focused()
    expect(option(page, "plan")).to_be_visible()
    write(page, "plan is pro or plan is team")
    expect(page.get_by_role("group", name="plan is pro or plan is team")).to_be_visible()
    if what == "a segment":
        page.get_by_role("dialog").get_by_role("button", name="plan is pro or plan is team", exact=True).click()
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog", name="New segment")).to_be_visible()


@pytest.mark.long
def test_filters_that_nobody_touches_are_saved_as_they_are(app: App) -> None:
    assert app.workspace.send({"name": "a", "properties": {"n": 5, "s": "x"}}).status_code == 202
    filters = [
        {"key": "n", "op": "eq", "value": "5"},
        {"key": "s", "op": "in", "value": ["a,b", '"', " "]},
        {"any": [{"key": "n", "op": "gt", "value": 1.5}, {"key": "s", "op": "not_exists"}]},
    ]
    board = make_dashboard(app.workspace, name="Orders")["id"]
    config = {"event": "a", "measure": "count", "filters": filters}
    widget = make_widget(app.workspace, board, type="metric", title="As", config=config)
    page = settled(app.opens("developer", f"/d/{board}/w/{widget['id']}"))
    for name in ("n is 5", 's is one of a,b, "', "n > 1.5 or s is not set"):
        page.get_by_role("group", name=name).get_by_role("button").first.click()
        expect(field(page)).to_be_focused()
        page.keyboard.press("Enter")
        expect(field(page)).to_have_count(0)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("region", name="As", exact=True)).to_be_focused()
    [saved] = widgets_of(app.workspace, board)
    assert saved["config"] == widget["config"]


@contextmanager
def late_field(page: Page) -> Iterator[None]:
    """A new filter is about to be written, while the script of its field is on its way."""
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    page.route("**/FilterInput-*.js", hold)
    add_button(page).click()
    yield
    for route in waiting:
        route.continue_()
    expect(field(page)).to_be_visible()


@pytest.mark.long
def test_a_field_that_comes_late_takes_the_focus_from_nothing_else(looking: App, places: dict[str, str]) -> None:
    assert places
    page = settled(looking.opens("owner", "/events"))
    with late_field(page):
        page.get_by_role("button", name="Pause").focus()
    expect(page.get_by_role("button", name="Pause")).to_be_focused()
