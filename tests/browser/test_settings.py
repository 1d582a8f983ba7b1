"""Settings in the browser: what is set once, by whom, and with which warnings (rules/people#workspace)."""

import re

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from harness.browser.app import App, axe, everything_kept, settled
from harness.clients.member import add_member
from harness.clients.workspace import PASSWORD

TOKEN = r"tr_pat_[A-Za-z0-9]{38}"


def section(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name, exact=True)


def dialog(page: Page) -> Locator:
    return page.get_by_role("dialog")


def stored(page: Page) -> None:
    """Close the dialog with a secret."""
    dialog(page).get_by_label("I saved it").check()
    dialog(page).get_by_role("button", name="Close", exact=True).click()
    expect(dialog(page)).to_have_count(0)


@pytest.mark.long
@pytest.mark.parametrize("size", [(1440, 900), (768, 1024), (390, 844)], ids=lambda size: str(size[0]))
def test_every_window_leads_to_each_section_and_marks_the_one_that_is_read(app: App, size: tuple[int, int]) -> None:
    page = settled(app.opens("owner", "/settings", size=size))
    contents = page.get_by_role("navigation", name="Sections")
    contents.get_by_role("link", name="Audit", exact=True).click()
    expect(contents.locator("[aria-current]")).to_have_text("Audit")
    expect(contents.locator("[aria-current]")).to_be_in_viewport(ratio=1)
    expect(section(page, "Audit")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert axe(page) == []


def test_the_workspace_gets_another_name_and_zone(app: App) -> None:
    page = settled(app.opens("admin", "/settings"))
    page.get_by_label("Workspace name").fill("Night Bus")
    page.get_by_label("Time zone").select_option("Europe/Berlin")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("banner").get_by_text("Night Bus")).to_be_visible()
    expect(page.get_by_role("button", name="Save", exact=True)).to_have_count(0)
    found = app.workspace.get("/v1/workspace").json()
    assert (found["name"], found["timezone"]) == ("Night Bus", "Europe/Berlin")


@pytest.mark.long
def test_an_environment_is_made_warned_about_and_deleted(app: App) -> None:
    old = {"name": "x", "_timestamp": "2025-01-01T00:00:00Z"}
    page = settled(app.opens("owner", "/settings#environments", refused=[409]))
    page.get_by_role("button", name="New environment").click()
    dialog(page).get_by_label("Name", exact=True).fill("staging")
    dialog(page).get_by_role("button", name="Create environment").click()
    expect(dialog(page)).to_have_count(0)
    key, key_id = app.workspace.make_key("staging")
    assert app.workspace.send(old, key=key).status_code == 202

    page.get_by_role("button", name="staging menu").click()
    page.get_by_role("menuitem", name="Edit").click()
    dialog(page).get_by_label("Display name").fill("Rehearsal")
    dialog(page).get_by_label("Keep events for").fill("30")
    expect(dialog(page)).to_contain_text("1 event from before")
    keep = dialog(page).get_by_role("button", name=re.compile("Keep 30 days"))
    expect(keep).to_be_disabled()
    dialog(page).get_by_label("Permanently delete older events").check()
    keep.click()
    expect(section(page, "Environments").get_by_role("row").filter(has_text="Rehearsal")).to_contain_text("30 days")

    page.get_by_role("button", name="staging menu").click()
    page.get_by_role("menuitem", name="Delete").click()
    dialog(page).get_by_label("Type staging to confirm").fill("staging")
    dialog(page).get_by_role("button", name="Delete", exact=True).click()
    expect(dialog(page)).to_contain_text("Active API keys of this environment: 1. Revoke them first.")
    with app.workspace.client() as client:
        assert client.delete(f"/v1/keys/{key_id}").status_code == 204
    dialog(page).get_by_role("button", name="Delete", exact=True).click()
    expect(dialog(page)).to_have_count(0)
    expect(section(page, "Environments").get_by_role("row").filter(has_text="Rehearsal")).to_have_count(0)


