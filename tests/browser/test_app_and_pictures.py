"""What Chromium draws: random answers on a public page, and as pictures, in the same colors and words.

The rule is rules/questions#in-the-app-and-in-pictures; tests/dashboards/test_picture_beside_app.py compares more answers.
"""

import json
from typing import Any

import msgspec
import pytest
from msgspec import structs
from playwright.sync_api import Page, Route, expect

from harness.browser.app import App, settled
from harness.builders.random_answers import RandomCard, random_card
from harness.clients.dashboards import make_dashboard
from harness.oracles.app_content import parse_html, read_big_numbers, read_funnel_bars, read_rank_bars, read_time_chart
from harness.oracles.chart_differences import compare_numbers, compare_over_time, compare_rows, compare_steps
from harness.oracles.kinds import kind_with
from harness.oracles.picture_content import (
    is_without_data,
    read_bars_picture,
    read_funnel_picture,
    read_numbers_picture,
    read_time_picture,
)
from harness.suite.few import few
from tallyroom.dashboards.picture import build_picture_job
from tallyroom.images.charts.diagrams import Diagram, draw_diagram
from tallyroom.images.charts.drawing import Drawing, Text
from tallyroom.images.charts.svg import to_svg
from tallyroom.images.messages import PictureFormat
from tallyroom.queries.metric_answers import Categorical, Multiseries, Timeseries

CARDS = range(6_000, 6_030)
WIDTH = 2_000

READ_HTML = 'region => new XMLSerializer().serializeToString(region).replaceAll(/ xmlns="[^"]*"/g, \'\')'
SERIES_COLORS = """root => {
    const marks = root.querySelectorAll('path[data-line], path[data-layer], path[data-bars], i[data-partial]');
    const isDrawn = mark => mark.tagName === 'I' || mark.getAttribute('d');
    return [...marks].filter(isDrawn).map(mark => getComputedStyle(mark).color);
}"""
PICTURE_COLORS = """root => [...root.querySelectorAll('path, circle')].flatMap(mark => {
    if (!/^[sp](\\d|rest)$/.test(mark.getAttribute('class') ?? '')) return [];
    const { stroke, fill } = getComputedStyle(mark);
    return [stroke === 'none' ? fill : stroke];
})"""


@pytest.fixture(scope="module")
def board(shared_app: App) -> Any:
    return make_dashboard(shared_app.workspace, name="Pictures", isPublic=True)


def open_card(app: App, board: Any, card: RandomCard) -> Page:
    """Open a public page on which the only card has this answer."""
    page = app.blank("public")
    widget = json.loads(msgspec.json.encode(card.public_widget))
    result = widget.pop("result") | {"computedAt": "2026-11-20T12:00:00.000Z"}
    dashboard = {"name": "Pictures", "description": None, "icon": None, "timeRange": "30d", "timezone": card.timezone}

    def answer(route: Route) -> None:
        is_data = route.request.url.endswith("/data")
        route.fulfill(json=result if is_data else {"dashboard": dashboard, "widgets": [widget]})

    page.route("**/v1/public/dashboards/**", answer)
    page.goto(f"{app.workspace.url}/p/{board['slug']}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    return settled(page)


def build_diagram(card: RandomCard) -> Diagram:
    job = build_picture_job(
        kind_with(card.result),
        card.public_result,
        title="",
        timezone=card.timezone,
        display=card.display,
        format=PictureFormat.SVG,
        width=WIDTH,
    )
    assert job is not None
    return job.diagram


def list_differences(card: RandomCard, drawing: Drawing, html: str) -> list[str]:
    shown = parse_html(html)
    match card.result:
        case Timeseries() | Multiseries():
            return [*compare_over_time(card, read_time_picture(drawing), read_time_chart(shown))]
        case Categorical():
            return [*compare_rows(read_bars_picture(drawing), read_rank_bars(shown))]
        case _ if card.type == "funnel":
            return [*compare_steps(read_funnel_picture(drawing), read_funnel_bars(shown))]
        case _:
            return [*compare_numbers(read_numbers_picture(drawing), read_big_numbers(shown))]


@few(6, "number", CARDS)
def test_the_page_and_the_picture_are_alike(looking: App, board: Any, sheet: Page, number: int) -> None:
    card = random_card(number)
    region = open_card(looking, board, card).get_by_role("region", name="Visits")
    diagram = build_diagram(card)
    drawing = draw_diagram(diagram)
    if is_without_data(drawing):
        expect(region).to_contain_text("No data")
        return
    assert list_differences(card, drawing, region.evaluate(READ_HTML)) == []
    sheet.evaluate("svg => { document.body.innerHTML = svg }", to_svg(drawing, structs.replace(diagram, theme="light")))
    picture = sheet.locator("svg")
    if isinstance(card.result, Timeseries | Multiseries):
        assert set(region.evaluate(SERIES_COLORS)) == set(picture.evaluate(PICTURE_COLORS))
    words = [mark.text for mark in drawing.marks if isinstance(mark, Text)]
    assert picture.locator("text").all_text_contents() == words
