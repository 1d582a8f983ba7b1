"""Groups in the browser: the plan that has none, the first key, and a group that was quiet for a while."""

import pytest
from playwright.sync_api import Page, expect

from harness.browser.app import App, settled
from harness.builders.moments import ago
from harness.servers.command import tallyroom
from harness.servers.server import Server


def register(page: Page, label: str) -> None:
    page.get_by_role("textbox", name="Label").fill(label)
    page.get_by_role("button", name="Register", exact=True).click()


def send(app: App, *events: object) -> None:
    assert app.workspace.send({"events": list(events)}).status_code == 202


@pytest.mark.long
def test_the_free_plan_has_a_page_of_its_own(app: App, server: Server) -> None:
    done = tallyroom("workspace", "set-plan", app.workspace.workspace_id, "free", "--data", str(server.data))
    assert done.returncode == 0, done.stderr
    page = settled(app.opens("owner", "/groups", refused=[402]))
    expect(page.get_by_role("main")).to_contain_text("free plan")
    expect(page.get_by_role("main")).to_contain_text("set-plan")
    expect(page.get_by_role("button", name="Register")).to_have_count(0)
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)


def test_the_first_key_is_the_default(app: App) -> None:
    send(app, {"name": "x", "_actor": "ann", "properties": {"server": "Night Bus", "team": "a"}})
    page = settled(app.opens("developer", "/groups"))
    page.get_by_role("combobox", name="Property key").select_option("server")
    register(page, "Server")
    expect(page.get_by_role("tab", name="Server")).to_contain_text("default")
    expect(page.get_by_role("link", name="Night Bus")).to_be_visible()
    page.get_by_role("button", name="Register key").click()
    register(page, "Team")
    expect(page.get_by_role("tab", name="Team")).not_to_contain_text("default")
    kept = app.workspace.get("/v1/groups/keys", environment="production", timeRange="7d").json()["keys"]
    assert {key["label"]: key["isDefault"] for key in kept} == {"Server": True, "Team": False}
    page.keyboard.press("Control+k")
    page.get_by_role("dialog").get_by_role("combobox").fill("night")
    expect(page.get_by_role("option", name="Night Bus 1 event in 90 days")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Night Bus")


@pytest.mark.long
def test_a_quiet_group_is_found_by_one_press(app: App) -> None:
    send(app, {"name": "x", "_timestamp": ago(days=20), "properties": {"server": "Night Bus"}})
    with app.workspace.client() as client:
        assert client.post("/v1/groups/keys", json={"propKey": "server", "label": "Server"}).status_code == 201
    page = app.opens("viewer", "/groups/Night%20Bus?range=7d", refused=[404])
    expect(page.get_by_role("main")).to_contain_text("No events in 7 days")
    page.get_by_role("button", name="Show 30 days").click()
    settled(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Night Bus")
    expect(page.get_by_role("region", name="Activity")).to_be_visible()
    assert "range=30d" in page.url
