"""Legends of charts: the measure over the whole window as a counter shows it, or no number (rules/questions#total)."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from harness.browser.app import App, settled
from harness.builders.moments import ago
from harness.clients.dashboards import make_dashboard, make_widget

AVERAGE, BEFORE = 25, 4
MEASURES = {
    "avg": (f" {AVERAGE}", f" {BEFORE}"),
    "max": (" 31", f" {BEFORE}"),
    "uniq_actors": ("", ""),
    "p95": ("", ""),
}
"""What legends say behind the names of the two periods. A sum of the days would be another number, as would the last."""
NAMES = {"owner": "Previous period", "public": "Previous"}


@pytest.fixture(scope="module")
def board(shared_app: App) -> Any:
    """Charts of measures that do not add up, over three days of which the last has no number."""
    day = [(4, 20), (3, 24), (2, 31), (9, BEFORE)]
    events = [
        {"name": "paid", "_actor": "ann", "_timestamp": ago(days=days), "properties": {"price": price}}
        for days, price in day
    ]
    quiet = [{"name": "paid", "_actor": "ann"}]
    assert shared_app.workspace.send({"events": events + quiet}).status_code == 202
    made = make_dashboard(shared_app.workspace, name="Prices")
    for measure in MEASURES:
        config = {"event": "paid", "measure": measure, "overTime": True, "compare": "previous", "interval": "day"}
        of = {} if measure == "uniq_actors" else {"property": "price"}
        make_widget(shared_app.workspace, made["id"], type="metric", title=f"The {measure}", config=config | of)
    with shared_app.workspace.client() as client:
        answer = client.patch(f"/v1/dashboards/{made['id']}", json={"isPublic": True})
    return answer.json()


def legend(page: Page, measure: str) -> Locator:
    card = page.get_by_role("region", name=f"The {measure}", exact=True)
    return card.get_by_role("list", name="Legend").get_by_role("listitem")


@pytest.mark.parametrize("who", ["owner", "public"])
def test_a_legend_tells_the_measure_over_the_whole_window_or_nothing(looking: App, board: Any, who: str) -> None:
    path = f"/d/{board['id']}" if who == "owner" else f"/p/{board['slug']}"
    page = settled(looking.opens(who, path))
    for measure, (now, before) in MEASURES.items():
        words = [f"This period{now}", f"{NAMES[who]}{before}"]
        expect(legend(page, measure)).to_have_text(words, use_inner_text=True)
