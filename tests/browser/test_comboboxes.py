"""Fields with a list, in the browser: they hold what somebody chose, and ask before they take a name that never came."""

import re
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Locator, Page, expect

from harness.browser.app import App, settled
from harness.builders.ranked_bots import ranked_bots
from harness.clients.dashboards import make_alert, make_dashboard, make_digest, make_segment, make_widget

PLAYS, ERRORS = 7, 3
NEW = "never.sent"
UNSEEN = "has never been seen"
SEEN = re.compile("^(track|genre|code|seconds|title)")
ASKED = f"“{NEW}” {UNSEEN}. Use it anyway?"


@pytest.fixture(scope="module")
def places(shared_app: App) -> dict[str, str]:
    """Ids by what they name in a path: boards and what else has fields."""
    workspace = shared_app.workspace
    played = {"genre": "jazz", "seconds": 12, "title": "So What"}
    events: list[dict[str, Any]] = [{"name": "track.play", "properties": played}] * PLAYS
    events += [{"name": "track.error", "properties": {"code": 5}}] * ERRORS
    assert workspace.send({"events": events}).status_code == 202
    board = make_dashboard(workspace, name="Radio")["id"]
    widget = make_widget(
        workspace, board, type="metric", title="Plays", config={"event": "track.play", "measure": "count"}
    )
    alert = make_alert(workspace, name="Silence", event="track.play")
    make_segment(workspace, name="Jazz", filters=[{"key": "genre", "op": "eq", "value": "jazz"}])
    make_digest(workspace, board)
    return {"board": board, "widget": widget["id"], "alert": alert["id"], "bot": ranked_bots(workspace, 2)[0]}


def note(page: Page) -> Locator:
    """What is said of a text that no option has."""
    return page.get_by_role("alertdialog")


def selected(field: Locator) -> bool:
    """Whether all text of a field is selected."""
    chosen: bool = field.evaluate("e => e.value !== '' && e.selectionStart === 0 && e.selectionEnd === e.value.length")
    return chosen


def lists(field: Locator) -> None:
    """Open a field's list and wait for its names: before they are there, none is known to be new."""
    field.click()
    expect(field.page.get_by_role("listbox").get_by_role("option", name=SEEN).first).to_be_visible()


def editor(app: App, places: dict[str, str]) -> tuple[Page, Locator]:
    """The editor of the widget, and its field of the event."""
    page = settled(app.opens("owner", f"/d/{places['board']}/w/{places['widget']}"))
    event = page.get_by_role("combobox", name="Event", exact=True)
    expect(event).to_have_value("track.play")
    return page, event


def answer(page: Page) -> Locator:
    return page.get_by_role("main").get_by_role("region", name="Plays", exact=True)


@pytest.mark.long
def test_what_is_typed_takes_the_place_of_what_is_held_and_enter_takes_the_active_option(
    looking: App, places: dict[str, str]
) -> None:
    page, event = editor(looking, places)
    event.click()
    assert selected(event)
    page.keyboard.type("err")
    expect(event).to_have_value("err")
    page.keyboard.press("Enter")
    expect(event).to_have_value("track.error")
    expect(answer(page)).to_contain_text(str(ERRORS))
    page.keyboard.type("pla")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(event).to_have_value("track.play")
    expect(answer(page)).to_contain_text(str(PLAYS))


@pytest.mark.long
def test_tab_selects_the_text_and_takes_the_active_option(looking: App, places: dict[str, str]) -> None:
    page, event = editor(looking, places)
    page.get_by_role("combobox", name="Measure").focus()
    page.keyboard.press("Tab")
    expect(event).to_be_focused()
    assert selected(event)
    breakdown = page.get_by_role("combobox", name="Break down by")
    for keys in (["ArrowDown"], []):
        breakdown.focus()
        page.keyboard.type("gen")
        for key in [*keys, "Tab"]:
            page.keyboard.press(key)
        expect(breakdown).to_have_value("genre")
        expect(breakdown).not_to_be_focused()
        breakdown.fill("")
        page.keyboard.press("Tab")
        expect(breakdown).to_have_value("")


@pytest.mark.long
def test_a_click_that_opens_the_list_selects_the_text_and_the_next_one_places_the_caret(
    looking: App, places: dict[str, str]
) -> None:
    page, event = editor(looking, places)
    event.click()
    page.get_by_role("option", name="track.error").click()
    event.click()
    assert selected(event)
    event.click()
    assert not selected(event)


