"""API keys in the browser: shown once, kept nowhere, revoked by name (rules/people#api-key)."""

import re

import pytest
from playwright.sync_api import Page, expect

from harness.browser.app import App, everything_kept, settled

SECRET = r"tr_(?:live|test)_[A-Za-z0-9]{38}"
EVENT = {"name": "order.placed", "_actor": "ann"}


def make(page: Page, name: str, environment: str) -> str:
    """Make a key by the page; returns its secret, with the dialog still open."""
    page.get_by_role("button", name="Create key").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_label("Environment").select_option(environment)
    dialog.get_by_role("button", name="Create key").click()
    expect(dialog.get_by_label("I saved it")).to_be_visible()
    [secret] = set(re.findall(SECRET, dialog.inner_text()))
    return str(secret)


@pytest.mark.long
@pytest.mark.parametrize("environment", ["production", "development"])
def test_a_new_key_is_shown_once_and_kept_nowhere(app: App, environment: str) -> None:
    page = settled(app.opens("developer", "/keys"))
    secret = make(page, "Web shop", environment)
    dialog = page.get_by_role("dialog")
    close = dialog.get_by_role("button", name="Close", exact=True)
    expect(close).to_be_disabled()
    page.keyboard.press("Escape")
    expect(dialog).to_be_visible()
    assert app.workspace.send(EVENT, key=secret).status_code == 202
    dialog.get_by_label("I saved it").check()
    close.click()
    for _ in ("closed", "reloaded"):
        expect(page.get_by_role("row").filter(has_text="Web shop")).to_contain_text(secret[:12])
        assert secret not in everything_kept(page)
        assert secret[12:] not in everything_kept(page)
        page.reload()
        settled(page)


def test_the_dialog_says_what_each_kind_may_do_and_the_list_shows_it(app: App) -> None:
    page = settled(app.opens("developer", "/keys"))
    expect(page.get_by_role("row").filter(has_text=app.workspace.key[:12])).to_contain_text("Secret")
    page.get_by_role("button", name="Create key").click()
    dialog = page.get_by_role("dialog")
    kind = dialog.get_by_label("Kind")
    expect(kind).to_have_value("ingest")
    expect(kind).to_have_accessible_description(re.compile("sends events and reads nothing.*also reads actors"))
    dialog.get_by_label("Name").fill("Bot")
    dialog.get_by_role("button", name="Create key").click()
    expect(dialog).to_contain_text("read nothing")
    [secret] = set(re.findall(SECRET, dialog.inner_text()))
    expect(dialog.get_by_role("tabpanel")).to_contain_text(f'Tallyroom("{secret}", "')
    expect(dialog.get_by_role("status")).to_have_text("Waiting for the first event…")
    assert app.workspace.send(EVENT, key=secret).status_code == 202
    expect(dialog.get_by_role("status")).to_have_text("The first event has arrived.", timeout=10_000)
    assert app.workspace.get("/v1/actors", token=secret).status_code == 403
    dialog.get_by_label("I saved it").check()
    dialog.get_by_role("button", name="Close", exact=True).click()
    expect(page.get_by_role("row").filter(has_text="Bot")).to_contain_text("Ingest")


@pytest.mark.parametrize("width", [1280, 320])
def test_a_key_gets_another_name(app: App, width: int) -> None:
    page = settled(app.opens("developer", "/keys", size=(width, 800)))
    row = page.get_by_role("row").filter(has_text=app.workspace.key[:12])
    row.get_by_role("button", name=re.compile("Rename")).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Bot of the shop")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    expect(row).to_contain_text("Bot of the shop")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert app.workspace.send(EVENT).status_code == 202


def test_a_phone_says_when_a_key_was_used(app: App) -> None:
    page = settled(app.opens("viewer", "/keys", size=(390, 844)))
    expect(page.get_by_text("never used")).to_be_visible()
    assert app.workspace.send(EVENT).status_code == 202
    expect(page.get_by_text("used now")).to_be_visible(timeout=10_000)


@pytest.mark.long
def test_a_revoked_key_is_gone_and_sends_nothing(app: App) -> None:
    page = settled(app.opens("developer", "/keys"))
    row = page.get_by_role("row").filter(has_text=app.workspace.key[:12])
    expect(row).to_be_visible()
    row.get_by_role("button", name=re.compile("Revoke")).click()
    dialog = page.get_by_role("dialog")
    revoke = dialog.get_by_role("button", name="Revoke")
    expect(revoke).to_be_disabled()
    dialog.get_by_role("textbox").fill(app.workspace.key[:12])
    revoke.click()
    expect(dialog).to_have_count(0)
    expect(row).to_have_count(0)
    assert app.workspace.send(EVENT).status_code == 401


def test_a_viewer_sees_keys_and_makes_none(app: App) -> None:
    page = settled(app.opens("viewer", "/keys"))
    expect(page.get_by_role("row").filter(has_text=app.workspace.key[:12])).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Create|Rename|Revoke"))).to_have_count(0)
