"""Environments in the browser: by the names that people gave them, under their own names in every address."""

import pytest
from playwright.sync_api import Locator, Page, expect

from harness.browser.app import App, axe, settled
from harness.clients.dashboards import make_dashboard, make_widget

COUNT = {"events": "all", "measure": "count"}


def chosen(page: Page) -> Locator:
    """Whose events the page shows."""
    return page.get_by_role("combobox", name="Environment")


def to_count(page: Page) -> Locator:
    """Whose events a new dashboard counts."""
    return page.get_by_role("combobox", name="Environment")


def hint(page: Page) -> Locator:
    """Says of an empty board where the events are."""
    return page.get_by_role("status").filter(has_text="has no events yet")


def send(app: App, environment: str, **event: object) -> None:
    """Send an event to an environment."""
    key, _ = app.workspace.make_key(environment)
    answer = app.workspace.send({"name": "bot.used", "_actor": "ann", **event}, key=key)
    assert answer.status_code == 202, answer.text


def board_of(app: App, environment: str) -> str:
    """The address of a dashboard with one number."""
    board = make_dashboard(app.workspace, name="Orders", environment=environment)["id"]
    make_widget(app.workspace, board, type="metric", title="Events", config=COUNT)
    make_widget(app.workspace, board, title="Words")
    return f"/d/{board}"


def environments(app: App) -> list[str]:
    """Whose events the dashboards count."""
    return [each["environment"] for each in app.workspace.get("/v1/dashboards").json()["dashboards"]]


@pytest.fixture
def named(app: App) -> None:
    with app.workspace.client() as client:
        answer = client.patch("/v1/environments/development", json={"displayName": "Our laptops"})
    assert answer.status_code == 200, answer.text


@pytest.mark.long
@pytest.mark.usefixtures("named")
def test_an_environment_is_shown_by_the_name_that_people_gave_it(app: App) -> None:
    make_dashboard(app.workspace, name="Orders", environment="development")
    page = settled(app.opens("owner", "/actors"))
    page.get_by_role("combobox", name="Environment").select_option(label="Our laptops")
    settled(page)
    assert "env=development" in page.url
    expect(page.get_by_role("main")).to_contain_text("development")
    page.goto(f"{app.workspace.url}/dashboards")
    expect(page.get_by_role("row").filter(has_text="Orders")).to_contain_text("Our laptops")
    page.get_by_role("link", name="Orders").click()
    expect(chosen(page)).to_have_value("development")
    expect(chosen(page).get_by_role("option", selected=True)).to_have_text("Our laptops")


@pytest.mark.long
def test_the_pages_after_the_start_page_show_what_was_sent_from_there(app: App) -> None:
    page = settled(app.opens("owner", "/start"))
    expect(chosen(page)).to_have_value("development")
    page.get_by_role("link", name="Skip for now").click()
    expect(to_count(page)).to_have_value("development")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Events", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Events")
    expect(chosen(page)).to_have_value("development")


@pytest.mark.long
def test_the_first_dashboard_shows_the_first_event(app: App) -> None:
    page = settled(app.opens("owner", "/start"))
    send(app, "development")
    page.get_by_role("link", name="Create dashboard from this event").click()
    page.get_by_role("button", name="Onboarding funnel").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Onboarding funnel")
    expect(chosen(page)).to_have_value("development")
    expect(page.get_by_role("region", name="Who started")).to_contain_text("1")
    assert environments(app) == ["development"]


@pytest.mark.long
def test_a_new_dashboard_counts_the_environment_that_has_events(app: App) -> None:
    send(app, "development")
    page = settled(app.opens("developer", "/dashboards"))
    expect(to_count(page)).to_have_value("development")
    assert axe(page, "main") == []
    page.get_by_role("button", name="New dashboard").click()
    expect(page.get_by_role("menuitem", name="Blank")).to_contain_text("development")
    page.get_by_role("menuitem", name="Bot overview").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Bot overview")
    settled(page)
    expect(hint(page)).to_have_count(0)
    assert environments(app) == ["development"]


