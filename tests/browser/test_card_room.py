"""A card has room for what it shows, or says how much more there is (rules/boards#cards)."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from harness.browser.app import DESK, App, axe, settled
from harness.clients.dashboards import CONFIGS, make_dashboard, make_widget

WIDTHS = (1440, 1024, 768, 390)
EVENTS = [
    {"name": name, "_actor": f"actor {n}", "properties": {"plan": f"plan {n % 8}", "n": n}}
    for n in range(24)
    for name in ("x", "y", "z")[: 3 - n % 3]
]
NUMBERS = [{"event": name, "measure": "count", "label": f"Number {name}"} for name in ("x", "y", "z", "x", "y")]
NOTICE = "Some events cannot be read."
CARDS: dict[str, tuple[str, dict[str, Any]]] = {
    "Six": ("kpi", {"items": [*NUMBERS, NUMBERS[0]], "sparklines": True}),
    "Six and a notice": ("kpi", {"items": [*NUMBERS, NUMBERS[1]], "sparklines": True}),
    "Plans": ("metric", {"event": "x", "measure": "count", "breakdown": "plan", "limit": 20}),
    "Way": ("funnel", {"steps": [{"event": name} for name in ("x", "y", "z", "x", "y")], "times": True}),
    "Rows": ("table", {"columns": ["time", "event", "actor", "source", "prop:plan", "prop:n"], "rows": 50}),
    "Words": ("note", {"text": "\n\n".join(f"Paragraph {n} of a note." for n in range(9))}),
    "Back": ("retention", {"cohortEvent": "x", "granularity": "day", "periods": 12}),
    "When": ("heatmap", {"event": "x"}),
    "Spread": ("histogram", CONFIGS["histogram"] | {"percentiles": True}),
    "Course": ("metric", {"event": "x", "measure": "count", "overTime": True}),
}
OUTSIDE = """card => {
    const edge = card.getBoundingClientRect()
    const scrolls = node => node !== card && (/auto|scroll|clip/.test(getComputedStyle(node).overflow) || scrolls(node.parentElement))
    return [...card.querySelectorAll('li, tr, p, button, b, [role=img], [role=application]')]
        .filter(node => node.getClientRects().length && !scrolls(node.parentElement))
        .filter(node => { const {left, right, top, bottom} = node.getBoundingClientRect()
            return right - left > 1 && (left < edge.left || right > edge.right || top < edge.top || bottom > edge.bottom) })
        .map(node => node.textContent)
}"""
"""What stands outside of a card, though it cannot be scrolled to."""


@pytest.fixture(scope="module")
def board(shared_app: App) -> dict[str, Any]:
    """Cards of every kind, saved lower than their kinds need: the API accepts any height."""
    workspace = shared_app.workspace
    assert workspace.send({"events": EVENTS}).status_code == 202
    board: dict[str, Any] = make_dashboard(workspace, name="Tight", timeRange="24h", isPublic=True)
    for title, (kind, config) in CARDS.items():
        layout = {"w": 12, "h": 2} if kind == "kpi" else {"w": 4, "h": 1}
        made = make_widget(workspace, board["id"], type=kind, title=title, config=config, layout=layout)
        assert made["layout"] == layout
    return board


def opened(looking: App, board: dict[str, Any], who: str, size: tuple[int, int]) -> Page:
    path = f"/d/{board['id']}" if who == "owner" else f"/p/{board['slug']}"
    return settled(looking.opens(who, path, size=size))


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_stands_outside_its_card(looking: App, board: dict[str, Any], width: int) -> None:
    page = opened(looking, board, "owner", (width, 900))
    for title in CARDS:
        card = page.get_by_role("region", name=title, exact=True)
        assert card.evaluate(OUTSIDE) == [], title


@pytest.mark.parametrize("width", WIDTHS)
def test_every_number_of_a_strip_has_its_course(looking: App, board: dict[str, Any], width: int) -> None:
    page = opened(looking, board, "owner", (width, 900))
    for cell in page.get_by_role("region", name="Six", exact=True).get_by_role("listitem").all():
        course = cell.locator("svg").bounding_box()
        assert course is not None
        assert course["height"] >= 10
        assert course["width"] >= 60


@pytest.mark.parametrize("width", WIDTHS)
def test_a_notice_stands_below_the_numbers_and_within_the_card(looking: App, board: dict[str, Any], width: int) -> None:
    def warn(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(
            response=answer, json=answer.json() | {"notices": [{"code": "incomplete_data", "message": NOTICE}]}
        )

    page = looking.blank("owner", size=(width, 900))
    page.route("**/v1/widgets/*/data", warn)
    page.goto(f"{looking.workspace.url}/d/{board['id']}")
    card = settled(page).get_by_role("region", name="Six and a notice", exact=True)
    notice, frame = card.get_by_text(NOTICE).bounding_box(), card.bounding_box()
    assert notice is not None
    assert frame is not None
    assert notice["y"] + notice["height"] < frame["y"] + frame["height"]
    for cell in card.get_by_role("listitem").all():
        change = cell.locator(":scope > :first-child > :last-child").bounding_box()
        assert change is not None
        assert change["y"] + change["height"] <= notice["y"] + 1


@pytest.mark.parametrize("who", ["owner", "public"])
def test_what_is_below_the_edge_is_counted_until_it_is_in_sight(looking: App, board: dict[str, Any], who: str) -> None:
    page = opened(looking, board, who, DESK)
    for title, sign in {"Plans": "more rows?$", "Way": "more steps?$"}.items():
        card = page.get_by_role("region", name=title, exact=True)
        expect(card.get_by_text(re.compile(rf"^\d+ {sign}"))).to_be_visible()
        card.get_by_role("listitem").last.scroll_into_view_if_needed()
        expect(card.get_by_text(re.compile(sign))).to_have_count(0)
    assert axe(page, "main") == []


def test_it_can_be_scrolled_by_keys(looking: App, board: dict[str, Any]) -> None:
    page = opened(looking, board, "public", DESK)
    card = page.get_by_role("region", name="Plans", exact=True)
    card.get_by_role("group", name="Plans").focus()
    page.keyboard.press("End")
    expect(card.get_by_text(re.compile("more row"))).to_have_count(0)


def test_columns_beyond_the_edge_are_counted(looking: App, board: dict[str, Any]) -> None:
    page = opened(looking, board, "owner", (1024, 900))
    card = page.get_by_role("region", name="Rows", exact=True)
    expect(card.get_by_text(re.compile(r"\d+ more columns?$"))).to_be_visible()
