"""Nothing moves while a page loads, however late its answers are (rules/boards#nothing-moves)."""

from typing import Any

import pytest

from harness.browser.app import OF_NOBODY, App, address, paths_of_the_map, settled
from harness.browser.layout_shift import layout_shifts
from harness.browser.slow_answers import slow_down
from harness.builders.ranked_bots import USER, ranked_bots
from harness.builders.uneven_workspace import WIDGETS, fill
from harness.clients.dashboards import make_dashboard, make_digest, make_widget

LIMIT = 0.02
WIDTHS = {1440: 900, 1024: 768, 768: 1024, 390: 844}
"""Widths of windows, and their heights, in px."""
DEFAULT_WIDTHS = {1440, 390}
PUBLIC_PAGES = ["/p/$slug", "/p/$slug?embed=1"]
VIEWS = [
    "/d/$id?edit=1",
    "/d/$id/w/new",
    "/alerts?tab=rules",
    "/alerts?tab=channels",
    "/events?sel=$eventId",
    "/d/$id?who=$widgetId",
    "/bots/compare?ids=$botIds",
]
"""Pages that the address of another route opens."""
PLACES = [
    pytest.param(path, width, id=f"{path} {width}", marks=[] if width in DEFAULT_WIDTHS else pytest.mark.long)
    for path in [*paths_of_the_map(), *VIEWS, *PUBLIC_PAGES]
    for width in WIDTHS
]
SIZES = {"kpi": (12, 2), "note": (4, 4), "external": (3, 2), "table": (12, 4)}
"""Columns and rows of the cards of a kind; those of the others are the usual ones."""


@pytest.fixture(scope="module")
def names(shared_app: App) -> dict[str, str]:
    """Something for each name in a path: a workspace in which every page has much to show."""
    workspace = shared_app.workspace
    made = fill(workspace, "https://api.invalid/tickets")
    board = make_dashboard(workspace, name="Shop in numbers", timeRange="30d", isPublic=True, description="One shop")
    widgets = [
        make_widget(workspace, board["id"], type=kind, title=title, config=config, layout=layout_of(kind))
        for title, (kind, config) in WIDGETS.items()
    ]
    make_digest(workspace, made.board["id"])
    bots = ranked_bots(workspace, 25)
    event = made.ask("/v1/events", timeRange="90d")["events"][0]
    return {
        "$id": board["id"],
        "$slug": board["slug"],
        "$widgetId": widgets[0]["id"],
        "$alertId": made.alert["id"],
        "$eventId": event["id"],
        "$actorKey": "ana",
        "$groupKey": "amber",
        "$botId": bots[0],
        "$botIds": ",".join(bots[:3]),
        "$userId": USER,
    }


def layout_of(kind: str) -> dict[str, Any]:
    columns, rows = SIZES.get(kind, (6, 4))
    return {"w": columns, "h": rows}


@pytest.mark.parametrize(("path", "width"), PLACES)
def test_nothing_moves(looking: App, names: dict[str, str], path: str, width: int) -> None:
    who = "public" if path in OF_NOBODY or path in PUBLIC_PAGES else "owner"
    theme = "dark" if len(path) % 2 else "light"  # which cannot move anything
    page = looking.blank(who, size=(width, WIDTHS[width]), theme=theme, refused=[502, 503])
    slow_down(page, f"{path} {width}")
    page.goto(looking.workspace.url + address(path, names))
    shifts = layout_shifts(settled(page))
    assert sum(shift.score for shift in shifts) <= LIMIT, shifts