@pytest.mark.long
@pytest.mark.parametrize("key", ["Enter", "Tab"])
def test_a_name_that_never_came_is_asked_about_once(looking: App, places: dict[str, str], key: str) -> None:
    page, event = editor(looking, places)
    expect(answer(page)).to_contain_text("track.play")
    event.click()
    page.keyboard.type(NEW)
    page.keyboard.press(key)
    expect(note(page)).to_contain_text(ASKED)
    expect(event).to_be_focused()
    expect(answer(page)).to_contain_text("track.play")
    page.keyboard.press("Enter")
    expect(note(page)).to_have_count(0)
    expect(event).to_have_value(NEW)
    page.keyboard.press("Tab")
    expect(note(page)).to_have_count(0)
    expect(event).to_have_value(NEW)
    expect(answer(page)).to_contain_text(NEW)


@pytest.mark.long
def test_whoever_goes_elsewhere_is_asked_and_sees_what_the_field_holds(looking: App, places: dict[str, str]) -> None:
    page, event = editor(looking, places)
    for answered, value in (("Keep track.play", "track.play"), ("Use it", NEW)):
        event.click()
        page.keyboard.type(NEW)
        page.get_by_role("textbox", name="Title").click()
        expect(note(page)).to_contain_text(ASKED)
        expect(event).to_have_value("track.play")
        note(page).get_by_role("button", name=answered).click()
        expect(note(page)).to_have_count(0)
        expect(event).to_have_value(value)
        expect(event).to_be_focused()


@pytest.mark.long
def test_the_click_that_leaves_a_field_finds_its_target(looking: App, places: dict[str, str]) -> None:
    """Although a question comes up, which covers what is below the field."""
    page, event = editor(looking, places)
    event.click()
    page.keyboard.type(NEW)
    page.keyboard.press("Escape")
    page.get_by_role("radio", name="Funnel").check()
    expect(page.get_by_role("combobox", name="Step 1")).to_be_visible()


@pytest.mark.long
def test_escape_withdraws_the_text_in_question_and_closes_nothing_else(looking: App, places: dict[str, str]) -> None:
    page, event = editor(looking, places)
    for steps in (["Escape"], ["Tab", "Escape"]):
        lists(event)
        page.keyboard.type(NEW)
        page.keyboard.press("Enter")
        expect(note(page)).to_contain_text(ASKED)
        for step in steps:
            page.keyboard.press(step)
        expect(note(page)).to_have_count(0)
        expect(event).to_have_value("track.play")
        expect(event).to_be_focused()


@pytest.mark.long
def test_upwards_from_the_first_option_leads_to_the_text_itself(looking: App, places: dict[str, str]) -> None:
    page, event = editor(looking, places)
    event.click()
    page.keyboard.type("track")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(note(page)).to_contain_text("“track” has never been seen")


@pytest.mark.long
def test_measures_of_numbers_propose_properties_with_numbers(looking: App, places: dict[str, str]) -> None:
    page, _ = editor(looking, places)
    measure = page.get_by_role("combobox", name="Measure")
    prop = page.get_by_role("combobox", name="Property", exact=True)
    options = page.get_by_role("listbox").get_by_role("option")
    measure.select_option("uniq")
    prop.fill("genre")
    prop.press("Enter")
    for numeric in ("sum", "avg", "median", "p95", "p99", "min", "max"):
        measure.select_option(numeric)
        expect(prop).to_have_value(re.compile("code|seconds"))
        prop.click()
        expect(options).to_have_text([re.compile("code|seconds")] * 2)
        page.keyboard.press("Escape")
    page.keyboard.type("genre")
    page.keyboard.press("Enter")
    expect(note(page)).to_contain_text("“genre” has no numbers. Use it anyway?")


@pytest.mark.long
def test_a_histogram_proposes_properties_with_numbers(looking: App, places: dict[str, str]) -> None:
    page, _ = editor(looking, places)
    page.get_by_role("radio", name="Histogram").check()
    prop = page.get_by_role("combobox", name="Property", exact=True)
    prop.click()
    expect(page.get_by_role("listbox").get_by_role("option")).to_have_text([re.compile("code|seconds")] * 2)


def test_an_alert_on_a_percentile_proposes_properties_with_numbers(looking: App, places: dict[str, str]) -> None:
    page = settled(looking.opens("owner", f"/alerts/{places['alert']}"))
    page.get_by_role("combobox", name="Measure").select_option("p95")
    prop = page.get_by_role("combobox", name="Property", exact=True)
    expect(prop).to_have_value(re.compile("code|seconds"))
    prop.click()
    expect(page.get_by_role("listbox").get_by_role("option")).to_have_text([re.compile("code|seconds")] * 2)


