"""An alert as it is made: what was never seen is said, somebody is told, and nothing looks well before anything came."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from harness.browser.app import App, settled
from harness.builders.alert_messages import make_channel
from harness.clients.dashboards import make_alert
from harness.servers.receiver import Answer
from harness.servers.server import Server
from harness.servers.street import Street


@pytest.fixture
def server(street: Street) -> Server:
    """A server that evaluates alerts every second."""
    street.clear()
    return street.server


def rule(page: Page, name: str) -> Locator:
    return page.get_by_role("list", name="Rules").get_by_role("listitem").filter(has_text=name)


@pytest.mark.long
def test_an_event_that_was_never_seen_is_said_and_the_suggestion_taken(app: App) -> None:
    assert app.workspace.send({"events": [{"name": "order.failed"}] * 3}).status_code == 202
    page = settled(app.opens("developer", "/alerts/new"))
    page.get_by_role("combobox", name="Event").fill("order.fails")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Use it").click()
    main = page.get_by_role("main")
    expect(main).to_contain_text(
        'The event "order.fails" has never been seen in production; did you mean order.failed?'
    )
    expect(main).to_contain_text("No such event")
    expect(main.get_by_role("img")).to_have_count(0)
    expect(main).not_to_contain_text("Would not have fired")
    main.get_by_role("button", name="Use order.failed").click()
    expect(page.get_by_role("combobox", name="Event")).to_have_value("order.failed")
    expect(main).to_contain_text("No threshold yet")
    expect(main).not_to_contain_text("never been seen")


def test_enter_takes_the_suggestion_of_the_sentence(app: App) -> None:
    assert app.workspace.send({"events": [{"name": "order.failed"}, {"name": "order.placed"}]}).status_code == 202
    page = settled(app.opens("developer", "/alerts/new"))
    event = page.get_by_role("combobox", name="Event")
    event.click()
    expect(page.get_by_role("listbox").get_by_role("option")).to_have_count(2)
    page.keyboard.type("fail")
    page.keyboard.press("Enter")
    expect(event).to_have_value("order.failed")
    expect(page.get_by_role("main")).to_contain_text("No threshold yet")


@pytest.mark.long
def test_the_only_channel_is_chosen_and_an_alert_without_one_is_asked_about(app: App) -> None:
    assert app.workspace.send({"name": "order.failed"}).status_code == 202
    make_channel(app.workspace, name="On call")
    page = settled(app.opens("developer", "/alerts/new"))
    channel = page.get_by_role("checkbox", name=re.compile("^On call"))
    expect(channel).to_be_checked()
    channel.uncheck()
    page.get_by_role("textbox", name="Name").fill("Quiet")
    page.get_by_role("textbox", name="Threshold").fill("5")
    page.get_by_role("button", name="Save", exact=True).click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("This alert has no channel. When it fires, you'll only see it here")
    dialog.get_by_role("button", name="Cancel").click()
    assert app.workspace.get("/v1/alerts").json() == {"alerts": []}
    page.get_by_role("button", name="Save", exact=True).click()
    dialog.get_by_role("button", name="Save anyway").click()
    expect(rule(page, "Quiet")).to_be_visible()
    rule(page, "Quiet").get_by_role("link", name="Quiet").click()
    page.get_by_role("textbox", name="Name").fill("Quieter")
    page.get_by_role("button", name="Save", exact=True).click()  # it was asked once
    expect(rule(page, "Quieter")).to_be_visible()


@pytest.mark.long
def test_an_alert_is_not_well_before_it_saw_an_event(app: App) -> None:
    make_alert(app.workspace, name="Typo", event="order.fails")
    page = settled(app.opens("developer", "/alerts"))
    expect(rule(page, "Typo")).to_contain_text("No data yet")
    expect(rule(page, "Typo").get_by_text("OK", exact=True)).to_have_count(0)
    assert app.workspace.send({"name": "order.fails"}).status_code == 202
    expect(rule(page, "Typo").get_by_text("OK", exact=True)).to_be_visible()


@pytest.mark.long
def test_an_alert_that_fires_says_who_could_not_be_told(app: App, street: Street) -> None:
    street.receiver.otherwise = Answer(404)
    chat = make_channel(app.workspace, name="Chat", type="slack", destination=f"{street.receiver.url}/hook")
    off = make_channel(app.workspace, name="Pager", enabled=False)
    fields = {"event": "order", "threshold": 0}
    alert = make_alert(app.workspace, name="Orders", channelIds=[chat["id"], off["id"]], **fields)
    make_alert(app.workspace, name="Silent", **fields)
    assert app.workspace.send({"name": "order"}).status_code == 202
    page = settled(app.opens("viewer", "/alerts"))
    words = ["Chat couldn't be notified: HTTP 404", "Pager is switched off."]
    card = page.get_by_role("region", name="Orders", exact=True)
    expect(card.get_by_role("list", name="Not notified").get_by_role("listitem")).to_have_text(words)
    silent = page.get_by_role("region", name="Silent", exact=True)
    expect(silent).to_contain_text("No one is notified because it has no channel.")
    page.goto(f"{app.workspace.url}/alerts/{alert['id']}")
    expect(page.get_by_role("list", name="Not notified").get_by_role("listitem")).to_have_text(words)