@pytest.mark.long
def test_a_new_dashboard_counts_what_somebody_chose(app: App) -> None:
    send(app, "development")
    page = settled(app.opens("developer", "/dashboards"))
    to_count(page).select_option("production")
    page.get_by_role("button", name="Bot overview").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Bot overview")
    expect(chosen(page)).to_have_value("production")
    assert environments(app) == ["production"]


@pytest.mark.long
def test_an_empty_board_leads_to_the_events_by_one_click_that_can_be_undone(app: App) -> None:
    send(app, "development")
    page = settled(app.opens("developer", board_of(app, "production")))
    expect(hint(page)).to_have_text("production has no events yet, but development does.Show development instead")
    assert axe(page, "main") == []
    hint(page).get_by_role("button", name="Show development instead").click()
    expect(page.get_by_role("region", name="Events")).to_contain_text("1")
    expect(hint(page)).to_have_count(0)
    assert environments(app) == ["development"]
    page.get_by_role("button", name="Undo").click()
    expect(hint(page)).to_be_visible()
    assert environments(app) == ["production"]


@pytest.mark.long
def test_an_empty_board_leads_a_viewer_to_the_events(app: App) -> None:
    send(app, "development")
    page = settled(app.opens("viewer", board_of(app, "production")))
    expect(page.get_by_title("production")).to_have_text("production")
    expect(chosen(page)).to_have_count(0)
    expect(hint(page).get_by_role("button")).to_have_count(0)
    hint(page).get_by_role("link", name="Show events in development").click()
    expect(page.get_by_role("row").filter(has_text="bot.used")).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("filled", [True, False])
def test_only_a_board_of_zeros_asks_where_the_events_are(app: App, filled: bool) -> None:
    if filled:
        send(app, "production")
    page = app.blank("developer")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(app.workspace.url + board_of(app, "production"))
    for _ in range(10):  # what asks comes once the answers are there
        settled(page)
    assert bool([url for url in asked if "/v1/events?" in url]) is not filled
    expect(hint(page)).to_have_count(0)


@pytest.mark.long
def test_a_developer_chooses_whose_events_a_board_counts(app: App) -> None:
    for environment in ("production", "development"):
        send(app, environment)
    send(app, "development")
    page = settled(app.opens("developer", board_of(app, "production")))
    page.keyboard.press("v")
    expect(chosen(page)).to_be_focused()
    chosen(page).select_option("development")
    expect(page.get_by_role("region", name="Events")).to_contain_text("2")
    assert environments(app) == ["development"]


def test_a_published_board_asks_before_strangers_see_other_numbers(app: App) -> None:
    path = board_of(app, "production")
    with app.workspace.client() as client:
        answer = client.patch(path.replace("/d/", "/v1/dashboards/"), json={"isPublic": True})
    assert answer.status_code == 200, answer.text
    page = settled(app.opens("developer", path))
    chosen(page).select_option("development")
    dialog = page.get_by_role("dialog", name="Show development")
    expect(dialog).to_contain_text("Anyone with its link will see the numbers from development")
    dialog.get_by_role("button", name="Cancel").click()
    expect(chosen(page)).to_have_value("production")
    assert environments(app) == ["production"]
    chosen(page).select_option("development")
    dialog.get_by_role("button", name="Show development").click()
    expect(chosen(page)).to_have_value("development")
    expect(dialog).to_have_count(0)
    assert environments(app) == ["development"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("path", "registered"),
    [("/events", False), ("/actors", False), ("/actors/ann", False), ("/groups", False), ("/groups", True)],
)
def test_an_empty_page_leads_to_the_environment_that_has_events(app: App, path: str, registered: bool) -> None:
    send(app, "development", properties={"team": "Acme"})
    if registered:
        with app.workspace.client() as client:
            assert client.post("/v1/groups/keys", json={"propKey": "team"}).status_code == 201
    page = settled(app.opens("developer", path, refused=[404]))
    expect(page.get_by_text("development has events.")).to_be_visible()
    page.get_by_role("button", name="Show development").click()
    expect(chosen(page)).to_have_value("development")
    expect(page.get_by_text("development has events.")).to_have_count(0)
