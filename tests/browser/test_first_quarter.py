"""What people meet in their first quarter of an hour, in the browser: it follows what they do, and says what they need to know."""

import re

import pytest
from playwright.sync_api import Page, expect

from harness.browser.app import App, settled
from harness.clients.dashboards import make_dashboard
from harness.clients.workspace import PASSWORD

SCREEN = (1366, 650)
"""What the bars of a browser leave of a screen of 1366 by 768."""

LOCAL = re.compile(r"Only this machine can open http://127\.0\.0\.1:\d+")


@pytest.fixture
def board(app: App) -> str:
    """A dashboard over events of three names."""
    events = [
        {"name": name, "properties": {"total": 3}}
        for name, count in (("a", 3), ("b", 2), ("c", 1))
        for _ in range(count)
    ]
    assert app.workspace.send({"events": events}).status_code == 202
    return str(make_dashboard(app.workspace, name="Shop", isPublic=True)["id"])


def editor(app: App, board: str, kind: str) -> Page:
    return settled(app.opens("owner", f"/d/{board}/w/new?kind={kind}"))


@pytest.mark.long
def test_the_last_use_of_a_key_follows(app: App) -> None:
    page = settled(app.opens("owner", "/keys"))
    row = page.get_by_role("row").filter(has_text="tr_")
    expect(row).to_contain_text("never")
    assert app.workspace.send({"name": "a"}).status_code == 202
    expect(row).to_contain_text("now", timeout=10_000)


@pytest.mark.long
def test_every_step_to_the_first_event_is_ticked_when_it_is_done(app: App) -> None:
    page = settled(app.opens("owner", "/start"))
    steps = page.get_by_role("main").get_by_role("heading", level=3)
    expect(steps).to_have_count(3)
    expect(steps.filter(has_text="done")).to_have_count(0)
    assert app.workspace.send({"name": "a"}).status_code == 202
    expect(steps.filter(has_text="done")).to_have_count(3)


@pytest.mark.long
def test_a_small_screen_shows_the_whole_navigation(app: App) -> None:
    page = settled(app.opens("owner", "/keys", size=SCREEN))
    navigation = page.get_by_role("banner")
    assert navigation.evaluate("side => side.scrollHeight <= side.clientHeight")
    for link in navigation.get_by_role("link").all():
        box = link.bounding_box()
        assert box
        assert box["height"] >= 24
    expect(navigation.get_by_role("button", name="Shortcuts")).to_be_in_viewport(ratio=1)


@pytest.mark.long
def test_usage_draws_the_events_of_each_day(app: App, board: str) -> None:
    assert board
    page = settled(app.opens("owner", "/settings"))
    usage = page.get_by_role("region", name="Usage")
    expect(
        usage.get_by_role("img", name=re.compile(r"^Events per day in \w+, most on \d+ \w+: 6 events$"))
    ).to_be_visible()


@pytest.mark.long
def test_a_further_step_measure_or_number_begins_with_another_event(app: App, board: str) -> None:
    page = editor(app, board, "funnel")
    page.get_by_role("button", name="Step", exact=True).click()
    for at, name in enumerate("abc"):
        expect(page.get_by_role("combobox", name=f"Step {at + 1}")).to_have_value(name)
    for kind, button in (("formula", "Measure c"), ("kpi", "Number")):
        page = editor(app, board, kind)
        page.get_by_role("button", name=button, exact=True).click()
        expect(page.get_by_role("combobox", name="Event", exact=True).last).to_have_value("b")


@pytest.mark.long
def test_after_signing_in_the_focus_is_on_the_title(app: App) -> None:
    page = app.blank("public", refused=[401])
    page.goto(app.workspace.url)
    page.get_by_role("textbox", name="Email").fill(app.workspace.email)
    page.get_by_role("textbox", name="Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="First event")).to_be_focused()


def test_whoever_arranges_a_dashboard_by_its_key_has_the_focus_on_the_title(app: App, board: str) -> None:
    page = settled(app.opens("owner", f"/d/{board}"))
    page.keyboard.press("e")
    expect(page.get_by_role("button", name="Done")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.get_by_role("button", name="Done").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_be_focused()


@pytest.mark.long
def test_an_invitation_is_for_a_viewer_at_first(app: App) -> None:
    page = settled(app.opens("owner", "/settings"))
    page.get_by_role("button", name="Invite", exact=True).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("combobox", name="Role")).to_have_value("viewer")
    dialog.get_by_role("textbox", name="Email").fill("ann@example.com")
    dialog.get_by_role("button", name="Invite", exact=True).click()
    expect(dialog).to_contain_text(LOCAL)


@pytest.mark.long
def test_addresses_say_when_only_this_machine_can_open_them(app: App, board: str) -> None:
    page = settled(app.opens("owner", f"/d/{board}"))
    page.get_by_role("button", name="Dashboard menu").click()
    page.get_by_role("menuitem", name="Share").click()
    expect(page.get_by_role("dialog")).to_contain_text(LOCAL)
    page = settled(app.opens("owner", "/bots/image"))
    page.get_by_role("button", name="Paste CSV or JSON").click()
    page.get_by_label("CSV or JSON points").fill("Teapot,2026-11-01,900\nTeapot,2026-11-02,1200")
    page.get_by_role("dialog").get_by_role("button", name="Add").click()
    expect(page.get_by_role("main")).to_contain_text(LOCAL)
