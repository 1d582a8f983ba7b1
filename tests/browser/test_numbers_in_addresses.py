"""The number whose actors are shown is in the address: Back, a reload and a copied link lead to it (docs/howto/web-app)."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from harness.browser.app import App, settled
from harness.browser.behind import panel
from harness.builders.moments import ago
from harness.clients.dashboards import make_dashboard, make_widget

OVER_TIME = {"event": "view", "measure": "count", "overTime": True}


@pytest.fixture
def board(app: App) -> Any:
    events = [{"name": "view", "_actor": f"u{day}", "_timestamp": ago(days=day)} for day in range(25)]
    assert app.workspace.send({"events": events}).status_code == 202
    board = make_dashboard(app.workspace, timeRange="30d")
    make_widget(app.workspace, board["id"], type="metric", title="Views", config=OVER_TIME)
    return board


def open_a_point(page: Page) -> None:
    page.get_by_role("application", name="Views").click()
    expect(panel(page)).to_be_visible()


def test_a_reload_leads_to_the_number_that_was_opened(app: App, board: Any) -> None:
    page = settled(app.opens("viewer", f"/d/{board['id']}"))
    open_a_point(page)
    title = panel(page).get_by_role("heading", level=2).inner_text()
    page.reload()
    settled(page)
    expect(panel(page).get_by_role("heading", name=title)).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel(page)).to_have_count(0)


def test_escape_leads_back_in_the_history(app: App, board: Any) -> None:
    page = settled(app.opens("viewer", f"/d/{board['id']}"))
    open_a_point(page)
    page.keyboard.press("Escape")
    expect(panel(page)).to_have_count(0)
    page.go_forward()
    expect(panel(page)).to_be_visible()


def test_arrows_lead_to_the_numbers_beside_it_and_are_no_steps_of_the_history(app: App, board: Any) -> None:
    page = settled(app.opens("viewer", f"/d/{board['id']}"))
    open_a_point(page)
    title = panel(page).get_by_role("heading", level=2).inner_text()
    panel(page).get_by_role("button", name="Next number").click()
    expect(panel(page).get_by_role("heading", name=title)).to_have_count(0)
    panel(page).get_by_role("button", name="Previous number").click()
    expect(panel(page).get_by_role("heading", name=title)).to_be_visible()
    page.go_back()
    expect(panel(page)).to_have_count(0)


@pytest.mark.parametrize("query", ["who=unknown", "who={id}&at=["])
def test_a_malformed_address_shows_the_dashboard(app: App, board: Any, query: str) -> None:
    page = settled(app.opens("viewer", f"/d/{board['id']}?{query.format(id=widget_of(app, board))}"))
    expect(page.get_by_role("application", name="Views")).to_be_visible()
    expect(panel(page)).to_have_count(0)


def test_a_number_that_is_no_longer_in_the_answer(app: App, board: Any) -> None:
    page = app.blank("viewer", refused=[400])
    at = "%7B%22t%22%3A%222026-01-01T00%3A00%3A00Z%22%7D"
    page.goto(f"{app.workspace.url}/d/{board['id']}?who={widget_of(app, board)}&at={at}")
    expect(panel(page)).to_contain_text("This number is no longer there")
    expect(panel(page).get_by_role("button", name="Try again")).to_have_count(0)
    expect(panel(page).get_by_role("link", name="Show events")).to_have_count(0)


def widget_of(app: App, board: Any) -> str:
    with app.workspace.client() as client:
        [widget] = client.get(f"/v1/dashboards/{board['id']}").json()["widgets"]
    return str(widget["id"])
