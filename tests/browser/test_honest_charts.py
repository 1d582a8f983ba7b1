"""Charts that cannot mislead: axes, unfinished buckets, funnels whose time is not over, changes, goals and colors.

The rules: rules/questions#axes-and-unfinished-buckets, #time-left, #changes and #goals,
rules/statistics#unreported-counters and rules/boards#annotation.
"""

import re
import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from harness.browser.app import App, settled, use_theme
from harness.browser.behind import panel
from harness.builders.moments import ago
from harness.clients.dashboards import make_annotation, make_dashboard, make_widget

BOT, SILENT = "583807014896140293", "700000000000000042"
DAY_MS = 86_400_000
COLOR = "#4338ca"  # as a deploy script sends it: 2.3 : 1 on the dark card
WIDGETS: dict[str, tuple[str, dict[str, Any]]] = {
    "Line": ("metric", {"event": "visit", "measure": "count", "overTime": True, "interval": "day"}),
    "Bars": (
        "metric",
        {"event": "visit", "measure": "count", "overTime": True, "interval": "day", "display": {"chart": "bar"}},
    ),
    "Way": ("funnel", {"steps": [{"event": "visit"}, {"event": "order"}], "windowHours": 72}),
    "When": ("heatmap", {"event": "visit"}),
    "Visits": ("metric", {"event": "visit", "measure": "count", "display": {"goal": 10, "good": "up"}}),
    "Errors": ("metric", {"event": "visit", "measure": "count", "display": {"goal": 10, "good": "down"}}),
    "Refunds": (
        "metric",
        {"event": "refund", "measure": "sum", "property": "amount", "display": {"unit": "EUR", "good": "up"}},
    ),
    "Strip": ("kpi", {"items": [{"event": "visit", "measure": "count"}], "sparklines": True}),
}


def visits() -> list[dict[str, Any]]:
    """Two a day for six days, an hour before midnight, and three people who came a moment ago; only the oldest ordered."""
    midnight = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    events: list[dict[str, Any]] = [
        {
            "name": "visit",
            "_actor": f"old {day} {person}",
            "_timestamp": (midnight - timedelta(days=day, hours=1)).isoformat(),
        }
        for day in range(6)
        for person in range(2)
    ]
    events.append(
        {"name": "order", "_actor": "old 5 0", "_timestamp": (midnight - timedelta(days=5, minutes=30)).isoformat()}
    )
    events += [{"name": "visit", "_actor": f"new {person}"} for person in range(3)]
    events += [
        {"name": "refund", "_actor": "a", "_timestamp": ago(days=2), "properties": {"amount": -4}},
        {"name": "refund", "_actor": "a", "_timestamp": ago(days=9), "properties": {"amount": -7}},
        {"name": "visit", "_actor": "before", "_timestamp": ago(days=8)},
    ]
    return events


@pytest.fixture(scope="module")
def board(shared_app: App) -> Any:
    assert shared_app.workspace.send({"events": visits()}).status_code == 202
    board = make_dashboard(shared_app.workspace, name="Honest")
    for title, (kind, config) in WIDGETS.items():
        make_widget(shared_app.workspace, board["id"], type=kind, title=title, config=config, layout={"w": 6, "h": 4})
    make_annotation(shared_app.workspace, label="Release", time=ago(days=3), color=COLOR)
    with shared_app.workspace.client() as client:
        answer = client.patch(f"/v1/dashboards/{board['id']}", json={"isPublic": True})
    return answer.json()


@pytest.fixture(params=["owner", "public"])
def page(looking: App, board: Any, request: pytest.FixtureRequest) -> Page:
    """The board for a member and for a stranger."""
    path = f"/d/{board['id']}" if request.param == "owner" else f"/p/{board['slug']}"
    return settled(looking.opens(request.param, path))


def card(page: Page, title: str) -> Locator:
    return page.get_by_role("region", name=title, exact=True)


def points_of(line: Locator) -> list[tuple[float, float]]:
    """The points of a path, in pixels from the left and from above."""
    numbers = [float(text) for text in re.findall(r"[\d.]+", line.get_attribute("d") or "")]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def test_no_line_leads_to_the_day_that_is_not_over(page: Page) -> None:
    chart = card(page, "Line")
    ring = chart.locator("i[data-partial]").last
    expect(ring).to_be_visible()
    width = chart.get_by_role("application").bounding_box()
    assert width is not None
    points = points_of(chart.locator("path[data-line]").first)
    step = width["width"] / 7
    assert points[-1][0] == pytest.approx(width["width"] - step, abs=2)
    assert points[0][0] == pytest.approx(step, abs=2), "the day in which the range begins is cut, too"
    expect(chart.get_by_text("so far", exact=True)).to_be_visible()


def test_a_day_within_which_a_range_of_the_past_ends_is_partial(looking: App, board: Any) -> None:
    midnight = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    ends = [f"{midnight - timedelta(days=days, minutes=30):%Y-%m-%dT%H:%M:%SZ}" for days in (4, 0)]
    page = settled(looking.opens("owner", f"/d/{board['id']}?from={ends[0]}&to={ends[1]}"))
    chart = card(page, "Line")
    expect(chart.locator("i[data-partial]").last).to_be_visible()
    expect(chart.get_by_text("so far", exact=True)).to_have_count(0)
    chart.get_by_role("application").focus()
    page.keyboard.press("End")
    expect(page.locator("#announcements")).to_have_text(re.compile(r", partial: \S+ 2$"))


