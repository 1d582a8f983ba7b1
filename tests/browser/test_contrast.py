"""Every word on a chart can be read: its contrast is computed from what is drawn below it (WCAG 2.2, 1.4.3).

Axe leaves words above shapes and shades undecided.
"""

from typing import Any

import pytest

from harness.browser.app import App, settled, use_theme
from harness.browser.contrast import measure_contrast
from harness.clients.dashboards import make_dashboard, make_widget

STEPS = ["page.viewed", "cart.filled", "order.placed"]
WIDGETS: dict[str, Any] = {
    "metric": {"event": STEPS[0], "measure": "count", "overTime": True, "breakdown": "plan"},
    "kpi": {"items": [{"label": step, "event": step, "measure": "count"} for step in STEPS]},
    "formula": {"a": {"event": STEPS[2], "measure": "count"}, "expression": "a * 100", "overTime": False},
    "funnel": {"steps": [{"event": step} for step in STEPS]},
    "retention": {"cohortEvent": STEPS[0], "granularity": "day"},
    "histogram": {"event": STEPS[0], "property": "total"},
    "heatmap": {"event": STEPS[0]},
    "table": {"event": STEPS[0], "columns": ["time", "event", "actor", "source"]},
    "note": {"text": "# Orders\n\nCounted since *March*, `n` by [the shop](https://example.com)."},
}


@pytest.fixture(scope="module")
def board(shared_app: App) -> Any:
    """Every kind of widget, with something in each."""
    events = [
        {
            "name": step,
            "_actor": f"actor {person}",
            "properties": {"total": person * 7, "plan": ["pro", "free", "team"][person % 3]},
        }
        for at, step in enumerate(STEPS)
        for person in range(12)
        if person % (at + 1) == 0
    ]
    assert shared_app.workspace.send({"events": events}).status_code == 202
    made = make_dashboard(shared_app.workspace, name="Orders")
    for kind, config in WIDGETS.items():
        make_widget(shared_app.workspace, made["id"], type=kind, title=kind, config=config, layout={"w": 6, "h": 4})
    return made


def test_every_word_on_a_dashboard_can_be_read_and_a_pale_one_would_be_found(looking: App, board: Any) -> None:
    page = settled(looking.opens("owner", f"/d/{board['id']}"))
    for theme in ("dark", "light"):
        use_theme(page, theme)
        found = measure_contrast(page, "main")
        assert len(found) > 100
        assert [each for each in found if each["ratio"] < each["need"] - 0.005] == [], theme
    page.evaluate("document.querySelector('main h2').style.setProperty('color', '#aaaaaa')")
    found = measure_contrast(page, "main")
    assert [each["text"] for each in found if each["ratio"] < each["need"]] == ["metric"]