@pytest.mark.long
def test_an_invitation_is_told_once_and_taken_back(app: App) -> None:
    page = settled(app.opens("admin", "/settings#members"))
    page.get_by_role("button", name="Invite", exact=True).click()
    dialog(page).get_by_label("Email").fill("new@example.com")
    dialog(page).get_by_label("Role").select_option("viewer")
    expect(dialog(page).get_by_label("Role").get_by_role("option", name="owner")).to_have_count(0)
    dialog(page).get_by_role("button", name="Invite", exact=True).click()
    expect(dialog(page)).to_contain_text("/invite?token=tri_")
    [link] = re.findall(r"http\S+/invite\?token=tri_[\w-]{43}", dialog(page).inner_text())
    stored(page)
    assert link[-43:] not in everything_kept(page)
    row = section(page, "Members").get_by_role("row").filter(has_text="new@example.com")
    expect(row).to_contain_text("Invited")
    row.get_by_role("button", name="Withdraw invitation for new@example.com").click()
    expect(row).to_have_count(0)


@pytest.mark.long
def test_a_role_changes_at_once_and_a_member_is_removed(app: App) -> None:
    other = add_member(app.workspace, "viewer")
    page = settled(app.opens("owner", "/settings#members"))
    row = section(page, "Members").get_by_role("row").filter(has_text=other.email)
    row.get_by_role("combobox").select_option("developer")
    expect(page.get_by_text("is now developer").first).to_be_visible()
    roles = {each["email"]: each["role"] for each in app.workspace.get("/v1/members").json()["members"]}
    assert roles[other.email] == "developer"
    row.get_by_role("button", name=re.compile("menu$")).click()
    page.get_by_role("menuitem", name="Remove").click()
    dialog(page).get_by_role("button", name="Remove").click()
    expect(dialog(page)).to_have_count(0)
    expect(row).to_have_count(0)


def test_a_token_is_told_once_and_revoked(app: App) -> None:
    page = settled(app.opens("viewer", "/settings#tokens"))
    page.get_by_role("button", name="Add token").click()
    dialog(page).get_by_label("Name").fill("weekly report")
    dialog(page).get_by_label("export").check()
    dialog(page).get_by_role("button", name="Create token").click()
    expect(dialog(page).get_by_label("I saved it")).to_be_visible()
    [secret] = re.findall(TOKEN, dialog(page).inner_text())
    stored(page)
    assert secret[12:] not in everything_kept(page)
    with app.workspace.client(secret) as client:
        assert client.get("/v1/dashboards").status_code == 200
        row = section(page, "Tokens").get_by_role("row").filter(has_text="weekly report")
        expect(row).to_contain_text("read, export")
        row.get_by_role("button", name="Revoke token weekly report").click()
        dialog(page).get_by_role("button", name="Revoke").click()
        expect(dialog(page)).to_have_count(0)
        expect(row).to_have_count(0)
        assert client.get("/v1/dashboards").status_code == 401


@pytest.mark.long
def test_signing_out_everywhere_ends_every_session(app: App) -> None:
    body = {"email": app.workspace.email, "password": PASSWORD}
    elsewhere = httpx.post(f"{app.workspace.url}/v1/auth/login", json=body).headers["x-session-token"]
    page = settled(app.opens("owner", "/settings#sessions", refused=[401]))
    page.get_by_role("button", name="Sign out everywhere").click()
    dialog(page).get_by_role("button", name="Sign out everywhere").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    with app.workspace.client(elsewhere) as client:
        assert client.get("/v1/auth/me").status_code == 401


@pytest.mark.long
def test_the_password_is_changed_and_the_session_goes_on(app: App) -> None:
    # 401: a request of the page may be under way while the session gets another token.
    page = settled(app.opens("owner", "/settings#password", refused=[400, 401]))
    page.get_by_label("Current password").fill("not my password")
    page.get_by_label("New password").fill("another long password")
    page.get_by_role("button", name="Change password").click()
    expect(section(page, "Password")).to_contain_text("is not your password")
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("Your other sessions have ended").first).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings")


