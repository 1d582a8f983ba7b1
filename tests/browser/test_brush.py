"""Time chosen on a chart: by dragging or by keys, for all cards; Escape goes back (docs/howto/web-app)."""

from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from harness.browser.app import App, settled
from harness.browser.behind import panel
from harness.builders.moments import ago
from harness.clients.dashboards import make_dashboard, make_widget

OVER_TIME = {"event": "view", "measure": "count", "overTime": True}
TOTAL = {"event": "view", "measure": "count"}


@pytest.fixture
def board(app: App) -> Any:
    events = [{"name": "view", "_timestamp": ago(days=day)} for day in range(7) for _ in range(day + 1)]
    assert app.workspace.send({"events": events}).status_code == 202
    board = make_dashboard(app.workspace, timeRange="7d")
    make_widget(app.workspace, board["id"], type="metric", title="Views", config=OVER_TIME)
    make_widget(app.workspace, board["id"], type="metric", title="Total", config=TOTAL)
    return board


def chart(page: Page) -> Locator:
    return page.get_by_role("application", name="Views")


def drag(page: Page, start: float, end: float) -> None:
    """Drag over the chart, from one share of its width to another."""
    box = chart(page).bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * start, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * (start + end) / 2, middle, steps=4)
    page.mouse.move(box["x"] + box["width"] * end, middle, steps=4)
    page.mouse.up()


def chosen(page: Page) -> tuple[str, str] | None:
    query = parse_qs(urlsplit(page.url).query)
    return (query["from"][0], query["to"][0]) if "from" in query else None


def test_dragging_shows_this_time_on_all_cards_and_escape_goes_back(app: App, board: Any) -> None:
    page = settled(app.opens("viewer", f"/d/{board['id']}"))
    total = page.get_by_role("region", name="Total")
    expect(total).to_contain_text("28")
    drag(page, 0.3, 0.6)
    settled(page)
    assert chosen(page) is not None
    expect(total).not_to_contain_text("28")
    expect(panel(page)).to_have_count(0)
    page.keyboard.press("Escape")
    settled(page)
    assert chosen(page) is None
    expect(total).to_contain_text("28")


def test_a_click_still_asks_who_is_behind_a_point(app: App, board: Any) -> None:
    page = settled(app.opens("viewer", f"/d/{board['id']}"))
    chart(page).click()
    expect(panel(page)).to_be_visible()
    assert chosen(page) is None


def test_keys_select_time_and_take_it_back(app: App, board: Any) -> None:
    page = settled(app.opens("viewer", f"/d/{board['id']}"))
    surface = chart(page)
    surface.press("Home")
    surface.press("ArrowRight")
    surface.press("Shift+ArrowRight")
    surface.press("Escape")
    surface.press("Shift+ArrowRight")
    surface.press("Enter")
    settled(page)
    first, last = chosen(page) or ("", "")
    assert first < last
    page.keyboard.press("Escape")
    settled(page)
    assert chosen(page) is None


def begin_drag(page: Page, start: float, end: float) -> None:
    """Drag over the chart without letting go, from one share of its width to another."""
    box = chart(page).bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * start, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * end, middle, steps=8)


def test_escape_gives_up_a_drag(app: App, board: Any) -> None:
    page = settled(app.opens("viewer", f"/d/{board['id']}"))
    drag(page, 0.1, 0.9)
    settled(page)
    first = chosen(page)
    begin_drag(page, 0.3, 0.6)
    page.keyboard.press("Escape")
    page.mouse.up()
    settled(page)
    assert chosen(page) == first
    expect(panel(page)).to_have_count(0)
    chart(page).click()
    expect(panel(page)).to_be_visible()


def test_a_drag_beyond_the_chart_ends_at_its_edge(app: App, board: Any) -> None:
    page = settled(app.opens("viewer", f"/d/{board['id']}"))
    begin_drag(page, 0.6, -3)
    page.mouse.up()
    settled(page)
    first, last = chosen(page) or ("", "")
    assert ago(days=7, minutes=1) <= first < last < ago(days=2)


def test_what_is_dragged_over_stays_within_the_time_that_is_shown(app: App, board: Any) -> None:
    first, last = ago(days=6), ago(days=1)
    page = settled(app.opens("viewer", f"/d/{board['id']}?from={quote(first)}&to={quote(last)}"))
    drag(page, 0.0, 0.4)
    settled(page)
    assert (chosen(page) or ("", ""))[0] == first
    page.keyboard.press("Escape")
    settled(page)
    drag(page, 0.6, 1.0)
    settled(page)
    assert (chosen(page) or ("", ""))[1] == last


def test_escape_takes_back_the_time_but_not_what_came_after(app: App, board: Any) -> None:
    page = settled(app.opens("viewer", f"/d/{board['id']}"))
    drag(page, 0.3, 0.6)
    settled(page)
    page.get_by_role("button", name="Filter", exact=True).first.click()
    expect(page.get_by_role("combobox", name="Filter", exact=True)).to_be_focused()
    page.keyboard.type("name is view")
    page.keyboard.press("Enter")
    expect(page.get_by_role("group", name="name is view")).to_be_visible()
    settled(page)
    assert chosen(page) is not None
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("Escape")
    settled(page)
    assert chosen(page) is None
    assert "f" in parse_qs(urlsplit(page.url).query)
