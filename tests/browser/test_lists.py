"""The lists of actors and groups in the browser: sorted, filtered, page by page, as a file, and on phones."""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from harness.browser.app import App, axe, axe_in_both_themes, settled
from harness.browser.behind import panel, spot_path
from harness.builders.moments import ago
from harness.clients.dashboards import make_dashboard, make_segment, make_widget
from harness.clients.groups import register

CROWD = 55
"""Actors, and groups: more than a page has."""
SERVER = "1200000000000000"
"""What the ids of the groups begin with: they have 18 digits."""


@pytest.fixture(scope="module")
def crowd(shared_app: App) -> App:
    """Actor 0 has the most events, and each next one was seen later; every fifth one is on the plan "pro"."""
    events = [
        {
            "name": "came",
            "_actor": f"user-{number:02}",
            "_actorLabel": f"Somebody {number:02}",
            "_timestamp": ago(hours=CROWD - number + 1, minutes=place),
            "properties": {"plan": "free" if number % 5 else "pro", "server": f"{SERVER}{number:02}"},
        }
        for number in range(CROWD)
        for place in range(3 if number == 0 else 2 if number < 10 else 1)
    ]
    assert shared_app.workspace.send({"events": events}).status_code == 202
    register(shared_app.workspace, "server", label="Server")
    return shared_app


def rows(page: Page) -> Locator:
    return page.get_by_role("main").get_by_role("table").get_by_role("row")


def first_name(page: Page) -> Locator:
    return rows(page).nth(1).get_by_role("link")


def sort_by(page: Page, column: str) -> None:
    page.get_by_role("columnheader", name=column).get_by_role("button").click()
    expect(page.get_by_role("columnheader", name=column)).to_have_attribute("aria-sort", "descending")


def query_of(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def test_a_head_sorts_the_actors_and_the_address_keeps_it(crowd: App) -> None:
    page = settled(crowd.opens("viewer", "/actors"))
    expect(page.get_by_role("columnheader", name="Events")).to_have_attribute("aria-sort", "descending")
    expect(first_name(page)).to_have_text("Somebody 00")
    sort_by(page, "Last seen")
    expect(first_name(page)).to_have_text(f"Somebody {CROWD - 1}")
    assert query_of(page) == {"sort": ["lastSeen"]}
    expect(page.get_by_role("main")).to_contain_text("50 shown · most recent first")
    page.get_by_role("columnheader", name="First in 7 days").get_by_role("button").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("columnheader", name="First in 7 days")).to_have_attribute("aria-sort", "descending")
    page.reload()
    expect(page.get_by_role("columnheader", name="First in 7 days")).to_have_attribute("aria-sort", "descending")
    expect(first_name(page)).to_have_text(f"Somebody {CROWD - 1}")
    page.go_back()
    assert query_of(page) == {"sort": ["lastSeen"]}
    sort_by(page, "Events")
    assert query_of(page) == {}
    expect(first_name(page)).to_have_text("Somebody 00")
    assert axe_in_both_themes(page) == []


