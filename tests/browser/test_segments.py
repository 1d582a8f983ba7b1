"""Segments in the browser: made, read as a sentence, looked through, and kept while something uses them (rules/boards#segment)."""

import re

import pytest
from playwright.sync_api import expect

from harness.browser.app import App, settled
from harness.clients.dashboards import make_dashboard, make_segment, make_widget

EVENTS = [
    {"name": "order.placed", "properties": {"plan": plan, "members": 50 + n}}
    for n, plan in enumerate(["pro", "pro", "free"])
]


@pytest.mark.long
def test_a_segment_is_made_by_the_palette_and_looked_through(app: App) -> None:
    assert app.workspace.send({"events": EVENTS}).status_code == 202
    page = settled(app.opens("developer", "/dashboards"))
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Search pages").fill("new segment")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="New segment")
    dialog.get_by_role("textbox", name="Name").fill("Paying")
    dialog.get_by_role("button", name="Create segment").click()
    expect(dialog).to_contain_text("Add at least one filter")
    dialog.get_by_role("button", name="Filter", exact=True).click()
    dialog.get_by_role("combobox", name="Filter").fill("plan is one of pro, team")
    page.keyboard.press("Enter")
    dialog.get_by_role("button", name="Create segment").click()
    row = page.get_by_role("row").filter(has_text="Paying")
    expect(row).to_contain_text("plan is one of pro, team")
    expect(row.get_by_role("cell").nth(2)).to_have_text("not used")
    expect(row.get_by_role("cell").nth(4)).to_have_text("2")
    [kept] = app.workspace.get("/v1/segments").json()["segments"]
    assert kept["filters"] == [{"key": "plan", "op": "in", "value": ["pro", "team"]}]
    row.get_by_role("link", name="Paying").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Events")
    expect(page.get_by_role("row")).to_have_count(1 + 2)
    expect(page.get_by_role("group", name="Segment Paying")).to_be_visible()
    page.goto(app.workspace.url + "/dashboards")
    settled(page).keyboard.press("Control+k")
    page.get_by_role("combobox", name="Search pages").fill("payi")
    expect(page.get_by_role("option", name="Paying")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("group", name="Segment Paying")).to_be_visible()


def test_a_segment_is_renamed_and_deleted_once_nothing_uses_it(app: App) -> None:
    segment = make_segment(app.workspace)
    board = make_dashboard(app.workspace)
    config = {"event": "order.placed", "measure": "count", "segmentId": segment["id"]}
    widget = make_widget(app.workspace, board["id"], type="metric", title="Orders", config=config)
    page = settled(app.opens("developer", "/segments", refused=[409]))
    expect(page.get_by_role("row").filter(has_text="Pro")).to_contain_text("1 widget")
    page.get_by_role("button", name="Pro menu").click()
    page.get_by_role("menuitem", name="Edit").click()
    page.get_by_role("dialog").get_by_role("textbox", name="Name").fill("Paying")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Paying menu").click()
    page.get_by_role("menuitem", name="Delete").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Delete").click()
    expect(dialog).to_contain_text(re.compile("Widgets use this segment: .Orders"))
    with app.workspace.client() as client:
        assert client.delete(f"/v1/widgets/{widget['id']}").status_code == 204
    dialog.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("main")).to_contain_text("No segments in production")
    assert app.workspace.get("/v1/segments").json()["segments"] == []
