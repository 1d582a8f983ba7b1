"""Share says card by card what becomes public, and rows are public only where somebody says so (rules/boards#published-rows)."""

from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from harness.browser.app import DESK, PHONE, App, Tabs, axe, settled
from harness.clients.dashboards import make, make_dashboard, make_widget
from harness.clients.workspace import sign_up
from harness.servers.server import Server

SECRET = "canary"
COLUMNS = ["time", "actor", "prop:plan", "prop:server"]
NEWEST = "publishes 4 columns of individual events: time, actor (masked), plan, server (masked)"
WITHHELD = "publishes its column names, but no rows: time, actor, plan, server"
COUNTED = {"event": "x", "measure": "count"}


@pytest.fixture
def app(tabs: Tabs, server: Server) -> App:
    workspace = sign_up(server.url)
    properties = {"plan": f"{SECRET}-plan", "server": f"{SECRET}-server"}
    assert workspace.send({"name": "x", "_actor": f"{SECRET}-actor", "properties": properties}).status_code == 202
    make(workspace, "/v1/groups/keys", {"propKey": "server"})
    return App(tabs, workspace)


@pytest.fixture
def board(app: App) -> Any:
    made = make_dashboard(app.workspace, name="Shown")
    make_widget(app.workspace, made["id"], title="Plans", type="metric", config=COUNTED | {"breakdown": "server"})
    make_widget(app.workspace, made["id"], title="Newest", type="table", config={"columns": COLUMNS})
    return made


def opens_share(page: Page) -> Locator:
    page.get_by_role("button", name="Dashboard menu").click()
    page.get_by_role("menuitem", name="Share").click()
    return page.get_by_role("dialog")


def listed(dialog: Locator) -> list[str]:
    return [each.inner_text().replace("\n", " ") for each in dialog.get_by_role("listitem").all()]


def rows_in_public(app: App, board: Any) -> list[Any]:
    with app.workspace.client() as client:
        slug = client.get(f"/v1/dashboards/{board['id']}").json()["slug"]
    page = f"{app.workspace.url}/v1/public/dashboards/{slug}"
    [table] = [each["id"] for each in httpx.get(page).json()["widgets"] if each["type"] == "table"]
    found: list[Any] = httpx.post(f"{page}/widgets/{table}/data").json()["rows"]
    return found


@pytest.mark.long
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_share_lists_what_becomes_public_and_publishes_rows_only_when_told(
    app: App, board: Any, size: tuple[int, int]
) -> None:
    page = settled(app.opens("owner", f"/d/{board['id']}", size=size))
    dialog = opens_share(page)
    expect(dialog.get_by_role("heading", name="What will be public")).to_be_visible()
    expect(dialog.get_by_role("listitem").first).to_have_text(
        "Plans publishes numbers for each value of server (masked)"
    )
    expect(dialog.get_by_role("listitem").nth(1)).to_contain_text(f"Newest {WITHHELD}")
    assert "never single events" not in dialog.inner_text()
    assert axe(page) == []
    dialog.get_by_role("switch", name="Published").click()
    expect(dialog.get_by_role("heading", name="What is public")).to_be_visible()
    assert rows_in_public(app, board) == []
    rows = dialog.get_by_role("switch", name="Publish the rows of Newest")
    rows.click()
    expect(dialog.get_by_role("listitem").nth(1)).to_contain_text(f"Newest {NEWEST}")
    expect(rows).to_be_checked()
    settled(page)  # what is being changed is shown as if it were
    assert len(rows_in_public(app, board)) == 1
    rows.click()
    expect(rows).not_to_be_checked()
    settled(page)
    assert rows_in_public(app, board) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_the_form_of_a_table_publishes_rows_too_and_a_copy_does_not(app: App, board: Any) -> None:
    page = settled(app.opens("owner", f"/d/{board['id']}"))
    card(page, "Newest").get_by_role("button", name="Widget menu").click()
    page.get_by_role("menuitem", name="Edit widget").click()
    page.get_by_role("switch", name="Publish rows").click()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(card(page, "Newest")).to_be_visible()
    card(page, "Newest").get_by_role("button", name="Widget menu").click()
    page.get_by_role("menuitem", name="Duplicate").click()
    expect(card(page, "Newest")).to_have_count(2)
    page.get_by_role("button", name="Dashboard menu").click()
    page.get_by_role("menuitem", name="Duplicate").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Shown (copy)")
    with app.workspace.client() as client:
        boards = {each["name"]: each["id"] for each in client.get("/v1/dashboards").json()["dashboards"]}
        published = {
            name: [each["publishRows"] for each in client.get(f"/v1/dashboards/{id_}").json()["widgets"]]
            for name, id_ in boards.items()
        }
    assert published == {"Shown": [False, True, False], "Shown (copy)": [False, False, False]}


@pytest.mark.long
@pytest.mark.parametrize("embed", ["", "?embed=1"])
def test_the_public_page_says_that_rows_are_not_published(app: App, board: Any, embed: str) -> None:
    with app.workspace.client() as client:
        slug = client.patch(f"/v1/dashboards/{board['id']}", json={"isPublic": True}).json()["slug"]
    page = app.blank("public")
    page.goto(f"{app.workspace.url}/p/{slug}{embed}")
    settled(page)
    table = card(page, "Newest")
    expect(table).to_contain_text("Rows aren't published")
    assert table.get_by_role("columnheader").all_inner_texts() == ["Time", "Actor", "plan", "server"]
    assert axe(page) == []
    table.get_by_role("button", name="Widget menu").click()
    page.get_by_role("menuitem", name="View as table").click()
    expect(table).to_contain_text("Rows aren't published")
    table.get_by_role("button", name="Widget menu").click()
    with page.expect_download() as saving:
        page.get_by_role("menuitem", name="Save as CSV").click()
    assert saving.value.path().read_bytes() == b'\xef\xbb\xbf"Time","Actor","plan","server"\r\n'
    assert SECRET not in page.content()


def card(page: Page, title: str) -> Locator:
    return page.get_by_role("main").get_by_role("region", name=title, exact=True)
