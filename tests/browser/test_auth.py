"""The way in by forms: signing up, joining by an invitation, and a new password for who forgot theirs."""

import pytest
from playwright.sync_api import Browser, Page, expect

from harness.browser.app import App, settled
from harness.builders.ranked_bots import ranked_bots
from harness.clients.dashboards import make_dashboard
from harness.clients.letters import letter_to, token_in
from harness.clients.member import fresh_email, invite
from harness.servers.server import Server

NEW = "an even longer password"
_IN_ZONE = """(resolved => {
  Intl.DateTimeFormat.prototype.resolvedOptions = function () { return {...resolved.call(this), timeZone: "%s"} };
})(Intl.DateTimeFormat.prototype.resolvedOptions)"""


def fill(page: Page, **fields: str) -> None:
    for label, text in fields.items():
        page.get_by_role("textbox", name=label.replace("_", " ")).fill(text)


@pytest.mark.long
def test_who_signs_up_gets_a_workspace_and_the_way_to_the_first_event(app: App) -> None:
    page = app.opens("public", "/", refused=[400])
    page.get_by_role("button", name="New here? Sign up").click()
    fill(page, Your_name="Ann", Workspace="Acme", Email=fresh_email(), Password="short")
    page.get_by_role("button", name="Create workspace").click()
    expect(page.get_by_role("textbox", name="Password")).to_have_attribute("aria-invalid", "true")
    fill(page, Password=NEW)
    page.get_by_role("button", name="Create workspace").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("First event")
    expect(page.get_by_role("button", name="Acme")).to_be_visible()
    expect(page.get_by_role("button", name="Ann")).to_contain_text("owner")


@pytest.mark.long
@pytest.mark.parametrize(("zone", "began"), [("Asia/Tokyo", "Asia/Tokyo"), ("Etc/Unknown", "UTC")])
def test_the_workspace_begins_in_the_time_zone_of_the_browser(
    browser: Browser, app: App, zone: str, began: str
) -> None:
    with browser.new_context(timezone_id="Asia/Tokyo") as context:
        context.add_init_script(_IN_ZONE % zone)
        page = context.new_page()
        page.goto(app.workspace.url)
        page.get_by_role("button", name="New here? Sign up").click()
        fill(page, Your_name="Ann", Workspace="Acme", Email=fresh_email(), Password=NEW)
        page.get_by_role("button", name="Create workspace").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("First event")
        page.goto(f"{app.workspace.url}/events")
        page.get_by_role("button", name="More time ranges").click()
        spans = page.get_by_role("dialog", name="More time ranges")
        expect(spans).to_contain_text(f"Days begin at midnight, {began}.")
        spans.get_by_role("link", name="Change the time zone").click()
        expect(page.get_by_role("combobox", name="Time zone")).to_have_value(began)


@pytest.mark.long
def test_an_invitation_is_accepted_by_a_newcomer(app: App) -> None:
    token = invite(app.workspace, fresh_email(), "developer")["token"]
    page = app.opens("public", f"/invite?token={token}")
    fill(page, Your_name="Ben", Password=NEW)
    page.get_by_role("button", name="Join workspace").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("First event")
    expect(page.get_by_role("button", name="Ben")).to_contain_text("developer")
    members = app.workspace.get("/v1/members").json()["members"]
    assert sorted(member["role"] for member in members) == ["developer", "owner"]


def test_who_forgot_their_password_sets_a_new_one_and_signs_in(app: App, server: Server) -> None:
    page = app.opens("public", "/")
    page.get_by_role("link", name="Forgot password?").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Reset your password")  # both pages have an Email
    fill(page, Email=app.workspace.email)
    page.get_by_role("button", name="Send link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Check your email")
    token = token_in(letter_to(server, app.workspace.email)["text"])
    page.goto(f"{app.workspace.url}/reset?token={token}")
    fill(page, New_password=NEW)
    page.get_by_role("button", name="Set password").click()
    fill(page, Email=app.workspace.email, Password=NEW)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("First event")


def test_a_page_before_signing_in_has_one_left_edge(app: App) -> None:
    page = settled(app.opens("public", "/forgot", size=(1440, 900)))
    parts = (
        page.get_by_text("Tallyroom", exact=True),
        page.get_by_role("heading", level=1),
        page.get_by_role("button", name="Send link"),
    )
    assert len({part.evaluate("element => element.getBoundingClientRect().left") for part in parts}) == 1


@pytest.mark.long
@pytest.mark.parametrize("work", ["an event", "a dashboard", "a bot"])
def test_members_begin_at_the_dashboards_as_soon_as_there_is_something_to_see(app: App, work: str) -> None:
    """An event of any environment counts."""
    page = settled(app.opens("viewer", "/"))
    expect(page.get_by_role("heading", level=1)).to_have_text("First event")
    if work == "an event":
        assert app.workspace.send({"name": "a"}, key=app.workspace.make_key("development")[0]).status_code == 202
    elif work == "a dashboard":
        make_dashboard(app.workspace)
    else:
        ranked_bots(app.workspace, 1)
    page.goto(app.workspace.url)
    expect(page.get_by_role("heading", level=1)).to_have_text("Dashboards")