class Place(NamedTuple):
    """Where a combobox is, what leads to it, and what is said of a text that no option has; nothing if it counts."""

    path: str
    field: str
    steps: tuple[tuple[Any, str], ...] = ()
    said: str = UNSEEN
    is_folded: bool = False


PLACES = {
    "an event": Place("/d/{board}/w/new?kind=metric", "Event"),
    "a breakdown": Place("/d/{board}/w/new?kind=metric", "Break down by"),
    "a part of a formula": Place("/d/{board}/w/new?kind=formula", "Event"),
    "a number": Place("/d/{board}/w/new?kind=kpi", "Event"),
    "a step": Place("/d/{board}/w/new?kind=funnel", "Step 2"),
    "what a chain shares": Place("/d/{board}/w/new?kind=funnel", "Same value of", is_folded=True),
    "the breakdown of a funnel": Place("/d/{board}/w/new?kind=funnel", "Break down by"),
    "an excluded event": Place(
        "/d/{board}/w/new?kind=funnel", "Excluded event", (("button", "Exclude an event"),), is_folded=True
    ),
    "newcomers": Place("/d/{board}/w/new?kind=retention", "Event"),
    "who returns": Place("/d/{board}/w/new?kind=retention", "Return event"),
    "the numbers of a histogram": Place("/d/{board}/w/new?kind=histogram", "Property"),
    "the event of a heat map": Place("/d/{board}/w/new?kind=heatmap", "Event"),
    "the zone of a heat map": Place("/d/{board}/w/new?kind=heatmap", "Time zone", (), "is not a time zone"),
    "a column": Place("/d/{board}/w/new?kind=table", "Add a column", (), "is not in the list"),
    "the event of an alert": Place("/alerts/new", "Event"),
    "the time zone of a digest": Place("/digests", "Time zone", (("button", "New digest"),), "is not a time zone"),
    "a bot": Place("/bots/compare?ids={bot}", "Bot", (("button", "Add a bot"),), "No bot is named"),
    "a bot that is fed": Place("/bots/feeding", "Bot", (), "No bot is named"),
    "a bot in a picture": Place("/bots/image", "Bot", (("button", "From a bot"),), "No bot is named"),
}


@pytest.mark.long
@pytest.mark.parametrize("what", PLACES)
def test_every_field_with_a_list_selects_its_text_and_says_what_it_makes_of_another(
    looking: App, places: dict[str, str], what: str
) -> None:
    place = PLACES[what]
    page = settled(looking.opens("owner", place.path.format(**places)))
    if place.is_folded:
        page.locator("summary").click()
    for role, name in place.steps:
        page.get_by_role(role, name=name, exact=True).first.click()
    field = settled(page).get_by_role("combobox", name=place.field, exact=True).first
    for key in ("", "Enter"):
        lists(field) if place.said == UNSEEN else field.click()
        page.keyboard.type(NEW)
        expect(field).to_have_value(NEW)
        if key:
            field.press(key)
        else:
            field.blur()
        if place.said:
            expect(note(page)).to_contain_text(place.said)
            note(page).get_by_role("button").last.click()
        expect(note(page)).to_have_count(0)


@pytest.mark.long
def test_a_zone_that_the_browser_does_not_list_counts(looking: App, places: dict[str, str]) -> None:
    """Chromium lists Asia/Calcutta, and people there write Asia/Kolkata."""
    page = settled(looking.opens("owner", "/digests"))
    page.get_by_role("button", name="New digest").first.click()
    zone = page.get_by_role("dialog").get_by_role("combobox", name="Time zone")
    zone.click()
    page.keyboard.type("Asia/Kolkata")
    page.keyboard.press("Tab")
    expect(note(page)).to_have_count(0)
    expect(zone).to_have_value("Asia/Kolkata")
    zone.click()
    page.keyboard.type("berl")
    page.keyboard.press("Tab")
    expect(zone).to_have_value("Europe/Berlin")


@pytest.mark.long
def test_a_bot_is_found_by_a_part_of_its_name_and_any_id_counts(looking: App, places: dict[str, str]) -> None:
    page = settled(looking.opens("owner", "/bots/feeding", refused=[404]))
    bot = page.get_by_role("combobox", name="Bot", exact=True)
    bot.click()
    page.keyboard.type("bot")
    expect(page.get_by_role("listbox").get_by_role("option").first).to_be_visible()
    page.keyboard.press("Enter")
    expect(bot).to_have_value(re.compile("bot", re.IGNORECASE))
    bot.click()
    page.keyboard.type("123456789012345678")
    expect(bot).to_have_value("123456789012345678")
    assert "123456789012345678" not in page.url
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("bot=123456789012345678"))