@pytest.mark.long
def test_an_actor_is_erased_after_their_events_were_counted(app: App) -> None:
    events = [{"name": "x", "_actor": who} for who in ("ann", "ann", "ben")]
    assert app.workspace.send({"events": events}).status_code == 202
    page = settled(app.opens("developer", "/settings#privacy", refused=[404]))
    page.get_by_label("Actor key").fill("nobody")
    page.get_by_role("button", name="Erase actor").click()
    expect(section(page, "Privacy")).to_contain_text("This actor has no events in production.")
    page.get_by_label("Actor key").fill("ann")
    page.get_by_role("button", name="Erase actor").click()
    expect(dialog(page)).to_contain_text("2 events in production")
    erase = dialog(page).get_by_role("button", name="Erase")
    expect(erase).to_be_disabled()
    dialog(page).get_by_label("Type ann to confirm").fill("ann")
    erase.click()
    expect(page.get_by_text("Erased 2 events in production.").first).to_be_visible()
    actors = app.workspace.get("/v1/actors").json()["actors"]
    assert [each["actorKey"] for each in actors] == ["ben"]


@pytest.mark.long
def test_theme_and_single_keys_are_remembered(app: App) -> None:
    page = settled(app.opens("viewer", "/settings", theme="dark"))
    root = page.locator("html")
    expect(root).to_have_attribute("data-theme", "dark")
    theme = page.get_by_role("radiogroup", name="Theme")
    expect(theme.get_by_role("radio", name="System")).to_be_checked()
    page.emulate_media(color_scheme="light")
    expect(root).to_have_attribute("data-theme", "light")
    theme.get_by_text("Dark").click()
    page.get_by_role("switch", name="Single-key shortcuts").uncheck()
    page.reload()
    settled(page)
    expect(root).to_have_attribute("data-theme", "dark")
    expect(page.get_by_role("switch", name="Single-key shortcuts")).not_to_be_checked()
    page.keyboard.press("?")
    expect(dialog(page)).to_have_count(0)


@pytest.mark.long
def test_the_log_tells_who_did_what(app: App) -> None:
    app.workspace.make_key()
    page = settled(app.opens("admin", "/settings#audit"))
    expect(section(page, "Audit").get_by_role("row").filter(has_text="created key").first).to_contain_text("test")
    with page.expect_download() as saved:
        section(page, "Audit").get_by_role("button", name="Export").click()
    assert saved.value.path().read_bytes().startswith(b'\xef\xbb\xbf"at","by","action","subject","details"\r\n')


@pytest.mark.long
def test_a_viewer_sees_what_is_set_and_sets_nothing(app: App) -> None:
    page = settled(app.opens("viewer", "/settings"))
    expect(section(page, "Workspace")).to_contain_text("UTC")
    expect(section(page, "Workspace").get_by_role("textbox")).to_have_count(0)
    expect(section(page, "Usage")).to_contain_text("events, no limit")
    for name in ("Privacy", "Audit"):
        expect(section(page, name)).to_have_count(0)
    expect(section(page, "Members").get_by_role("combobox")).to_have_count(0)


@pytest.mark.long
def test_a_thousand_members_are_found_and_shown_in_pages(app: App) -> None:
    page = app.opens("owner", "/keys")
    members = [
        {
            "id": f"{n:08}",
            "email": f"member-{n:04}@example.com",
            "name": f"Member {n:04}",
            "role": "viewer",
            "joinedAt": "2026-01-01T00:00:00.000Z",
        }
        for n in range(1000)
    ]
    page.route("**/v1/members", lambda route: route.fulfill(json={"members": members}))
    page.goto(f"{app.workspace.url}/settings#members")
    settled(page)
    rows = section(page, "Members").get_by_role("row")
    expect(rows).to_have_count(51)
    section(page, "Members").get_by_role("button", name="Next 50").click()
    expect(rows).to_have_count(101)
    page.get_by_label("Search members").fill("member-0999")
    expect(rows).to_have_count(2)
    expect(rows.last).to_contain_text("Member 0999")
