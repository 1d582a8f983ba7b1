"""The way to the first event in the browser: an example that runs as it is, what arrives, and what is refused."""

import subprocess
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Locator, Page, expect

from harness.browser.app import App, settled

_A_POLL_MS = 2_000
"""Longer than the page waits between two looks."""


def example(page: Page) -> str:
    """The example for a shell, as somebody copies it."""
    page.get_by_role("tab", name="curl").click()
    page.get_by_role("tabpanel").get_by_role("button", name="Copy").click()
    return str(page.evaluate("navigator.clipboard.readText()"))


def arrived(page: Page) -> Locator:
    return page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="See it arrive"))


def test_the_example_runs_as_it_is_and_its_event_shows_up(app: App) -> None:
    page = settled(app.opens("owner", "/start"))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Create key").click()
    expect(page.get_by_text("tr_test_").first).to_be_visible()
    done = subprocess.run(["bash", "-c", f"{example(page)} -sS --fail"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    expect(arrived(page)).to_contain_text("hello")
    expect(arrived(page)).to_contain_text("user_1")
    expect(arrived(page)).to_contain_text("development")
    page.get_by_role("link", name="Open events").click()
    expect(page.get_by_role("region", name="Event hello")).to_contain_text("user_1")


@pytest.mark.long
def test_only_what_comes_after_the_page_counts(app: App) -> None:
    assert app.workspace.send({"name": "before", "_actor": "ann"}).status_code == 202
    page = settled(app.opens("owner", "/start"))
    page.wait_for_timeout(_A_POLL_MS)
    expect(arrived(page)).to_contain_text("Waiting for the first event")
    assert app.workspace.send({"name": "after", "_actor": "bob"}).status_code == 202
    expect(arrived(page)).to_contain_text("after")
    expect(arrived(page)).to_contain_text("bob")


@pytest.mark.long
def test_a_refused_request_says_why_on_the_page(app: App) -> None:
    page = settled(app.opens("owner", "/start"))
    headers = {"user-agent": "my-bot/2.1 <b>"}
    answer = app.workspace.send({"name": "", "_timestamp": datetime.now(UTC).isoformat()}, headers=headers)
    assert answer.status_code == 400
    refused = page.get_by_role("list", name="Refused requests")
    expect(refused).to_contain_text("400")
    expect(refused).to_contain_text(answer.json()["details"][0]["message"])
    expect(refused).to_contain_text("my-bot/2.1 <b>")
    expect(arrived(page)).to_contain_text("Waiting for the first event")


@pytest.mark.long
def test_the_first_dashboard_begins_with_the_event_that_came(app: App) -> None:
    page = settled(app.opens("owner", "/start"))
    assert app.workspace.send({"name": "order.placed", "_actor": "ann"}).status_code == 202
    arrived(page).get_by_role("link", name="Create dashboard from this event").click()
    expect(page.get_by_role("region", name="Start from a template")).to_contain_text("order.placed comes first")
    page.get_by_role("region", name="Start from a template").get_by_role("button", name="Onboarding funnel").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Onboarding funnel")
    settled(page)
    expect(page.get_by_role("region", name="Who started")).to_contain_text("1")
    [dashboard] = app.workspace.get("/v1/dashboards").json()["dashboards"]
    assert dashboard["environment"] == "production"