def test_filters_count_only_what_matches(crowd: App) -> None:
    page = settled(crowd.opens("viewer", "/actors?sort=lastSeen"))
    page.get_by_role("main").get_by_role("button", name="Filter", exact=True).click()
    expect(page.get_by_role("combobox", name="Filter", exact=True)).to_be_focused()
    page.keyboard.type("plan is pro")
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(1 + CROWD // 5)
    assert query_of(page) == {"f": ["plan:eq:pro"], "sort": ["lastSeen"]}
    expect(first_name(page)).to_have_text("Somebody 50")
    expect(page.get_by_role("main")).to_contain_text("counts and times of events that match")
    page.get_by_role("searchbox", name="Label or key").fill("nobody")
    expect(page.get_by_role("main")).to_contain_text(
        "a label or key that contains “nobody” and events where plan is pro"
    )
    page.get_by_role("button", name="Clear search and filters").click()
    expect(rows(page)).to_have_count(1 + 50)
    assert query_of(page) == {"sort": ["lastSeen"]}


@pytest.mark.long
def test_a_segment_filters_the_actors(crowd: App) -> None:
    segment = make_segment(crowd.workspace, name="Paying", filters=[{"key": "plan", "op": "eq", "value": "pro"}])
    page = settled(crowd.opens("viewer", f"/actors?seg={segment['id']}"))
    expect(page.get_by_role("group", name="Segment Paying")).to_be_visible()
    expect(rows(page)).to_have_count(1 + CROWD // 5)


def test_the_list_goes_on_in_its_order_and_is_a_file(crowd: App) -> None:
    page = settled(crowd.opens("viewer", "/actors?sort=lastSeen"))
    expect(rows(page)).to_have_count(1 + 50)
    page.get_by_role("button", name="Next 50").click()
    expect(rows(page)).to_have_count(1 + CROWD)
    expect(page.get_by_role("button", name="Next 50")).to_have_count(0)
    expect(rows(page).last.get_by_role("link")).to_have_text("Somebody 00")
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save as CSV").click()
    assert saving.value.suggested_filename == "actors.csv"
    head, first, *_ = Path(saving.value.path()).read_text(encoding="utf-8-sig").splitlines()
    assert head == '"actorKey","label","eventCount","firstSeen","lastSeen"'
    assert first.startswith(f'"user-{CROWD - 1}","Somebody {CROWD - 1}",1,')


def test_groups_are_sorted_and_filtered_too(crowd: App) -> None:
    page = settled(crowd.opens("viewer", "/groups"))
    expect(first_name(page)).to_have_text(f"{SERVER}00")
    sort_by(page, "Last seen")
    expect(first_name(page)).to_have_text(f"{SERVER}{CROWD - 1}")
    assert query_of(page) == {"sort": ["lastSeen"]}
    page.goto(f"{crowd.workspace.url}/groups?f=plan:eq:pro")
    expect(rows(page)).to_have_count(1 + CROWD // 5)
    assert axe(page) == []


@pytest.mark.parametrize("path", ["/actors", "/groups"])
def test_a_wide_window_shows_the_trends_of_all_rows_by_one_question(crowd: App, path: str) -> None:
    """A narrower one neither shows nor asks for them."""
    asked: list[str] = []
    page = crowd.blank("viewer", size=(1024, 768))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(crowd.workspace.url + path)
    settled(page)
    assert [url for url in asked if url.endswith("/v1/query")] == []
    expect(page.get_by_role("columnheader", name="Trend")).to_have_count(0)
    page.set_viewport_size({"width": 1440, "height": 900})
    bars = page.get_by_role("main").locator("td svg").filter(has=page.locator("path[d^=M]"))
    expect(bars).to_have_count(50)
    assert len([url for url in asked if url.endswith("/v1/query")]) == 1


def test_a_group_has_the_number_of_its_actors(crowd: App) -> None:
    page = settled(crowd.opens("viewer", "/groups"))
    expect(page.get_by_role("columnheader", name="Actors")).to_be_visible()
    expect(rows(page).nth(1).get_by_role("cell").nth(1)).to_have_text("3")
    expect(rows(page).nth(1).get_by_role("cell").nth(4)).to_have_text("1")


def test_the_week_of_a_group_is_bars_of_its_days(crowd: App) -> None:
    page = settled(crowd.opens("viewer", f"/groups/{SERVER}00"))
    expect(page.get_by_role("region", name="Events", exact=True)).to_contain_text("events per day")
    page.goto(f"{crowd.workspace.url}/groups/{SERVER}{CROWD - 1}?range=24h")
    expect(settled(page).get_by_role("region", name="Events", exact=True)).to_contain_text("events per hour")


@pytest.mark.parametrize("path", ["/actors", "/groups"])
@pytest.mark.parametrize(("size", "most_lines"), [((390, 844), 1), ((320, 640), 2)])
def test_a_phone_shows_names_and_ids_whole(crowd: App, path: str, size: tuple[int, int], most_lines: int) -> None:
    page = settled(crowd.opens("viewer", path, size=size))
    assert lines_of(first_name(page)) <= most_lines
    assert first_name(page).evaluate(
        "link => link.closest('td').firstChild.scrollWidth <= link.closest('td').firstChild.clientWidth"
    )
    table = page.get_by_role("main").get_by_role("table")
    assert table.evaluate("table => table.scrollWidth <= table.parentElement.clientWidth")


def lines_of(text: Locator) -> int:
    """How many lines a text takes."""
    count: int = text.evaluate("""element => {
        const range = document.createRange()
        range.selectNodeContents(element)
        return new Set([...range.getClientRects()].map(({top}) => Math.round(top))).size
    }""")
    return count


def test_fifty_actors_fit_on_two_screens(crowd: App) -> None:
    page = settled(crowd.opens("viewer", "/actors"))
    height = page.evaluate("document.documentElement.scrollHeight")
    assert height <= 2 * 900 + 60


def test_the_panel_lists_all_groups_behind_a_number(crowd: App) -> None:
    board = make_dashboard(crowd.workspace, name="Visits", timeRange="7d")
    config = {"event": "came", "measure": "count"}
    widget = make_widget(crowd.workspace, board["id"], type="metric", title="Visits", config=config)
    path = spot_path({"id": board["id"], "widgets": [widget]}, "Visits", None)
    page = settled(crowd.opens("viewer", f"{path}&tab=groups"))
    groups = panel(page).get_by_role("list", name="Groups behind this number").get_by_role("listitem")
    expect(groups).to_have_count(50)
    expect(panel(page).get_by_role("tab", name="50+ groups")).to_be_visible()
    panel(page).get_by_role("button", name="Show more").click()
    expect(groups).to_have_count(CROWD)
    expect(panel(page).get_by_role("tab", name=f"{CROWD} groups")).to_be_visible()
    expect(groups.first).to_contain_text(f"{SERVER}00")


def test_a_phone_shows_the_panel_with_whole_names_and_ids(crowd: App) -> None:
    board = make_dashboard(crowd.workspace, name="Visits on the way", timeRange="7d")
    config = {"event": "came", "measure": "count"}
    widget = make_widget(crowd.workspace, board["id"], type="metric", title="Visits", config=config)
    path = spot_path({"id": board["id"], "widgets": [widget]}, "Visits", None)
    page = settled(crowd.opens("viewer", path, size=(320, 640)))
    row = panel(page).get_by_role("list", name="Who is behind this number").get_by_role("listitem").first
    for text in ("Somebody 00", "user-00"):
        part = row.get_by_text(text)
        assert part.evaluate("element => element.scrollWidth <= element.clientWidth")
        assert lines_of(part) == 1


def test_a_phone_shows_what_is_known_of_a_dashboard(crowd: App) -> None:
    make_dashboard(crowd.workspace, name="Empty", isPublic=True)
    page = settled(crowd.opens("viewer", "/dashboards", size=(390, 844)))
    row = rows(page).filter(has=page.get_by_role("link", name="Empty"))
    for text in ("production", "0 widgets", "published", re.compile("ago$|^now$")):
        expect(row.get_by_text(text).locator("visible=true").first).to_be_visible()


def test_a_dashboard_says_what_it_is_for_and_who_created_it(crowd: App) -> None:
    make_dashboard(crowd.workspace, name="Releases", description="What each release did to visits")
    page = settled(crowd.opens("viewer", "/dashboards"))
    row = rows(page).filter(has=page.get_by_role("link", name="Releases"))
    expect(row).to_contain_text("What each release did to visits")
    owner_name = crowd.workspace.get("/v1/auth/me").json()["user"]["name"]
    expect(row.get_by_role("cell").nth(5)).to_have_text(owner_name)


@pytest.mark.parametrize("width", [390, 320])
def test_a_phone_shows_the_start_of_a_token_in_one_line(crowd: App, width: int) -> None:
    crowd.workspace.make_token("read")
    page = settled(crowd.opens("owner", "/settings", size=(width, 844)))
    assert lines_of(page.get_by_role("table", name="Personal access tokens").get_by_role("code").first) == 1
