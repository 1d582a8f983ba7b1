"""What is behind a number, beside its chart (rules/boards#behind-a-number)."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, Position, expect

from harness.browser.app import DESK, PHONE, App, axe_in_both_themes, focused, settled, use_theme
from harness.browser.behind import panel, spot_path
from harness.browser.chromium import RAN
from harness.browser.layout_shift import layout_shifts
from harness.browser.slow_answers import slow_down
from harness.builders.spike import FORMULA, MARKUP, SPIKE_COUNT, hours_since_spike, make_spike_board, spike_hour

MOST_SHIFTED = 0.02
BUCKETS = 25
"""Hours that a window of 24 hours touches."""


@pytest.fixture(scope="module")
def board(shared_app: App) -> Any:
    return make_spike_board(shared_app.workspace)


def t_of(hour: datetime) -> str:
    return hour.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def spike(board: Any) -> str:
    """The path of the board with the hour that stands out open."""
    return spot_path(board, "Errors", {"t": t_of(spike_hour())})


def chart(page: Page, title: str = "Errors") -> Locator:
    return page.get_by_role("application", name=title)


def place_of_hour(page: Page, hours_back: int) -> Position:
    """Where in the chart an hour is."""
    box = chart(page).bounding_box()
    assert box is not None
    return {"x": box["width"] * (BUCKETS - hours_back - 0.5) / BUCKETS, "y": box["height"] * 0.9}


def press_hour(page: Page, hours_back: int) -> None:
    """Open an hour by keys."""
    chart(page).focus()
    for key in ["End", *["ArrowLeft"] * hours_back, "Enter"]:
        page.keyboard.press(key)


def query_of(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def test_a_click_shows_beside_the_chart_who_is_behind_a_number_and_what_is_different(looking: App, board: Any) -> None:
    page = settled(looking.opens("developer", f"/d/{board['id']}"))
    chart(page).click(position=place_of_hour(page, hours_since_spike()))
    behind = panel(settled(page))
    expect(behind.get_by_role("heading", level=2)).to_contain_text(f"Errors {spike_hour():%a} {spike_hour().day}")
    expect(behind).to_contain_text(f"{SPIKE_COUNT} 6.0 × usual usual 0 to 13")
    for tab in (f"{SPIKE_COUNT} actors", "7 groups", f"{SPIKE_COUNT} events"):
        expect(behind.get_by_role("tab", name=tab)).to_be_visible()
    expect(behind).to_contain_text(f"The {SPIKE_COUNT} events of this hour, against all ")
    lines = behind.get_by_role("region", name="What is different").get_by_role("link")
    expect(lines).to_have_count(2)
    expect(lines.first).to_have_accessible_name(
        re.compile(r"^shard is shard-2 100\s% of these, \d+\s% of all, [\d.]+\s× as often")
    )
    expect(chart(page).locator("xpath=..").locator("[data-open]")).to_be_visible()
    assert sum(shift.score for shift in layout_shifts(page)) <= MOST_SHIFTED

    chart(page).click(position=place_of_hour(page, hours_since_spike() + 3))
    expect(behind.get_by_role("heading", level=2)).to_contain_text(f"{spike_hour() - timedelta(hours=3):%H:%M}")
    expect(behind).to_contain_text("Nothing stands out")
    page.go_back()
    expect(behind).to_have_count(0)
    assert "who" not in query_of(page)


@pytest.mark.long
def test_keys_open_it_walk_to_its_neighbors_and_close_it(looking: App, board: Any) -> None:
    page = settled(looking.opens("viewer", f"/d/{board['id']}"))
    press_hour(page, hours_since_spike())
    heading = panel(page).get_by_role("heading", level=2)
    expect(heading).to_be_focused()
    assert query_of(page)["at"] == [f'{{"t":"{t_of(spike_hour())}"}}']
    page.keyboard.press("ArrowUp")
    expect(heading).to_contain_text(f"{spike_hour() - timedelta(hours=1):%H:%M}")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(heading).to_contain_text(f"{spike_hour() + timedelta(hours=1):%H:%M}")
    panel(page).get_by_role("button", name="Previous number").click()
    expect(heading).to_contain_text(f"{spike_hour():%H:%M}")
    page.keyboard.press("Escape")
    expect(panel(page)).to_have_count(0)
    expect(chart(page)).to_be_focused()
    assert urlsplit(page.url).query == ""


@pytest.mark.long
def test_a_person_knows_the_time_and_back_leads_to_the_panel_as_it_was(looking: App, board: Any) -> None:
    page = settled(looking.opens("viewer", spike(board)))
    rows = panel(page).get_by_role("list", name="Who is behind").get_by_role("link")
    expect(rows).to_have_count(SPIKE_COUNT)
    rows.last.scroll_into_view_if_needed()
    body = page.locator("[data-scroll-restoration-id=behind]")
    depth = body.evaluate("each => each.scrollTop")
    assert depth > 0
    rows.last.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("user-")
    hour = spike_hour()
    assert query_of(page) | {"env": []} == {"from": [t_of(hour)], "to": [t_of(hour + timedelta(hours=1))], "env": []}
    page.go_back()
    expect(rows).to_have_count(SPIKE_COUNT)
    settled(page)
    assert body.evaluate("each => each.scrollTop") == depth
    page.reload()
    expect(rows).to_have_count(SPIKE_COUNT)


@pytest.mark.long
def test_groups_and_events_have_lists_of_their_own(looking: App, board: Any) -> None:
    page = settled(looking.opens("viewer", spike(board)))
    panel(page).get_by_role("tab", name="7 groups").click()
    groups = panel(page).get_by_role("list", name="Groups behind").get_by_role("listitem")
    expect(groups).to_have_count(7)
    expect(groups.first).to_contain_text(re.compile("server-[0-4]6"))
    panel(page).get_by_role("tab", name="events").click()
    assert query_of(page)["tab"] == ["events"]
    events = panel(page).get_by_role("list", name="Newest events").get_by_role("link")
    expect(events).to_have_count(SPIKE_COUNT)
    events.first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Events")
    expect(page.get_by_role("row")).to_have_count(1 + SPIKE_COUNT)
    page.go_back()
    expect(events).to_have_count(SPIKE_COUNT)


@pytest.mark.long
def test_a_line_leads_to_the_same_board_filtered_by_it(looking: App, board: Any) -> None:
    page = settled(looking.opens("viewer", spike(board)))
    line = panel(page).get_by_role("link", name="code is VOICE_TIMEOUT")
    assert "f=code:eq:VOICE_TIMEOUT" in (line.get_attribute("href") or "")
    line.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("group", name="code is VOICE_TIMEOUT")).to_be_visible()
    expect(panel(page).get_by_role("heading", level=2)).to_be_focused()
    expect(panel(page)).to_contain_text("36")
    expect(panel(page).get_by_role("link", name="code is VOICE_TIMEOUT")).to_have_count(0)


@pytest.mark.long
def test_a_failure_of_the_comparison_leaves_the_list(looking: App, board: Any) -> None:
    page = looking.blank("viewer", refused=[500])
    refusal = {"code": 500, "error": "internal", "message": "The server failed.", "details": [], "requestId": "abc-1"}
    page.route("**/differences", lambda route: route.fulfill(status=500, json=refusal))
    page.goto(looking.workspace.url + spike(board))
    again = panel(page).get_by_role("button", name="Try again")
    expect(again).to_be_visible()
    expect(panel(page).get_by_role("list", name="Who is behind").get_by_role("link")).to_have_count(SPIKE_COUNT)
    page.unroute("**/differences")
    again.click()
    expect(panel(page).get_by_role("link", name="shard is shard-2")).to_be_visible()


@pytest.mark.long
def test_a_number_that_is_no_longer_there_says_so_and_has_no_lists(looking: App, board: Any) -> None:
    page = looking.blank("viewer", refused=[400])
    gone = spot_path(board, "Errors", {"t": "2020-01-01T00:00:00.000Z"})
    page.goto(f"{looking.workspace.url}{gone}&tab=groups")
    expect(panel(page)).to_contain_text("This number is no longer there")
    expect(panel(settled(page)).get_by_role("tab")).to_have_count(1)


@pytest.mark.long
def test_without_the_answer_of_the_card_nothing_leads_to_other_events(looking: App, board: Any) -> None:
    """What a number is, its time among it, is in the answer of its card."""
    page = looking.blank("developer", refused=[500])
    refusal = {"code": 500, "error": "internal", "message": "The server failed.", "details": [], "requestId": "abc-1"}
    page.route("**/data", lambda route: route.fulfill(status=500, json=refusal))
    page.goto(looking.workspace.url + spike(board))
    expect(panel(page).get_by_role("tab", name=f"{SPIKE_COUNT} actors")).to_be_visible()
    expect(panel(settled(page)).get_by_role("tab")).to_have_count(1)
    for name in ("Save as segment", "Create alert", "Show events"):
        expect(panel(page).get_by_role("link", name=name)).to_have_count(0)


def test_a_viewer_reads_and_a_developer_goes_on(looking: App, board: Any) -> None:
    page = settled(looking.opens("viewer", spike(board)))
    expect(panel(page).get_by_role("link", name="Show events")).to_be_visible()
    for name in ("Save as segment", "Create alert"):
        expect(panel(page).get_by_role("link", name=name)).to_have_count(0)
    page = settled(looking.opens("developer", spot_path(board, "Codes", {"label": "VOICE_TIMEOUT"})))
    panel(page).get_by_role("link", name="Save as segment").click()
    form = page.get_by_role("dialog", name="New segment")
    expect(form).to_contain_text("name is track.error")
    expect(form).to_contain_text("code is VOICE_TIMEOUT")
    page.go_back()
    panel(page).get_by_role("link", name="Create alert").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("New alert")
    assert query_of(page)["f"] == ["code:eq:VOICE_TIMEOUT"]
    page.go_back()
    count = panel(page).locator("[data-value]").inner_text()
    panel(page).get_by_role("link", name="Show events").click()
    expect(page.get_by_role("row")).to_have_count(1 + int(count))


@pytest.mark.long
def test_what_a_segment_cannot_say_is_named(looking: App, board: Any) -> None:
    page = settled(looking.opens("developer", spike(board)))
    expect(panel(page)).to_contain_text("A segment leaves out the time.")
    hour = spike_hour()
    page = settled(looking.opens("developer", spot_path(board, "When", {"cell": [hour.weekday(), hour.hour]})))
    expect(panel(page)).to_contain_text("The page of events leaves out the hour of the week.")
    expect(panel(page).get_by_role("tab")).to_have_count(1)


@pytest.mark.long
def test_texts_stay_texts_on_the_page_and_in_the_file(looking: App, board: Any) -> None:
    page = settled(looking.opens("viewer", spike(board)))
    for text in (MARKUP, FORMULA):
        expect(panel(page).get_by_role("link", name=text, exact=True)).to_be_visible()
    assert not page.evaluate(RAN)
    with page.expect_download() as saving:
        panel(page).get_by_role("button", name="Save as CSV").click()
    csv = saving.value.path().read_text(encoding="utf-8-sig")
    assert f"'{FORMULA}" in csv
    assert len(csv.strip().splitlines()) == 1 + SPIKE_COUNT


def press_label(page: Page) -> None:
    """Its button lies over it, which Playwright would wait for to go away."""
    page.get_by_role("region", name="Codes").get_by_text("NO_PERMISSION").click(force=True)


def press_bar(page: Page) -> None:
    page.get_by_role("region", name="Way").get_by_role("listitem").last.locator("[aria-hidden=true]").first.click(
        force=True
    )


def press_name_of_step(page: Page) -> None:
    page.get_by_role("region", name="Way").get_by_text("track.play").click(force=True)


def press_cell(page: Page) -> None:
    hour = spike_hour()
    chart(page, "When").locator("[data-day]").nth(hour.weekday()).locator("i").nth(hour.hour).click()


def press_histogram(page: Page) -> None:
    chart(page, "Length").locator("i").first.click()


def press_cohort(page: Page) -> None:
    page.get_by_role("region", name="Back").get_by_role("button", name=re.compile("cohort of")).last.click()


def press_number(page: Page) -> None:
    page.get_by_role("region", name="In short").get_by_role("button", name=re.compile("^Errors")).click()


PRESSES: dict[str, tuple[Callable[[Page], None], str]] = {
    "the label of a row": (press_label, "Codes NO_PERMISSION"),
    "the bar of a step": (press_bar, "Way reached track.error"),
    "the name of a step": (press_name_of_step, "Way reached track.play"),
    "a cell of a heat map": (press_cell, "When "),
    "a bar of a histogram": (press_histogram, "Length ms from 0 to"),
    "a cohort": (press_cohort, "Back cohort of"),
    "a number": (press_number, "In short Errors"),
}


@pytest.mark.long
@pytest.mark.parametrize("what", PRESSES)
def test_the_whole_of_a_bar_its_label_and_each_cell_open_it(looking: App, board: Any, what: str) -> None:
    press, heading = PRESSES[what]
    page = settled(looking.opens("viewer", f"/d/{board['id']}"))
    press(page)
    expect(panel(page).get_by_role("heading", level=2)).to_contain_text(heading)
    marks = page.locator("main [data-place]").locator("[data-open], [aria-current=true]")
    expect(marks).to_have_count(1)
    expect(panel(page).get_by_role("list", name="Who is behind").get_by_role("link").first).to_be_visible()


@pytest.fixture
def thumb(browser: Browser, looking: App) -> Any:
    """A phone of the owner."""
    with browser.new_context(
        viewport={"width": PHONE[0], "height": PHONE[1]}, has_touch=True, is_mobile=True
    ) as context:
        name, token = looking.workspace.cookie, looking.workspace.session_token
        context.add_cookies([{"name": name, "value": token, "url": looking.workspace.url}])
        yield context.new_page()


def test_a_thumb_sees_the_value_first_and_then_opens_the_sheet(thumb: Page, looking: App, board: Any) -> None:
    thumb.goto(f"{looking.workspace.url}/d/{board['id']}")
    surface = chart(thumb)
    expect(surface).to_be_visible()
    surface.tap(position=place_of_hour(thumb, hours_since_spike()))
    expect(surface).to_contain_text(str(SPIKE_COUNT))
    expect(panel(thumb)).to_have_count(0)
    surface.tap(position=place_of_hour(thumb, hours_since_spike()))
    expect(panel(thumb)).to_contain_text(f"{SPIKE_COUNT} actors")
    box = panel(thumb).bounding_box()
    assert box is not None
    assert (box["x"], box["width"]) == (0, PHONE[0])
    assert box["y"] > PHONE[1] * 0.3
    panel(thumb).get_by_role("button", name="Close").tap()
    expect(panel(thumb)).to_have_count(0)


@pytest.mark.parametrize(
    "size",
    [DESK, pytest.param(PHONE, marks=pytest.mark.long), pytest.param((320, 640), marks=pytest.mark.long)],
    ids=str,
)
def test_it_has_no_fault_and_fits(looking: App, board: Any, size: tuple[int, int]) -> None:
    page = settled(looking.opens("developer", spike(board), size=size))
    assert axe_in_both_themes(page) == []
    use_theme(page, "light")
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    outside = "each => [...each.querySelectorAll('button, a')].filter(e => e.getBoundingClientRect().right > innerWidth).length"
    assert panel(page).evaluate(outside) == 0


@pytest.mark.long
@pytest.mark.parametrize("size", [DESK, (1200, 800), PHONE], ids=str)
def test_nothing_moves_when_it_opens_and_fills(looking: App, board: Any, size: tuple[int, int]) -> None:
    page = settled(looking.opens("developer", f"/d/{board['id']}", size=size))
    slow_down(page, str(size))
    press_hour(page, hours_since_spike())
    shifts = layout_shifts(settled(page))
    assert sum(shift.score for shift in shifts) <= MOST_SHIFTED, shifts
    expect(panel(page).get_by_role("tab", name=f"{SPIKE_COUNT} actors")).to_be_visible()


@pytest.mark.long
def test_the_window_shows_the_card_and_its_panel(looking: App, board: Any) -> None:
    """Where the cards have no room beside the panel, they stand one below the other, and the card stays in sight."""
    page = settled(looking.opens("viewer", f"/d/{board['id']}", size=(1200, 800)))
    press_cohort(page)
    expect(panel(page)).to_be_visible()
    card = page.get_by_role("region", name="Back", exact=True).bounding_box()
    beside = panel(page).bounding_box()
    assert card is not None
    assert beside is not None
    assert card["x"] + card["width"] <= beside["x"]
    assert 0 < card["y"] < 800
    assert focused(page).startswith("h2 Back")
