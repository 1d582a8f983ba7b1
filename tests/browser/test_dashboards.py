"""Dashboards in the browser: looked at, filtered by the address, arranged by keys, made from templates."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Request, expect

from harness.browser.app import App, settled, take
from harness.clients.dashboards import make_dashboard, make_widget

TITLES = ["First", "Second", "Third"]
MOST_SHIFTED = 0.02
"""Of the window, by the measure of browsers (CLS)."""
SHIFTS = """
    window.shifted = 0
    new PerformanceObserver(list => {
        for (const shift of list.getEntries()) if (!shift.hadRecentInput) window.shifted += shift.value
    }).observe({type: 'layout-shift', buffered: true})
"""
COUNTER = {"event": "order.placed", "measure": "count"}


@pytest.fixture
def board(app: App) -> Any:
    """A dashboard of three widgets over two events."""
    events = [{"name": "order.placed", "_actor": f"a{n}", "properties": {"total": n}} for n in range(4)]
    assert app.workspace.send({"events": events}).status_code == 202
    made = make_dashboard(app.workspace, name="Orders")
    for title in TITLES:
        make_widget(app.workspace, made["id"], type="metric", title=title, config=COUNTER, layout={"w": 4, "h": 2})
    return saved(app, made["id"])


def saved(app: App, dashboard_id: str) -> Any:
    return app.workspace.get(f"/v1/dashboards/{dashboard_id}").json()


@pytest.fixture
def asked() -> list[Request]:
    """The requests that change something or ask for data, once `watch` listens to a page."""
    return []


def watch(page: Page, asked: list[Request]) -> None:
    def sees(request: Request) -> None:
        if request.method != "GET":
            asked.append(request)

    page.on("request", sees)


def card(page: Page, title: str) -> Locator:
    return page.get_by_role("main").get_by_role("region", name=title, exact=True)


def titles(page: Page) -> list[str]:
    return [
        name for name in page.get_by_role("main").get_by_role("heading", level=2).all_inner_texts() if name in TITLES
    ]


def asks_for_data(request: Request) -> bool:
    return request.url.endswith("/data")


@pytest.mark.long
def test_another_span_stands_in_the_address_asks_once_and_can_be_saved(
    app: App, board: Any, asked: list[Request]
) -> None:
    page = settled(app.opens("owner", f"/d/{board['id']}"))
    watch(page, asked)
    save = page.get_by_role("button", name="Save as default")
    expect(save).to_have_count(0)
    take(page.get_by_role("radio", name="30d"))
    settled(page)
    assert page.url.endswith("?range=30d")
    assert len([request for request in asked if asks_for_data(request)]) == len(TITLES)
    page.go_back()
    expect(page.get_by_role("radio", name="7d")).to_be_checked()
    assert "range" not in page.url
    take(page.get_by_role("radio", name="30d"))
    save.click()
    expect(save).to_have_count(0)
    assert [request.method for request in asked if not asks_for_data(request)] == ["PATCH"]
    assert saved(app, board["id"])["timeRange"] == "30d"
    page.goto(f"{app.workspace.url}/d/{board['id']}")
    expect(page.get_by_role("radio", name="30d")).to_be_checked()


@pytest.mark.long
def test_what_differs_can_be_reset(app: App, board: Any) -> None:
    page = settled(app.opens("viewer", f"/d/{board['id']}?range=30d"))
    expect(page.get_by_role("radio", name="30d")).to_be_checked()
    expect(page.get_by_role("button", name="Save as default")).to_have_count(0)
    page.get_by_role("button", name="Reset").click()
    expect(page.get_by_role("radio", name="7d")).to_be_checked()


@pytest.mark.long
def test_a_deleted_widget_comes_back_to_its_place_and_one_press_opens_its_editor(app: App, board: Any) -> None:
    page = settled(app.opens("developer", f"/d/{board['id']}"))
    card(page, "Second").get_by_role("button", name="Widget menu").click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(card(page, "Second")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(card(page, "Second")).to_be_visible()
    assert titles(page) == TITLES
    again = saved(app, board["id"])["widgets"][1]
    card(page, "Second").get_by_role("button", name="Widget menu").click()
    page.get_by_role("menuitem", name="Edit widget").click()
    expect(page.get_by_label("Title")).to_have_value("Second")
    assert page.url.endswith(f"/d/{board['id']}/w/{again['id']}")


def grab(page: Page, title: str) -> Locator:
    handle = page.get_by_role("button", name=f"Move {title}")
    handle.press("m")
    return handle


@pytest.mark.long
def test_a_card_is_moved_by_keys_or_put_back_and_one_request_says_so(
    app: App, board: Any, asked: list[Request]
) -> None:
    page = settled(app.opens("developer", f"/d/{board['id']}?edit=1"))
    watch(page, asked)
    check_escape_puts_a_card_back(page)
    handle = grab(page, "First")
    handle.press("ArrowRight")
    handle.press("ArrowDown")
    assert asked == []
    handle.press("Enter")
    expect(page.get_by_text("Moved “First”", exact=True)).to_be_visible()
    [request] = [each for each in asked if not asks_for_data(each)]
    assert request.url.endswith("/widgets/reorder")
    first, second, third = (widget["id"] for widget in board["widgets"])
    assert request.post_data_json == {"widgetIds": [second, third, first]}
    page.reload()
    settled(page)
    assert titles(page) == ["Second", "Third", "First"]
    page.get_by_role("button", name="Move First").press("+")
    settled(page)
    assert saved(app, board["id"])["widgets"][2]["layout"] == {"w": 6, "h": 2}


@pytest.mark.long
def test_a_card_is_dragged_to_the_place_of_another(app: App, board: Any) -> None:
    page = settled(app.opens("developer", f"/d/{board['id']}?edit=1"))
    page.get_by_role("button", name="Move First").drag_to(card(page, "Third"))
    expect(page.get_by_text("Moved “First”", exact=True)).to_be_visible()
    assert titles(page) == ["Second", "Third", "First"]
    assert [widget["title"] for widget in saved(app, board["id"])["widgets"]] == ["Second", "Third", "First"]


def check_escape_puts_a_card_back(page: Page) -> None:
    handle = grab(page, "First")
    handle.press("ArrowRight")
    assert titles(page) == ["Second", "First", "Third"]
    handle.press("Escape")
    assert titles(page) == TITLES
    assert page.url.endswith("edit=1")


@pytest.mark.long
def test_changes_are_taken_back_one_by_one(app: App, board: Any) -> None:
    page = settled(app.opens("developer", f"/d/{board['id']}?edit=1"))
    undo = page.get_by_role("main").get_by_role("button", name="Undo")
    expect(undo).to_have_count(0)
    page.get_by_role("button", name="Resize Second").press("ArrowRight")
    expect(undo).to_be_visible()
    handle = grab(page, "First")
    handle.press("ArrowRight")
    handle.press("Enter")
    expect(page.get_by_text("Moved “First”", exact=True)).to_be_visible()
    assert titles(page) == ["Second", "First", "Third"]
    widths = [(widget["title"], widget["layout"]["w"]) for widget in saved(app, board["id"])["widgets"]]
    assert widths == [("Second", 5), ("First", 4), ("Third", 4)]
    undo.click()
    expect(page.get_by_role("main").get_by_role("heading", level=2).first).to_have_text("First")
    undo.click()
    expect(undo).to_have_count(0)
    settled(page)
    assert [(widget["title"], widget["layout"]["w"]) for widget in saved(app, board["id"])["widgets"]] == [
        (title, 4) for title in TITLES
    ]


@pytest.mark.long
def test_where_nothing_is_arranged_nothing_can_be_dragged(app: App, board: Any, asked: list[Request]) -> None:
    page = settled(app.opens("owner", f"/d/{board['id']}"))
    watch(page, asked)
    expect(page.get_by_role("button", name="Move First")).to_have_count(0)
    card(page, "First").drag_to(card(page, "Third"))
    assert titles(page) == TITLES
    assert asked == []


@pytest.mark.parametrize(
    "name",
    [
        "Product overview",
        *(
            pytest.param(each, marks=pytest.mark.long)
            for each in ("Bot overview", "Bot health", "Onboarding funnel", "API health")
        ),
    ],
)
def test_a_template_makes_a_dashboard_by_two_presses(app: App, board: Any, name: str) -> None:
    page = settled(app.opens("developer", "/dashboards"))
    page.get_by_role("button", name="New dashboard").click()
    page.get_by_role("menuitem", name=name).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    settled(page)
    assert page.get_by_role("main").get_by_role("region").count() >= 4
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)


@pytest.mark.long
def test_a_row_of_the_list_opens_its_dashboard_wherever_it_is_pressed(app: App, board: Any) -> None:
    page = settled(app.opens("developer", "/dashboards"))
    row = page.get_by_role("table", name="Dashboards").get_by_role("row").nth(1)
    row.get_by_role("button").first.click()  # pins it, and opens nothing
    expect(page.get_by_role("heading", level=1)).to_have_text("Dashboards")
    row.get_by_role("cell").last.click(force=True)  # the link lies over it
    expect(page.get_by_role("heading", level=1)).to_have_text(board["name"])


@pytest.mark.long
def test_each_widget_asks_for_itself_and_one_that_fails_says_why_and_heals(
    app: App, board: Any, asked: list[Request]
) -> None:
    page = app.blank("owner", refused=[500])
    watch(page, asked)
    failing = f"**/widgets/{board['widgets'][1]['id']}/data"
    refusal = {"code": 500, "error": "internal", "message": "The server failed.", "details": [], "requestId": "abc-1"}
    page.route(failing, lambda route: route.fulfill(status=500, json=refusal))
    page.goto(f"{app.workspace.url}/d/{board['id']}")
    failed = card(page, "Second")
    expect(failed.get_by_role("button", name="Try again")).to_be_visible()
    expect(failed).to_contain_text("abc-1")
    for title in ("First", "Third"):
        expect(card(page, title)).to_contain_text("4")
    settled(page)
    assert len([request for request in asked if asks_for_data(request)]) == len(TITLES)
    page.unroute(failing)
    failed.get_by_role("button", name="Try again").click()
    expect(failed).to_contain_text("4")


@pytest.mark.long
def test_a_slow_widget_holds_up_no_other_and_can_be_cancelled(app: App, board: Any) -> None:
    """Nothing on the page moves meanwhile."""
    page = app.blank("owner")
    page.add_init_script(SHIFTS)
    page.route(f"**/widgets/{board['widgets'][1]['id']}/data", lambda _: None)  # never answered
    page.goto(f"{app.workspace.url}/d/{board['id']}")
    for title in ("First", "Third"):
        expect(card(page, title)).to_contain_text("4")
    slow = card(page, "Second")
    before = slow.bounding_box()
    expect(slow).to_contain_text("Still running")
    assert slow.bounding_box() == before
    slow.get_by_role("button", name="Cancel").click()
    expect(slow).to_contain_text("Canceled")
    assert page.evaluate("window.shifted") <= MOST_SHIFTED


@pytest.fixture
def tall(app: App) -> Any:
    """A dashboard of which the window has room for the first card only."""
    events = [{"name": "order.placed", "_actor": f"a{n}"} for n in range(4)]
    assert app.workspace.send({"events": events}).status_code == 202
    made = make_dashboard(app.workspace, name="Tall")
    for title in TITLES:
        make_widget(app.workspace, made["id"], type="metric", title=title, config=COUNTER, layout={"w": 12, "h": 12})
    return saved(app, made["id"])


LATEST = 2.0
"""Seconds after which all cards ask in any case."""


@pytest.mark.long
def test_cards_in_the_window_ask_before_the_others(app: App, tall: Any) -> None:
    page = app.blank("owner")
    page.goto(f"{app.workspace.url}/d/{tall['id']}")
    settled(page)
    timings = page.evaluate(
        "performance.getEntriesByType('resource').filter(e => e.name.endsWith('/data'))"
        ".map(e => ({url: e.name, asked: e.startTime / 1000, answered: e.responseEnd / 1000}))"
    )
    of = {timing["url"].split("/")[-2]: timing for timing in timings}
    first, *others = (of[widget["id"]] for widget in tall["widgets"])
    assert len(others) == len(TITLES) - 1
    for other in others:
        assert other["asked"] >= first["answered"] or other["asked"] - first["asked"] >= LATEST


@pytest.mark.long
def test_a_card_in_the_window_that_gets_no_answer_holds_up_none_below(app: App, tall: Any) -> None:
    page = app.blank("owner")
    page.route(f"**/widgets/{tall['widgets'][0]['id']}/data", lambda _: None)  # never answered
    page.goto(f"{app.workspace.url}/d/{tall['id']}")
    for title in TITLES[1:]:
        expect(card(page, title)).to_contain_text("4")


AT_ONCE_MS = 10_000
"""Soon enough to be sure that nothing else let a card ask."""


@pytest.mark.long
def test_one_slow_card_in_the_window_holds_up_none_below(app: App, tall: Any) -> None:
    """As soon as another card there has its answer, also if nothing else would ever let them ask."""
    first, second, third = tall["widgets"]
    with app.workspace.client() as client:
        for widget in (first, second):
            answer = client.patch(f"/v1/widgets/{widget['id']}", json={"layout": {"w": 6, "h": 12}})
            assert answer.status_code == 200, answer.text
    page = app.blank("owner")
    page.add_init_script(f"""{{
        const later = window.setTimeout
        window.setTimeout = (act, ms, ...rest) => ms === {LATEST * 1000:.0f} ? 0 : later(act, ms, ...rest)
    }}""")
    page.route(f"**/widgets/{first['id']}/data", lambda _: None)  # never answered
    page.goto(f"{app.workspace.url}/d/{tall['id']}")
    assert [each["title"] for each in (second, third)] == TITLES[1:]
    for title in TITLES[1:]:
        expect(card(page, title)).to_contain_text("4", timeout=AT_ONCE_MS)
