"""Alerts in the browser: written as a sentence, tried on the past, told where they should, paused (rules/alerts#alert)."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, Response, expect

from harness.browser.app import App, everything_kept, settled
from harness.builders.alert_messages import make_channel
from harness.builders.moments import ago
from harness.clients.dashboards import make_alert, make_dashboard, make_widget
from harness.clients.workspace import sign_up
from harness.servers.receiver import Answer
from harness.servers.server import Server
from harness.servers.street import Street

SECRET = r"whsec_[A-Za-z0-9+/=]{40,}"
PATH = "hooks/secret-path-0123456789"
FORMULA: dict[str, Any] = {
    "a": {"event": "order.failed", "measure": "count"},
    "b": {"event": "order.placed", "measure": "count"},
    "expression": "a / (a + b) * 100",
}


@pytest.fixture
def server(street: Street) -> Server:
    """A server that may tell somebody, and that evaluates alerts every second."""
    street.clear()
    return street.server


def answers(page: Page) -> list[Response]:
    """What the API answers the page from now on."""
    found: list[Response] = []
    page.on("response", lambda response: found.append(response) if "/v1/" in response.url else None)
    return found


def make_webhook(page: Page, street: Street, name: str) -> str:
    """Make a webhook in the dialog that is open; returns its secret."""
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_label("Type").select_option("webhook")
    dialog.get_by_label("URL").fill(f"{street.receiver.url}/{PATH}")
    dialog.get_by_role("button", name="Create channel").click()
    expect(dialog.get_by_label("I saved it")).to_be_visible()
    [secret] = re.findall(SECRET, dialog.inner_text())
    dialog.get_by_label("I saved it").check()
    dialog.get_by_role("button", name="Close", exact=True).click()
    expect(dialog).to_have_count(0)
    return str(secret)


@pytest.mark.long
def test_an_alert_is_made_told_and_paused(app: App, street: Street) -> None:
    assert app.workspace.send({"events": [{"name": "order.failed"}] * 3}).status_code == 202
    page = settled(app.opens("developer", "/alerts"))
    answered = answers(page)
    page.get_by_role("main").get_by_role("button", name="New alert").click()
    page.get_by_role("textbox", name="Threshold").fill("2")
    expect(page.get_by_role("combobox", name="Event")).to_have_value("order.failed")
    page.get_by_role("textbox", name="Name").fill("Orders fail")
    page.get_by_role("button", name="New channel").click()
    secret = make_webhook(page, street, "Pager")
    expect(page.get_by_role("checkbox", name=re.compile("^Pager"))).to_be_checked()
    page.get_by_role("button", name="Test Pager").click()
    expect(page.get_by_role("main").get_by_text(re.compile("^Pager answered in"))).to_be_visible()
    assert [told.json["type"] for told in street.arrived(1)] == ["test"]
    page.get_by_role("button", name="Save").click()
    activity = page.get_by_role("region", name="Activity", exact=True)
    expect(activity.get_by_text("fired at 3, limit 2")).to_be_visible()
    card = page.get_by_role("region", name="Orders fail", exact=True)
    expect(card).to_contain_text("3 order.failed in 60 minutes. The limit is 2.")
    assert street.arrived(2)[1].json["data"]["name"] == "Orders fail"
    row = page.get_by_role("list", name="Rules").get_by_role("listitem")
    expect(row).to_have_count(0)  # what fires stands on the page once
    card.get_by_role("button", name="Pause").click()
    expect(row).to_contain_text("Paused")
    expect(activity.get_by_text("resolved at 3")).to_be_visible()
    expect(card).to_have_count(0)
    page.get_by_role("switch", name="Orders fail").click()
    expect(card).to_contain_text("Firing")
    expect(row).to_have_count(0)
    page.get_by_role("tab", name=re.compile("Channels")).click()
    expect(page.get_by_role("list", name="Channels")).to_contain_text(f"{street.receiver.url}/••••6789")
    told = [response.text() for response in answered if response.status in {200, 201}]
    kept = everything_kept(settled(page))
    assert not any(PATH in text for text in [*told, kept])
    assert [secret in text for text in [*told, kept]].count(True) == 1  # as the webhook was made


@pytest.mark.long
def test_the_strip_has_the_incidents_of_the_back_test(app: App) -> None:
    bursts = [(3, 40), (9, 30), (20, 25)]
    events = [
        {"name": "order.failed", "_timestamp": ago(days=days, minutes=minute)}
        for days, count in bursts
        for minute in range(count)
    ]
    assert app.workspace.send({"events": events}).status_code == 202
    alert = make_alert(app.workspace, name="Orders fail", event="order.failed", threshold=20, windowMinutes=60)
    page = settled(app.opens("developer", f"/alerts/{alert['id']}"))
    for threshold in (20, 27, 35, 1000):
        with page.expect_response(lambda answer: "/preview" in answer.url and answer.status == 200) as answer:
            page.get_by_role("textbox", name="Threshold").fill(f"{threshold}.5")
        preview = answer.value.json()
        times = {0: "Would not have fired", 1: "Would have fired once"}
        expect(page.get_by_role("main")).to_contain_text(
            times.get(preview["fired"], f"Would have fired {preview['fired']} times")
        )
        strip = page.get_by_role("img", name=re.compile("^(Incidents per day|No incident)"))
        cells = strip.locator("> *")
        expect(cells).to_have_count(30)
        shown = [int(text) for text in cells.all_inner_texts() if text]
        assert sum(shown) == preview["fired"] == len(preview["incidents"])
    page.get_by_role("button", name="Back-test menu").click()
    page.get_by_role("menuitem", name="View as table").click()
    rows = page.get_by_role("table", name="Back-test").get_by_role("row")
    expect(rows).to_have_count(1 + len(preview["points"]))


@pytest.mark.long
def test_the_strip_shows_whole_numbers_on_a_phone(app: App) -> None:
    events = [{"name": "order.failed", "_timestamp": ago(days=5, hours=hours)} for hours in range(0, 48, 2)]
    assert app.workspace.send({"events": events}).status_code == 202
    alert = make_alert(app.workspace, name="Orders fail", event="order.failed", threshold=0.5, windowMinutes=5)
    page = settled(app.opens("developer", f"/alerts/{alert['id']}", size=(360, 640)))
    cells = page.get_by_role("img", name=re.compile("^Incidents per day")).locator("> *")
    expect(cells).to_have_count(30)
    assert any(len(text) > 1 for text in cells.all_inner_texts())
    assert cells.evaluate_all("cells => cells.every(cell => cell.scrollWidth <= cell.clientWidth)")


def test_what_is_wrong_is_said_beside_its_field(app: App) -> None:
    assert app.workspace.send({"name": "order.failed"}).status_code == 202
    page = settled(app.opens("developer", "/alerts/new", refused=[400]))
    threshold = page.get_by_role("textbox", name="Threshold")
    threshold.fill("many")
    expect(threshold).to_have_attribute("aria-invalid", "true")
    expect(threshold).to_have_accessible_description("The threshold must be a number, such as 25.")
    page.get_by_role("combobox", name="Condition").select_option("rises")
    threshold.fill("-5")
    expect(threshold).to_have_accessible_description("The threshold must not be negative for rises.")
    page.get_by_role("combobox", name="Condition").select_option("nodata")
    expect(threshold).to_have_count(0)
    expect(page.get_by_role("main")).to_contain_text(re.compile("Would have fired"))


@pytest.mark.long
def test_a_formula_stays_what_it_is(app: App) -> None:
    fields = {"event": None, "formula": FORMULA, "threshold": 20, "windowMinutes": 45}
    alert = make_alert(app.workspace, name="Failed share", **fields)
    page = settled(app.opens("developer", f"/alerts/{alert['id']}"))
    expect(page.get_by_role("textbox", name="Formula")).to_have_value(FORMULA["expression"])
    expect(page.get_by_role("button", name="Measure b: order.placed")).to_be_visible()
    page.get_by_role("textbox", name="Name").fill("Share of failures")
    page.get_by_role("button", name="Save").click()
    row = page.get_by_role("listitem").filter(has_text="Share of failures")
    expect(row).to_contain_text("order.failed / (order.failed + order.placed) * 100 above 20 in 45")
    saved = app.workspace.get(f"/v1/alerts/{alert['id']}").json()
    parts = ("name", "updatedAt", "lastEvaluatedAt", "lastValue", "status")
    assert {key: saved[key] for key in saved if key not in parts} == {
        key: alert[key] for key in alert if key not in parts
    }


@pytest.mark.long
def test_an_incident_without_a_value_stays_open_until_it_is_resolved(app: App) -> None:
    watched = {"event": "request", "measure": "avg", "property": "ms", "threshold": 5, "windowMinutes": 1}
    slow, slower = (make_alert(app.workspace, name=name, **watched) for name in ("Slow", "Slower"))
    sent = {"name": "request", "properties": {"ms": 9}, "_timestamp": ago(seconds=52)}
    assert app.workspace.send(sent).status_code == 202
    page = settled(app.opens("developer", "/alerts", refused=[409]))
    card = page.get_by_role("region", name="Slow", exact=True)
    words = "average ms of request has had no value for under 1 min. The incident stays open until a value arrives"
    expect(card).to_contain_text(words)
    expect(page.get_by_role("region", name="Slower", exact=True)).to_contain_text("has had no value")
    activity = page.get_by_role("region", name="Activity", exact=True)
    expect(activity.get_by_text("no value, still open")).to_have_count(2)
    card.get_by_role("button", name="Resolve").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Its channels are notified.")
    dialog.get_by_role("button", name="Resolve").click()
    expect(card).to_have_count(0)
    expect(activity.get_by_text("resolved", exact=False)).to_have_count(1)
    assert app.workspace.get(f"/v1/alerts/{slow['id']}").json()["status"] == "nodata"
    page.goto(f"{app.workspace.url}/alerts/{slower['id']}")
    gap = page.get_by_role("region", name="No data", exact=True)
    gap.get_by_role("button", name="Resolve").click()
    with app.workspace.client() as client:  # somebody else is faster
        assert client.post(f"/v1/alerts/{slower['id']}/resolve").status_code == 200
    dialog.get_by_role("button", name="Resolve").click()
    expect(page.get_by_role("group", name="This alert has no open incident.")).to_be_visible()
    expect(dialog).to_have_count(0)
    expect(gap).to_have_count(0)
    page.get_by_role("button", name="Alert menu").click()
    expect(page.get_by_role("menuitem", name="Resolve")).to_have_count(0)


@pytest.mark.long
def test_a_deleted_alert_can_be_taken_back(app: App) -> None:
    alert = make_alert(app.workspace, name="Orders fail", event="order.failed", enabled=False)
    page = settled(app.opens("developer", f"/alerts/{alert['id']}", refused=[404]))
    page.get_by_role("button", name="Alert menu").click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("main")).to_contain_text("No alerts yet")
    assert app.workspace.get("/v1/alerts").json() == {"alerts": []}
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("switch", name="Orders fail")).not_to_be_checked()
    [again] = app.workspace.get("/v1/alerts").json()["alerts"]
    assert (again["event"], again["threshold"], again["enabled"]) == ("order.failed", 100, False)


@pytest.mark.long
def test_a_message_that_failed_is_sent_again(app: App, street: Street) -> None:
    street.receiver.otherwise = Answer(404)
    channel = make_channel(app.workspace, name="Chat", type="slack", destination=f"{street.receiver.url}/{PATH}")
    make_alert(app.workspace, name="Orders fail", event="order.failed", threshold=0, channelIds=[channel["id"]])
    assert app.workspace.send({"name": "order.failed"}).status_code == 202
    page = settled(app.opens("developer", "/alerts?tab=channels"))
    messages = page.get_by_role("complementary", name="Messages to Chat")
    expect(messages).to_contain_text("fired · failed after 1 attempt: HTTP 404")
    page.get_by_role("button", name="Test Chat").click()
    expect(page.get_by_role("main").get_by_text("The test of Chat failed: HTTP 404", exact=True)).to_be_visible()
    street.receiver.otherwise = Answer(200)
    messages.get_by_role("button", name="Send again").click()
    expect(messages).to_contain_text("fired · sent")
    so_far = len(street.receiver.requests)
    messages.get_by_role("button", name="Send again").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Chat already has this message about “Orders fail”")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    messages.get_by_role("button", name="Send again").click()
    dialog.get_by_role("button", name="Send again").click()
    expect(messages).to_contain_text("fired · sent on the 3rd attempt")
    assert len(street.receiver.requests) == so_far + 1


@pytest.mark.long
def test_a_channel_is_changed_and_deleted_and_its_secret_renewed(app: App, street: Street) -> None:
    page = settled(app.opens("developer", "/alerts?tab=channels", refused=[400]))
    page.get_by_role("main").get_by_role("button", name="New channel").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Pager")
    dialog.get_by_label("Address").fill("nobody")
    dialog.get_by_role("button", name="Create channel").click()
    expect(dialog.get_by_label("Address")).to_have_attribute("aria-invalid", "true")
    first = make_webhook(page, street, "Pager")

    def choose(item: str) -> None:
        page.get_by_role("button", name=re.compile("^(Pager|On call) menu$")).click()
        page.get_by_role("menuitem", name=item).click()

    choose("Replace secret")
    dialog.get_by_role("button", name="Replace").click()
    expect(dialog.get_by_label("I saved it")).to_be_visible()
    assert re.findall(SECRET, dialog.inner_text()) != [first]
    dialog.get_by_label("I saved it").check()
    dialog.get_by_role("button", name="Close", exact=True).click()
    choose("Edit")
    dialog.get_by_label("Name").fill("On call")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    page.get_by_role("switch", name="On call").click()
    expect(page.get_by_role("list", name="Channels")).to_contain_text("switched off")
    [kept] = app.workspace.get("/v1/alert-channels").json()["alertChannels"]
    assert (kept["name"], kept["enabled"]) == ("On call", False)
    assert kept["destinationPreview"].endswith("6789")
    choose("Delete")
    dialog.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("main")).to_contain_text("No channels yet")


@pytest.mark.long
def test_a_viewer_reads_everything_and_changes_nothing(app: App, street: Street) -> None:
    channel = make_channel(app.workspace, name="Pager", type="webhook", destination=f"{street.receiver.url}/{PATH}")
    alert = make_alert(app.workspace, name="Orders fail", event="order.failed", threshold=0, channelIds=[channel["id"]])
    assert app.workspace.send({"name": "order.failed"}).status_code == 202
    page = settled(app.opens("viewer", "/alerts"))
    expect(page.get_by_role("region", name="Orders fail", exact=True)).to_contain_text("Firing")
    written = page.get_by_role("main").locator("input, select, textarea")
    for path in ("/alerts", "/alerts?tab=channels", f"/alerts/{alert['id']}", "/alerts/new"):
        page.goto(app.workspace.url + path)
        settled(page)
        expect(written.filter(visible=True)).to_have_count(1 if path == "/alerts" else 0)  # the environment
        expect(
            page.get_by_role("main").get_by_role("button", name=re.compile("New|Pause|Test|Save|Send"))
        ).to_have_count(0)
    expect(page.get_by_role("main")).to_contain_text("Developer role")


@pytest.mark.long
def test_a_number_of_a_dashboard_becomes_an_alert(app: App) -> None:
    properties = {"ms": 12, "plan": "pro", "country": "AT", "device": "phone"}
    sent = [{"name": "order.placed", "properties": properties, "_timestamp": ago(hours=hours)} for hours in range(40)]
    assert app.workspace.send({"events": sent}).status_code == 202
    board = make_dashboard(
        app.workspace, name="Orders", filters=[{"key": "country", "op": "eq", "value": "AT"}], timeRange="30d"
    )
    filters = [{"key": "plan", "op": "eq", "value": "pro"}]
    config = {"event": "order.placed", "measure": "p95", "property": "ms", "filters": filters}
    make_widget(app.workspace, board["id"], type="metric", title="Slow", config=config)
    page = settled(app.opens("developer", f"/d/{board['id']}?f=device:eq:phone"))
    page.get_by_role("button", name="Widget menu").click()
    page.get_by_role("menuitem", name="Create alert").click()
    expect(page.get_by_role("combobox", name="Event")).to_have_value("order.placed")
    expect(page.get_by_role("combobox", name="Measure")).to_have_value("p95")
    expect(page.get_by_role("combobox", name="Property")).to_have_value("ms")
    words = "country is AT and plan is pro and device is phone"
    expect(page.get_by_role("button", name=f"Filters: {words}")).to_be_visible()
    expect(page.get_by_role("textbox", name="Threshold")).to_have_value("12")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("dialog").get_by_role("button", name="Save anyway").click()
    row = page.get_by_role("list", name="Rules").get_by_role("listitem")
    expect(row).to_contain_text(f"p95 of ms of order.placed where {words} above 12 in 60")


@pytest.mark.long
def test_an_alert_of_another_workspace_is_not_there(app: App) -> None:
    other: Any = make_alert(sign_up(app.workspace.url), name="Theirs")
    page = settled(app.opens("owner", f"/alerts/{other['id']}", refused=[404]))
    expect(page.get_by_role("heading", level=1)).to_have_text("Nothing here")
    assert "Theirs" not in json.dumps(everything_kept(page))
