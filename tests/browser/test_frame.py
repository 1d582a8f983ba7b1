"""The frame of every page stays at any address, says that the connection is lost, and leads to other workspaces."""

import re

import pytest
from playwright.sync_api import expect

from harness.browser.app import App, axe, settled
from harness.clients.dashboards import make_dashboard, make_widget
from harness.clients.member import accept, invite
from harness.clients.workspace import sign_up

LOST = "You're offline. Data may be out of date."


@pytest.mark.long
def test_the_navigation_stays_at_an_address_that_leads_nowhere(app: App) -> None:
    page = settled(app.opens("viewer", "/no/such/page"))
    expect(page.get_by_role("main")).to_contain_text("No page has this address")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Events").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Events")


def test_a_lost_connection_is_said_until_it_is_back(app: App) -> None:
    page = settled(app.opens("viewer", "/alerts"))
    status = page.get_by_role("status").filter(has_text=LOST)
    expect(status).to_have_count(0)
    page.context.set_offline(True)
    expect(status).to_be_visible()
    line, name = status.bounding_box(), page.get_by_role("heading", level=1).bounding_box()
    assert line is not None
    assert name is not None
    assert line["y"] > name["y"] + name["height"]
    assert axe(page) == []
    page.context.set_offline(False)
    expect(status).to_have_count(0)
    server = re.compile("/v1/|/healthz$")
    page.route(server, lambda route: route.abort("connectionrefused"))
    unreachable = page.get_by_text("Can't reach the server. Data may be out of date.")
    expect(unreachable).to_be_visible()
    page.unroute(server)
    expect(unreachable).to_have_count(0)
    app.faults[:] = [fault for fault in app.faults if "ERR_INTERNET_DISCONNECTED" not in fault]
    app.faults[:] = [fault for fault in app.faults if "ERR_CONNECTION_REFUSED" not in fault]


def test_tools_are_beside_the_title_as_long_as_both_fit(app: App) -> None:
    page = settled(app.opens("owner", "/alerts/new", size=(768, 1024)))
    title, tool = page.get_by_role("heading", level=1), page.get_by_role("button", name="Save", exact=True)
    middles = "element => { const { top, bottom } = element.getBoundingClientRect(); return (top + bottom) / 2 }"
    assert abs(title.evaluate(middles) - tool.evaluate(middles)) <= 2
    menu = page.get_by_role("button", name="Search").bounding_box()
    save = tool.bounding_box()
    assert menu
    assert save
    assert save["x"] + save["width"] <= menu["x"]


@pytest.mark.long
def test_a_copied_address_leads_to_the_workspace_that_it_names(app: App) -> None:
    here = app.workspace
    board = make_dashboard(here, name="Orders")
    make_widget(here, board["id"])
    page = app.blank("owner")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{here.url}/d/{board['id']}")
    page.get_by_role("button", name="menu").last.click()
    page.get_by_role("menuitem", name="Copy link").click()
    expect(page.get_by_role("group", name="Link copied")).to_be_visible()
    address = page.evaluate("navigator.clipboard.readText()")
    elsewhere = sign_up(here.url)
    name = here.get("/v1/auth/me").json()["workspace"]["name"]
    assert accept(here.url, invite(elsewhere, here.email)["token"], here.session_token).is_success  # and is there now
    assert f"w={here.workspace_id}" in address
    page.goto("about:blank")
    page.goto(address)
    main = page.get_by_role("main")
    expect(main).to_contain_text(f"This page is in {name}")
    assert axe(settled(page)) == []
    main.get_by_role("button", name="Switch to").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Orders")
    app.faults[:] = [fault for fault in app.faults if "404" not in fault]


@pytest.mark.long
def test_a_workspace_of_others_is_not_offered(app: App) -> None:
    stranger = sign_up(app.workspace.url)
    page = settled(app.opens("owner", f"/d/none?w={stranger.workspace_id}", refused=[404]))
    expect(page.get_by_role("main")).to_contain_text("Nothing here")
