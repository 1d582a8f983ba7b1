"""Charts in the browser: named, walked through by keys, the same as a table, and with the numbers of the API."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from harness.app import App, settled
from harness.dashboards import make_dashboard, make_widget

STEPS = ["page.viewed", "cart.filled", "order.placed"]
CONFIGS: dict[str, tuple[str, Any]] = {
    "Views": ("metric", {"event": STEPS[0], "measure": "count", "overTime": True}),
    "By name": ("metric", {"events": "all", "measure": "count", "breakdown": "name", "overTime": True}),
    "Way": ("funnel", {"steps": [{"event": step} for step in STEPS]}),
}


@pytest.fixture
def board(app: App) -> Any:
    """Nine people, of whom every third goes on, over three days."""
    now = datetime.now(UTC)
    events = [
        {
            "name": step,
            "_actor": f"actor {person}",
            "_timestamp": (now - timedelta(days=person % 3, minutes=9 - place)).isoformat(),
        }
        for place, step in enumerate(STEPS)
        for person in range(9)
        if person % (1 + place) == 0
    ]
    assert app.workspace.send({"events": events}).status_code == 202
    made = make_dashboard(app.workspace, name="Orders")
    for title, (kind, config) in CONFIGS.items():
        make_widget(app.workspace, made["id"], type=kind, title=title, config=config, layout={"w": 6, "h": 4})
    return app.workspace.get(f"/v1/dashboards/{made['id']}").json()


def card(page: Page, title: str) -> Locator:
    return page.get_by_role("main").get_by_role("region", name=title, exact=True)


def answer(app: App, board: Any, title: str) -> Any:
    [widget] = [each for each in board["widgets"] if each["title"] == title]
    with app.workspace.client() as client:
        return client.post(f"{app.workspace.url}/v1/widgets/{widget['id']}/data", json={}).json()


def said(page: Page) -> str:
    return page.get_by_role("status").last.inner_text()


def test_a_chart_is_named_and_its_points_are_said(app: App, board: Any) -> None:
    page = settled(app.opens("viewer", f"/d/{board['id']}"))
    chart = card(page, "Views").get_by_role("application", name="Views")
    chart.focus()
    chart.press("End")
    expect(page.get_by_role("status").last).not_to_be_empty()
    last = said(page)
    chart.press("ArrowLeft")
    expect(page.get_by_role("status").last).not_to_have_text(last)


def test_a_chart_as_a_table_has_the_numbers_of_the_api(app: App, board: Any) -> None:
    page = settled(app.opens("viewer", f"/d/{board['id']}"))
    views = card(page, "Views")
    views.get_by_role("button", name="Widget menu").click()
    page.get_by_role("menuitem", name="View as table").click()
    rows = views.get_by_role("row").all()[1:]
    found = [row.get_by_role("cell").last.inner_text() for row in rows]
    assert found == [str(point["value"]) for point in answer(app, board, "Views")["points"]]
    assert sum(map(int, found)) == 9


def test_a_funnel_has_the_numbers_of_the_api(app: App, board: Any) -> None:
    page = settled(app.opens("viewer", f"/d/{board['id']}"))
    steps = answer(app, board, "Way")["steps"]
    assert [step["event"] for step in steps] == STEPS
    for step in steps:
        item = card(page, "Way").get_by_role("listitem").filter(has_text=step["event"])
        expect(item).to_contain_text(str(step["count"]))
        expect(item).to_contain_text(f"{round(step['rate'] * 100, 1):g}")


def test_a_step_shows_who_is_behind_it(app: App, board: Any) -> None:
    page = settled(app.opens("viewer", f"/d/{board['id']}"))
    card(page, "Way").get_by_role("button", name=STEPS[2]).first.click()
    dialog = page.get_by_role("dialog")
    reached = answer(app, board, "Way")["steps"][2]["count"]
    expect(dialog).to_contain_text(f"{reached} actor")
    assert dialog.get_by_role("link").count() == reached


def test_an_annotation_made_by_keys_is_on_every_chart_over_time(app: App, board: Any) -> None:
    page = settled(app.opens("developer", f"/d/{board['id']}"))
    chart = card(page, "Views").get_by_role("application", name="Views")
    chart.focus()
    chart.press("End")
    chart.press("a")
    page.get_by_role("textbox", name="Label").fill("v4.2 released")
    page.keyboard.press("Enter")
    for title in ("Views", "By name"):
        expect(card(page, title).get_by_role("button", name="v4.2 released")).to_be_visible()
    [saved] = app.workspace.get("/v1/annotations", environment="production").json()["annotations"]
    assert saved["label"] == "v4.2 released"
