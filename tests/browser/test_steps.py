"""How few steps lead from nothing to a dashboard of three cards (rules/boards#suggested-cards), a filter and an alert.

Before the panel, the suggested cards and the questions in a line, the same took 27 steps by mouse, 162 by keys
and 29 by thumb.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Browser, Page, expect

from harness.browser.app import PHONE, App, settled
from harness.browser.behind import panel
from harness.browser.hands import Hands, hour_of_chart
from harness.builders.alert_messages import make_channel
from harness.builders.spike import SPIKE_COUNT, hours_since_spike, send_spike
from harness.clients.dashboards import widgets_of
from harness.suite.patience import wait_until

CARDS = {"track.error", "Unique actors of all events", "track.error by code"}
EVENTS = ["track.error", "track.play"]
REASON = "shard is shard-2"


@pytest.fixture
def page(app: App) -> Page:
    """The list of dashboards, where there is none."""
    prepare(app)
    return settled(app.opens("owner", "/dashboards"))


@pytest.fixture
def phone(browser: Browser, app: App) -> Iterator[Page]:
    """The same on the phone of the owner."""
    prepare(app)
    with browser.new_context(
        viewport={"width": PHONE[0], "height": PHONE[1]}, has_touch=True, is_mobile=True
    ) as context:
        name, token = app.workspace.cookie, app.workspace.session_token
        context.add_cookies([{"name": name, "value": token, "url": app.workspace.url}])
        opened = context.new_page()
        opened.goto(f"{app.workspace.url}/dashboards")
        yield opened


def prepare(app: App) -> None:
    send_spike(app.workspace)
    make_channel(app.workspace)
    wait_until(lambda: len(app.workspace.get("/v1/schema?environment=production").json()["events"]) == len(EVENTS))


def check_result(app: App, page: Page) -> None:
    """The alert watches what the panel showed, and the board has its cards."""
    expect(page.get_by_role("list", name="Rules")).to_contain_text("track.error")
    [alert] = app.workspace.get("/v1/alerts").json()["alerts"]
    assert [(each["key"], each["value"]) for each in alert["filters"]] == [("shard", "shard-2")]
    [board] = app.workspace.get("/v1/dashboards").json()["dashboards"]
    assert {widget["title"] for widget in widgets_of(app.workspace, board["id"])} == CARDS


def begin_by_suggestions(page: Page, hands: Hands) -> None:
    hands.press(page.get_by_role("button", name="New dashboard"))
    hands.press(page.get_by_role("menuitem", name="Blank"))
    for words in ("track.error over time", "Unique actors of all events", "track.error by code"):
        hands.press(page.get_by_role("button", name=words, exact=True))
    hands.press(page.get_by_role("button", name="Done"))


def expect_suggested_limit(page: Page) -> None:
    """The alert is filled in, also with the limit that follows from its past."""
    expect(page.get_by_role("textbox", name="Threshold")).not_to_have_value("")


def end_in_panel(page: Page, hands: Hands) -> None:
    hands.press(panel(page).get_by_role("link", name=REASON))
    expect(page.get_by_role("group", name=REASON)).to_be_visible()
    hands.press(panel(page).get_by_role("link", name="Create alert"))
    expect_suggested_limit(page)
    hands.press(page.get_by_role("button", name="Save", exact=True))


def test_by_mouse(app: App, page: Page) -> None:
    hands = Hands(page)
    begin_by_suggestions(page, hands)
    hands.press(page.get_by_text("24h", exact=True))
    chart = page.get_by_role("application", name="track.error")
    hands.press(settled(page).get_by_role("application", name="track.error"), hour_of_chart(chart, hours_since_spike()))
    end_in_panel(page, hands)
    check_result(app, page)
    assert hands.steps <= 11


def test_by_thumb(app: App, phone: Page) -> None:
    hands = Hands(phone, is_thumb=True)
    begin_by_suggestions(phone, hands)
    hands.press(phone.get_by_role("button", name="More time ranges"))
    hands.press(phone.get_by_role("button", name="24 hours", exact=True))
    chart = phone.get_by_role("application", name="track.error")
    yesterday = datetime.now(UTC) - timedelta(days=1)
    expect(phone.get_by_role("region", name="track.error", exact=True)).to_contain_text(f"From {yesterday:%a} ")
    hands.press(chart, hour_of_chart(chart, hours_since_spike()))
    expect(chart).to_contain_text(str(SPIKE_COUNT))
    hands.press(chart, hour_of_chart(chart, hours_since_spike()))
    end_in_panel(phone, hands)
    check_result(app, phone)
    assert hands.steps <= 13


def test_by_keys(app: App, page: Page) -> None:
    hands = Hands(page)
    asked: list[tuple[str, str]] = [
        ("unique actors last 24 hours", "Pin to a new dashboard"),
        ("track.error by code", "Pin to Unique actors of all events"),
        ("track.error over time", "Pin to Unique actors of all events"),
    ]
    for line, choice in asked:
        hands.key("Control+k")
        expect(page.get_by_role("combobox", name="ask a question")).to_be_focused()
        hands.write(line)
        expect(page.get_by_role("option", name=choice, exact=True)).to_have_attribute("aria-selected", "true")
        hands.key("Enter")
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.get_by_role("main").get_by_role("region")).to_have_count(asked.index((line, choice)) + 1)
        expect(page.get_by_role("main").get_by_role("region").last).to_be_focused()
    chart = settled(page).get_by_role("application", name="track.error")
    hands.tab_to(chart)
    hands.key("End", *["ArrowLeft"] * hours_since_spike(), "Enter")
    hands.tab_to(panel(page).get_by_role("link", name=REASON))
    hands.key("Enter")
    expect(page.get_by_role("group", name=REASON)).to_be_visible()
    hands.tab_to(panel(page).get_by_role("link", name="Create alert"))
    hands.key("Enter")
    expect_suggested_limit(page)
    hands.tab_to(page.get_by_role("button", name="Save", exact=True))
    hands.key("Enter")
    check_result(app, page)
    assert hands.steps <= 46
