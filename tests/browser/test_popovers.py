"""What happens inside a popover stays there: its lists, keys and forms move neither its focus nor the page behind it."""

import pytest
from playwright.sync_api import expect

from harness.browser.app import App, settled
from harness.builders.ranked_bots import ranked_bots
from harness.clients.dashboards import make_alert, make_dashboard

LISTS = {
    "an alert": ("/alerts/{alert}", "Filters", "Filter"),
    "bots": ("/bots/compare?ids={bot}", "Add a bot", "Bot"),
}
"""Popovers that hold a list: path, button, field."""


@pytest.fixture(scope="module")
def places(shared_app: App) -> dict[str, str]:
    """Where there are popovers: ids by what they name in a path."""
    events = [{"name": "order.placed", "properties": {"plan": plan}} for plan in ("pro", "free")]
    assert shared_app.workspace.send({"events": events}).status_code == 202
    board = make_dashboard(shared_app.workspace, name="Orders")["id"]
    alert = make_alert(shared_app.workspace, name="Many", event="order.placed")["id"]
    return {"board": board, "alert": alert, "bot": ranked_bots(shared_app.workspace, 2)[0]}


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


@pytest.mark.long
def test_a_list_that_closes_leaves_what_holds_it_open(looking: App, places: dict[str, str]) -> None:
    path, button, name = LISTS["bots"]
    page = settled(looking.opens("owner", path.format(**places)))
    page.get_by_role("button", name=button).click()
    combo = page.get_by_role("dialog").get_by_role("combobox", name=name)
    combo.click()
    expect(page.get_by_role("listbox")).to_be_visible()
    page.evaluate("document.querySelector('[role=listbox]').hidePopover()")
    expect(page.get_by_role("listbox")).to_have_count(0)
    expect(combo).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("listbox")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("listbox")).to_have_count(0)
    expect(combo).to_be_visible()
    page.keyboard.press("Escape")
    expect(combo).to_be_hidden()
    expect(page.get_by_role("button", name=button)).to_be_focused()
