"""Labels of any text behind a number: their events are those of the number (rules/boards#behind-a-number)."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from harness.browser.app import App, settled
from harness.browser.behind import panel, spot_path
from harness.clients.dashboards import make_dashboard, make_widget

LABELS = [
    "pro, plus",
    'say "hi"',
    "a:b|c%25",
    "مجاني",
    "(empty)",
    "",
    " ",
    "123",
    "007",
    "true",
    "any|x",
    "x" * 200,
    "<b>bold</b>",
]
"""Each comes once more often than the one before."""
EVENT = 'order: "placed"'


@pytest.fixture(scope="module")
def board(shared_app: App) -> Any:
    workspace = shared_app.workspace
    events = [
        {"name": EVENT, "_actor": f"a{at}", "properties": {"plan": label, "code": 404 if at else "404"}}
        for count, label in enumerate(LABELS, start=1)
        for at in range(count)
    ]
    assert workspace.send({"events": events}).status_code == 202
    made = make_dashboard(workspace, name="Labels", timeRange="24h")
    asked: Any = {"event": EVENT, "measure": "count", "limit": 50}
    for title, key in (("Plans", "plan"), ("Codes", "code")):
        make_widget(workspace, made["id"], type="metric", title=title, config=asked | {"breakdown": key})
    with workspace.client() as client:
        return client.get(f"/v1/dashboards/{made['id']}").json()


@pytest.mark.long
@pytest.mark.parametrize("label", LABELS)
def test_the_events_of_a_label_are_those_of_its_number(looking: App, board: Any, label: str) -> None:
    count = LABELS.index(label) + 1
    page = settled(looking.opens("developer", spot_path(board, "Plans", {"label": label})))
    expect(panel(page).locator("[data-value]")).to_have_text(str(count))
    expect(panel(page).get_by_role("list", name="Who is behind").get_by_role("link")).to_have_count(count)
    panel(page).get_by_role("link", name="Show events").click()
    expect(page.get_by_role("row")).to_have_count(1 + count)


@pytest.mark.long
def test_a_number_and_the_same_text_are_one_label(looking: App, board: Any) -> None:
    page = settled(looking.opens("developer", spot_path(board, "Codes", {"label": "404"})))
    total = sum(range(1, len(LABELS) + 1))
    expect(panel(page).locator("[data-value]")).to_have_text(str(total))
    link = panel(page).get_by_role("link", name="Show events")
    assert parse_qs(urlsplit(link.get_attribute("href") or "").query)["f"] == ['code:eq:"404"']
    link.click()
    expect(page.get_by_text(f"{total} events")).to_be_visible()
