"""What a role may not do is not on its pages; a page for a higher role says which one (rules/people#roles)."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from harness.app import App, settled
from harness.dashboards import make_dashboard, make_widget

WRITES = re.compile(
    r"^(New|Create|Add widget|Edit|Delete|Duplicate|Share|Save(?! as CSV)|Register|Revoke|Hide|Show again|Rename|Invite|Move|Annotate)\b"
)
"""How controls are called that change something."""

PAGES = [
    "/start",
    "/dashboards",
    "/d/{board}",
    "/d/{board}?edit=1",
    "/events",
    "/actors",
    "/actors/ann",
    "/groups",
    "/keys",
]


@pytest.fixture
def board(app: App) -> Any:
    assert app.workspace.send({"name": "order.placed", "_actor": "ann"}).status_code == 202
    made = make_dashboard(app.workspace, name="Orders")
    config = {"event": "order.placed", "measure": "count", "overTime": True}
    return made | {"widget": make_widget(app.workspace, made["id"], type="metric", title="Placed", config=config)}


def controls(page: Page) -> list[str]:
    """The names of everything that can be pressed, in menus that are closed as well."""
    found: list[str] = []
    for role in ("button", "link", "menuitem", "switch", "checkbox"):
        found += [
            (each.get_attribute("aria-label") or each.inner_text()).strip() for each in page.get_by_role(role).all()
        ]
    return found


def writes(page: Page) -> list[str]:
    found = controls(page)
    for menu in page.get_by_role("main").get_by_role("button", name=re.compile("menu$")).all():
        menu.click()
        found += [item.inner_text() for item in page.get_by_role("menuitem").all()]
        page.keyboard.press("Escape")
    return [name for name in found if WRITES.match(name)]


@pytest.mark.parametrize("path", PAGES)
def test_a_viewer_meets_no_control_that_writes(app: App, board: Any, path: str) -> None:
    page = settled(app.opens("viewer", path.format(board=board["id"])))
    assert writes(page) == []
    assert controls(page)


@pytest.mark.parametrize("path", ["/dashboards", "/d/{board}", "/keys"])
def test_a_developer_meets_them(app: App, board: Any, path: str) -> None:
    page = settled(app.opens("developer", path.format(board=board["id"])))
    assert writes(page) != []


@pytest.mark.parametrize("widget", ["new", "{widget}"])
def test_the_editor_tells_a_viewer_which_role_it_needs(app: App, board: Any, widget: str) -> None:
    name = widget.format(widget=board["widget"]["id"])
    page = settled(app.opens("viewer", f"/d/{board['id']}/w/{name}"))
    expect(page.get_by_role("main")).to_contain_text("Developer role")
    expect(page.get_by_role("textbox")).to_have_count(0)


def test_a_write_that_is_sent_all_the_same_is_refused_in_words(app: App, board: Any) -> None:
    """Whoever loses the role while the page is open still sees the buttons."""
    page = settled(app.opens("developer", f"/d/{board['id']}", refused=[403]))
    with app.workspace.client() as client:
        [member] = [row for row in client.get("/v1/members").json()["members"] if row["role"] == "developer"]
        assert client.patch(f"/v1/members/{member['id']}", json={"role": "viewer"}).status_code == 200
    page.get_by_role("button", name="Widget menu").click()
    page.get_by_role("menuitem", name="Duplicate").click()
    expect(page.get_by_text("This needs the role developer or higher", exact=False).first).to_be_visible()
