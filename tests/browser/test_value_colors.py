"""A color belongs to a value: in every range, in legend, tooltip and picture, and on the public page.

The rules: rules/pictures#color-of-a-value, rules/questions#folded-series.
"""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from harness.browser.app import App, settled
from harness.builders.moments import ago
from harness.clients.dashboards import make_dashboard, make_widget, widgets_of
from tallyroom.core.value_colors import assign_colors
from tallyroom.images.charts.colors import THEMES

AIRPORTS = ["EWR", "JFK", "LGA"]
DAYS_BY_RANGE = {"24h": 0.5, "7d": 4, "30d": 20}
GATES = [f"gate {number:02}" for number in range(12)]
BY_AIRPORT = {"event": "departed", "measure": "count", "breakdown": "origin", "overTime": True}
BY_GATE = {"event": "boarded", "measure": "count", "breakdown": "gate", "overTime": True, "limit": 50}

COLORS = """entries => Object.fromEntries(entries.map(entry => {
    const mark = entry.querySelector('i, path');
    const style = getComputedStyle(mark);
    return [entry.querySelector('em, span').textContent, mark.tagName === 'I' ? style.color : style.stroke];
}))"""


def fill(app: App) -> None:
    """Send departures of which another airport has most in each range, and gates with 1 to 12 events."""
    departures = [
        {"name": "departed", "_timestamp": ago(days=days), "properties": {"origin": airport}}
        for rank, days in enumerate(DAYS_BY_RANGE.values())
        for place, airport in enumerate(AIRPORTS[rank:] + AIRPORTS[:rank])
        for _ in range(4**rank * (3 - place))
    ]
    boardings = [
        {"name": "boarded", "properties": {"gate": gate}} for number, gate in enumerate(GATES, 1) for _ in range(number)
    ]
    assert app.workspace.send({"events": departures + boardings}).status_code == 202


@pytest.fixture(scope="module")
def board(shared_app: App) -> Any:
    fill(shared_app)
    made = make_dashboard(shared_app.workspace, name="Flights", isPublic=True, timeRange="30d")
    for title, config in {"Airports": BY_AIRPORT, "Gates": BY_GATE}.items():
        make_widget(shared_app.workspace, made["id"], type="metric", title=title, config=config)
    return made


def card(page: Page, title: str) -> Locator:
    return page.get_by_role("main").get_by_role("region", name=title, exact=True)


def legend(page: Page, title: str) -> dict[str, str]:
    entries = card(page, title).get_by_role("list", name="Legend").get_by_role("listitem")
    expect(entries.first).to_be_visible()
    return dict(entries.evaluate_all(COLORS))


def css(color: str) -> str:
    return "rgb({}, {}, {})".format(*bytes.fromhex(color.removeprefix("#")))


def expected_colors(labels: list[str], chosen: dict[str, int] | None = None) -> dict[str, str]:
    colors = assign_colors(labels, chosen or {})
    return {label: css(THEMES["light"].series[color - 1]) for label, color in colors.items()}


@pytest.mark.parametrize("time_range", DAYS_BY_RANGE)
def test_an_airport_has_its_color_in_every_range(looking: App, board: Any, time_range: str) -> None:
    page = settled(looking.opens("owner", f"/d/{board['id']}?range={time_range}"))
    assert legend(page, "Airports") == expected_colors(AIRPORTS)


def test_the_tooltip_and_the_line_have_the_color_of_the_legend(looking: App, board: Any) -> None:
    page = settled(looking.opens("owner", f"/d/{board['id']}"))
    chart = card(page, "Airports").get_by_role("application")
    chart.focus()
    chart.press("End")
    rows = chart.locator("div[aria-hidden=true] > div:has(> i)")
    expect(rows).to_have_count(3)
    assert rows.evaluate_all(COLORS) == expected_colors(AIRPORTS)
    strokes = (
        card(page, "Airports")
        .locator("path[data-line]")
        .evaluate_all("all => all.map(e => getComputedStyle(e).stroke)")
    )
    assert set(strokes) == set(expected_colors(AIRPORTS).values())


def test_the_ninth_value_and_all_further_ones_are_gray(looking: App, board: Any) -> None:
    rest = {"(other)": css(THEMES["light"].rest)}
    for who, path in (("owner", f"/d/{board['id']}"), ("public", f"/p/{board['slug']}")):
        page = settled(looking.opens(who, path))
        assert legend(page, "Gates") == expected_colors(GATES[4:]) | rest


def test_the_public_page_and_the_picture_have_the_colors_of_the_card(looking: App, board: Any) -> None:
    page = settled(looking.opens("public", f"/p/{board['slug']}"))
    assert legend(page, "Airports") == expected_colors(AIRPORTS)
    [airports, _] = widgets_of(looking.workspace, board["id"])
    picture = page.request.get(f"{looking.workspace.url}/custom/widgets/{board['slug']}/{airports['id']}.svg").text()
    swatches = re.findall(r'<rect class="p(\d)"[^>]*/><text[^>]*>(\w+)</text>', picture)
    assert {label: css(THEMES["light"].series[int(index)]) for index, label in swatches} == expected_colors(AIRPORTS)


def test_a_saved_card_keeps_the_colors_of_its_preview(app: App) -> None:
    fill(app)
    board = make_dashboard(app.workspace, name="Flights", timeRange="30d")
    widget = make_widget(app.workspace, board["id"], type="metric", title="Airports", config=BY_AIRPORT)
    page = settled(app.opens("developer", f"/d/{board['id']}/w/{widget['id']}"))
    expect(card(page, "Airports").get_by_role("list", name="Legend").get_by_role("listitem")).to_have_count(3)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(card(page, "Airports")).to_be_focused()
    [saved] = widgets_of(app.workspace, board["id"])
    assert saved["config"]["display"]["colors"] == assign_colors(AIRPORTS, {})
    earlier = [{"name": "departed", "properties": {"origin": origin}} for origin in ("ATL", "BOS", "CLT")]
    assert app.workspace.send({"events": earlier}).status_code == 202
    page.reload()
    shown = legend(settled(page), "Airports")
    assert len(shown) == 6
    assert shown.items() >= expected_colors(AIRPORTS).items()
