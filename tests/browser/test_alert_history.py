"""The list of alerts: each rule with its last 30 days, and what fires once (rules/alerts#history)."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from harness.browser.app import PHONE, App, axe_in_both_themes, settled
from harness.browser.layout_shift import layout_shifts
from harness.builders.alert_messages import make_channel
from harness.clients.dashboards import make_alert
from harness.servers.server import Server
from harness.servers.street import Street

LIMIT = 0.02


@pytest.fixture
def server(street: Street) -> Server:
    """A server that evaluates alerts every second."""
    street.clear()
    return street.server


def rule(page: Page, name: str) -> Locator:
    return page.get_by_role("list", name="Rules").get_by_role("listitem").filter(has_text=name)


def days(within: Locator) -> Locator:
    return within.get_by_role("img", name=re.compile("^Last 30 days: "))


@pytest.mark.parametrize("size", [(1440, 900), PHONE, (320, 640)], ids=lambda size: str(size[0]))
def test_every_rule_shows_its_days_and_what_fires_stands_once(app: App, size: tuple[int, int]) -> None:
    channel = make_channel(app.workspace, name="On call")
    make_alert(app.workspace, name="Orders", event="order", threshold=0)
    make_alert(app.workspace, name="Refunds", event="refund", threshold=5, channelIds=[channel["id"]])
    assert app.workspace.send({"name": "order"}).status_code == 202
    page = settled(app.opens("viewer", "/alerts", size=size))
    card = page.get_by_role("region", name="Orders", exact=True)
    expect(days(card)).to_have_accessible_name(re.compile(r"fired once, 1 on \d+ \w+\. Created on"))
    expect(rule(page, "Orders")).to_have_count(0)
    strip = days(rule(page, "Refunds"))
    expect(strip).to_have_accessible_name(re.compile("did not fire"))
    expect(rule(page, "Refunds")).to_contain_text("On call")
    cells = strip.locator("> *")
    expect(cells).to_have_count(30)
    assert all(width >= 2 for width in cells.evaluate_all("cells => cells.map(cell => cell.clientWidth)"))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert axe_in_both_themes(page) == []


def test_a_rule_without_a_channel_says_that_it_notifies_no_one(app: App) -> None:
    make_alert(app.workspace, name="Orders", event="order", threshold=5)
    page = settled(app.opens("viewer", "/alerts"))
    expect(rule(page, "Orders")).to_contain_text("notifies no one")
    expect(rule(page, "Orders").get_by_role("link")).to_have_count(1)
    assert sum(shift.score for shift in layout_shifts(page)) <= LIMIT
    page = settled(app.opens("developer", "/alerts"))
    rule(page, "Orders").get_by_role("link", name="notifies no one").click()
    expect(page.get_by_role("dialog", name="New channel")).to_be_visible()


def test_a_rule_that_was_never_evaluated_has_no_days(app: App) -> None:
    make_alert(app.workspace, name="Orders", event="order", threshold=5, enabled=False)
    page = settled(app.opens("viewer", "/alerts"))
    expect(rule(page, "Orders")).to_contain_text("not evaluated yet")
    expect(rule(page, "Orders")).to_contain_text("never fired")
    expect(days(rule(page, "Orders"))).to_have_count(0)


def test_an_empty_list_leads_to_the_first_alert(app: App) -> None:
    page = settled(app.opens("developer", "/alerts?env=development"))
    page.get_by_role("main").get_by_role("link", name="Create an alert").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("New alert")
    assert "env=development" in page.url
    page = settled(app.opens("viewer", "/alerts"))
    expect(page.get_by_role("link", name="Create an alert")).to_have_count(0)