def test_a_column_of_the_day_that_is_not_over_is_an_outline(page: Page) -> None:
    partial = card(page, "Bars").locator("path[data-bars][data-partial]")
    expect(partial).to_have_css("fill-opacity", "0.2")
    expect(partial).to_have_css("stroke-dasharray", re.compile("3px"))


def test_a_sparkline_sets_the_day_that_is_not_over_apart(page: Page) -> None:
    expect(card(page, "Strip").locator("i[data-partial]").last).to_be_visible()


def test_who_came_a_moment_ago_still_has_time(page: Page) -> None:
    way = card(page, "Way")
    expect(way).to_contain_text(re.compile(r"−\d[\d.]*\s%· \d+ stopped· \d+ still have time"))
    [stopped, waiting] = [int(number) for number in re.findall(r"(\d+) (?:stopped|still)", way.inner_text())]
    assert waiting >= 3
    assert stopped + waiting == 15 - 1
    ask = way.get_by_role("button", name=f"{waiting} still have time after visit")
    if ask.count():
        ask.click()
        expect(panel(page)).to_contain_text("still have time after visit")
        expect(panel(page)).to_contain_text(f"{waiting} actors")
        expect(panel(page)).to_contain_text("new 0")
        page.keyboard.press("Escape")


def test_a_change_below_zero_is_a_difference(page: Page) -> None:
    refunds = card(page, "Refunds")
    expect(refunds).to_contain_text(re.compile(r"\+3\s?EUR"))
    expect(refunds).to_contain_text("from −7")
    expect(refunds).not_to_contain_text("%")


def test_a_change_above_three_times_is_a_factor(page: Page) -> None:
    expect(card(page, "Visits")).to_contain_text(re.compile(r"up 15\s?× ?from 1"))


def test_a_goal_is_a_bar_with_a_sign(page: Page) -> None:
    for title, words, state in (
        ("Visits", "Goal met: 15 of 10", "met"),
        ("Errors", "Over the goal: 15 of 10", "missed"),
    ):
        goal = card(page, title).locator(f'[data-state="{state}"]')
        expect(goal).to_have_text(words)
        expect(goal.locator("svg")).to_be_visible()


def test_hours_outside_of_the_range_are_not_painted(looking: App, board: Any) -> None:
    page = settled(looking.opens("owner", f"/d/{board['id']}?range=24h"))
    cells = card(page, "When").get_by_role("application").locator("i")
    expect(cells).to_have_count(7 * 24)
    assert cells.locator("xpath=self::*[not(@data-outside)]").count() in {24, 25}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_color_of_an_annotation_stands_out(looking: App, board: Any, theme: str) -> None:
    page = settled(looking.opens("owner", f"/d/{board['id']}"))
    use_theme(page, theme)
    diamond = card(page, "Line").get_by_role("button", name="Release").locator("i")
    color, ground = diamond.evaluate(
        """each => [getComputedStyle(each).backgroundColor, getComputedStyle(each.closest('section')).backgroundColor]"""
    )
    assert contrast(color, ground) >= 3


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(color: str) -> float:
    channels = [int(text) / 255 for text in re.findall(r"\d+", color)[:3]]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in channels]
    return sum(weight * channel for weight, channel in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.fixture(scope="module")
def bots(shared_app: App) -> None:
    """One bot with ten days of servers and nothing else, and one that was never fed."""
    now_ms = int(time.time() * 1000)
    token, _ = shared_app.workspace.make_stats_token("write")
    with shared_app.workspace.client(token) as client:
        for bot, name in ((BOT, "Encore"), (SILENT, "Quiet")):
            assert client.put(f"/chat/bots/{bot}", json={"name": name}).is_success
        for day in range(10):
            body = {"server_count": 100 + day, "timestamp": now_ms - (9 - day) * DAY_MS}
            assert client.post(f"/chat/bots/{BOT}/stats", json=body).is_success


def test_the_axis_of_a_bot_is_its_time_frame(looking: App, bots: None) -> None:
    page = settled(looking.opens("owner", f"/bots/{BOT}?timeFrame=90d&metric=server_count"))
    chart = page.get_by_role("region", name="History")
    box = chart.get_by_role("application").bounding_box()
    assert box is not None
    points = points_of(chart.locator("path[data-line]").first)
    assert points[0][0] == pytest.approx(box["width"] * 80 / 89, abs=3)
    assert points[-1][0] == pytest.approx(box["width"], abs=1)


def test_a_counter_that_was_never_sent_is_not_reported(looking: App, bots: None) -> None:
    page = settled(looking.opens("owner", f"/bots/{BOT}"))
    main = page.get_by_role("main")
    expect(main.locator("dl > div").filter(has_text="Monthly votes").last).to_contain_text("not reported")
    expect(main.locator("dl > div").filter(has_text="Rating")).to_contain_text("not reported")
    expect(main.locator("dl > div").filter(has_text="Servers").last).to_contain_text("109")
    page = settled(looking.opens("owner", f"/bots/compare?ids={BOT},{SILENT}"))
    table = page.get_by_role("table", name="Comparison")
    expect(table.get_by_role("row", name="Servers")).to_contain_text("not reported")
    expect(table.get_by_role("row", name="Shards")).to_have_count(0)
