"""The tally that is drawn as events arrive: on the page of the first event and on an empty dashboard."""

import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from harness.browser.app import App, axe_in_both_themes, settled
from harness.browser.layout_shift import layout_shifts
from harness.clients.dashboards import make_dashboard

LIMIT = 0.02
STROKES_DRAWN = 15
"""The most that are drawn at once."""


def send(app: App, count: int) -> None:
    for first in range(0, count, 500):
        events = [{"name": "order"} for _ in range(min(500, count - first))]
        assert app.workspace.send({"events": events}).status_code == 202


def live(page: Page) -> Locator:
    return page.get_by_role("region", name="Live events")


@pytest.fixture
def board(app: App) -> Any:
    return make_dashboard(app.workspace, name="Orders")


def opened(app: App, board: Any, who: str = "viewer") -> Page:
    page = settled(app.opens(who, f"/d/{board['id']}"))
    expect(live(page)).to_contain_text("Waiting for events")  # the stream runs
    return page


def test_each_event_is_a_stroke_and_the_fifth_crosses(app: App, board: Any) -> None:
    page = opened(app, board)
    strokes = live(page).locator("svg path")
    for before, count in pairwise((0, 1, 2, 4, 5, 6)):
        send(app, count - before)
        expect(live(page)).to_contain_text(f"{count} event{'' if count == 1 else 's'}")
        expect(strokes).to_have_count(count)
    expect(live(page).locator("svg")).to_have_count(2)
    assert strokes.first.evaluate("path => getComputedStyle(path).animationName") == "none"  # motion is reduced
    assert sum(shift.score for shift in layout_shifts(page)) <= LIMIT
    assert axe_in_both_themes(page) == []


@pytest.mark.long
def test_a_burst_is_a_number(app: App, board: Any) -> None:
    page = opened(app, board)
    send(app, 10_000)
    expect(live(page)).to_contain_text("10,000 events")
    assert live(page).locator("svg path").count() <= STROKES_DRAWN
    # The first that came is said at once, and how many there are half a minute later.
    expect(page.locator("#announcements")).to_have_text(re.compile(r"^\d{1,4} events? arrived$"))


def test_a_developer_adds_the_first_card_beside_it(app: App, board: Any) -> None:
    page = opened(app, board, "developer")
    page.get_by_role("button", name="Add widget").click()
    expect(page).to_have_url(re.compile("edit=1"))


def test_the_first_events_are_drawn_on_the_page_that_waits_for_them(app: App) -> None:
    page = settled(app.opens("viewer", "/start"))
    step = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="See it arrive"))
    expect(step).to_contain_text("Waiting for the first event")
    send(app, 3)
    expect(step).to_contain_text("order")
    expect(step).to_contain_text("arrived since you opened this page")
