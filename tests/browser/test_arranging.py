"""Dashboards as they are put together: named, filled, resized; cards that come back (rules/boards#deleted-widgets)."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from harness.browser.app import App, axe_in_both_themes, settled
from harness.clients.dashboards import make_dashboard, make_widget, widgets_of

TITLES = ["First", "Second", "Third"]
COUNTER = {"event": "order.placed", "measure": "count"}


@pytest.fixture
def board(app: App) -> Any:
    """A dashboard of three cards of four columns."""
    assert app.workspace.send({"events": [{"name": "order.placed", "_actor": "a1"}] * 3}).status_code == 202
    made = make_dashboard(app.workspace, name="Orders")
    for title in TITLES:
        make_widget(app.workspace, made["id"], type="metric", title=title, config=COUNTER, layout={"w": 4, "h": 2})
    return made


def card(page: Page, title: str) -> Locator:
    return page.get_by_role("main").get_by_role("region", name=title, exact=True)


def sizes(app: App, board: Any) -> dict[str, tuple[int, int]]:
    """Columns and rows of each card, as they are saved."""
    widgets = widgets_of(app.workspace, board["id"])
    return {widget["title"]: (widget["layout"]["w"], widget["layout"]["h"]) for widget in widgets}


def order(app: App, board: Any) -> list[str]:
    return [widget["title"] for widget in widgets_of(app.workspace, board["id"])]


def corner(page: Page, title: str) -> Locator:
    return page.get_by_role("button", name=f"Resize {title}", exact=True)


def middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_new_dashboard_is_named_where_its_title_is(app: App) -> None:
    page = settled(app.opens("developer", "/dashboards"))
    page.get_by_role("button", name="New dashboard").click()
    page.get_by_role("menuitem", name="Blank").click()
    name = page.get_by_role("textbox", name="Dashboard name")
    expect(name).to_be_focused()
    page.keyboard.type("Orders of the week")  # in place of the name that it has, which is selected
    page.keyboard.press("Escape")
    expect(name).to_have_value("New dashboard")
    expect(name).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("Orders of the day")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Orders of the day")
    [saved] = app.workspace.get("/v1/dashboards").json()["dashboards"]
    assert saved["name"] == "Orders of the day"
    name.fill("")
    name.blur()
    expect(name).to_have_value("Orders of the day")


@pytest.mark.long
def test_an_empty_dashboard_has_its_button(app: App) -> None:
    made = make_dashboard(app.workspace, name="Empty")
    page = settled(app.opens("developer", f"/d/{made['id']}"))
    page.get_by_role("main").get_by_role("button", name="Add widget").click()
    expect(page.get_by_role("region", name="Add widget").get_by_role("link", name="Funnel")).to_be_visible()
    viewed = settled(app.opens("viewer", f"/d/{made['id']}"))
    expect(viewed.get_by_text("This dashboard is empty")).to_be_visible()
    expect(viewed.get_by_role("main").get_by_role("button", name="Add widget")).to_have_count(0)


def test_cards_from_what_was_sent_are_added_by_one_press(app: App) -> None:
    events = [{"name": "play", "_actor": f"a{at}", "properties": {"plan": "pro" if at else "free"}} for at in range(3)]
    assert app.workspace.send({"events": [*events, {"name": "skip", "_actor": "a1"}]}).status_code == 202
    made = make_dashboard(app.workspace, name="Plays")
    page = settled(app.opens("developer", f"/d/{made['id']}?edit=1"))
    suggestions = page.get_by_role("list", name="Suggested").get_by_role("button")
    expect(suggestions).to_have_text(
        ["play over time", "Unique actors of all events", "play by plan", "skip over time"]
    )
    suggestions.first.focus()
    page.keyboard.press("Enter")
    expect(card(page, "play")).to_contain_text("3")
    expect(suggestions).to_have_count(3)
    page.get_by_role("button", name="play by plan").click()
    expect(card(page, "play by plan").locator("li")).to_have_count(2)
    expect(suggestions).to_have_text(["Unique actors of all events", "skip over time"])
    assert axe_in_both_themes(page) == []
    assert order(app, made) == ["play", "play by plan"]


def test_a_card_that_is_saved_does_not_end_arranging_and_another_can_follow_at_once(app: App, board: Any) -> None:
    page = settled(app.opens("developer", f"/d/{board['id']}?edit=1"))
    page.get_by_role("region", name="Add widget").get_by_role("link", name="Over time").click()
    title = page.get_by_role("textbox", name="Title")
    title.fill("Fourth")
    page.get_by_role("button", name="Save and add another").click()
    expect(page.get_by_role("group", name="Added “Fourth”")).to_be_visible()
    expect(title).to_have_value("")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    title.fill("Fifth")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(card(page, "Fifth")).to_be_focused()
    expect(page.get_by_role("button", name="Done")).to_be_visible()
    assert order(app, board) == [*TITLES, "Fourth", "Fifth"]


@pytest.mark.long
def test_a_card_of_four_columns_keeps_its_title_under_the_pointer(app: App, board: Any) -> None:
    page = settled(app.opens("developer", f"/d/{board['id']}?edit=1"))
    heading = card(page, "Second").get_by_role("heading", name="Second")
    for act in (card(page, "Second").hover, page.get_by_role("button", name="Move Second").focus):
        act()
        assert heading.evaluate("e => e.scrollWidth <= e.clientWidth")


def test_a_corner_that_is_dragged_snaps_to_the_grid_and_escape_lets_go(app: App, board: Any) -> None:
    page = settled(app.opens("developer", f"/d/{board['id']}?edit=1"))
    card(page, "First").hover()
    box = card(page, "First").bounding_box()
    assert box is not None
    column, row = (box["width"] + 12) / 4, 77
    x, y = middle(corner(page, "First"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 2 * column + 10, y + row - 10, steps=4)
    wider = card(page, "First").bounding_box()
    assert wider is not None
    assert abs(wider["width"] - (6 * column - 12)) < 2
    page.keyboard.press("Escape")
    page.mouse.up()
    assert card(page, "First").bounding_box() == box
    assert sizes(app, board)["First"] == (4, 2)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 2 * column + 10, y + row - 10, steps=4)
    with page.expect_response(lambda answer: answer.request.method == "PATCH"):
        page.mouse.up()
    assert sizes(app, board)["First"] == (6, 3)
    page.get_by_role("main").get_by_role("button", name="Undo").click()
    settled(page)
    assert sizes(app, board)["First"] == (4, 2)


@pytest.mark.long
def test_a_corner_is_moved_by_keys_and_the_size_is_said(app: App, board: Any) -> None:
    page = settled(app.opens("developer", f"/d/{board['id']}?edit=1"))
    corner(page, "Second").focus()
    expect(corner(page, "Second")).to_have_css("opacity", "1")
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    expect(page.get_by_role("status").filter(has_text="Second, 6 of 12 columns, 3 rows")).to_have_count(1)
    settled(page)
    assert sizes(app, board)["Second"] == (6, 3)
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    settled(page)
    assert sizes(app, board)["Second"] == (3, 3)
    expect(corner(page, "Second")).to_be_focused()


@pytest.mark.long
def test_whoever_cannot_drag_has_the_sizes_in_the_menu(app: App, board: Any) -> None:
    page = settled(app.opens("developer", f"/d/{board['id']}?edit=1"))
    for item in ("Wider", "Taller", "Taller", "Shorter"):
        card(page, "Second").get_by_role("button", name="Widget menu").click()
        page.get_by_role("menuitem", name=item).click()
    settled(page)
    assert sizes(app, board)["Second"] == (5, 3)


@pytest.mark.long
def test_a_corner_is_dragged_by_finger(browser: Browser, app: App, board: Any) -> None:
    with browser.new_context(viewport={"width": 1024, "height": 768}, has_touch=True) as context:
        workspace = app.workspace
        context.add_cookies([{"name": workspace.cookie, "value": workspace.session_token, "url": workspace.url}])
        page = context.new_page()
        page.goto(f"{workspace.url}/d/{board['id']}?edit=1")
        expect(card(page, "First")).to_contain_text("3")
        x, y = middle(corner(page, "First"))
        touch = context.new_cdp_session(page)
        points = [{"x": x, "y": y}, {"x": x, "y": y + 40}, {"x": x, "y": y + 150}]
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points[:1]})
        for point in points[1:]:
            touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
        with page.expect_response(lambda answer: answer.request.method == "PATCH"):
            touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert sizes(app, board)["First"] == (4, 4)


def delete(page: Page, title: str) -> None:
    card(page, title).get_by_role("button", name="Widget menu").click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(card(page, title)).to_have_count(0)


def message(page: Page, title: str) -> Locator:
    return page.get_by_role("group", name=f"Deleted “{title}”")


@pytest.mark.parametrize("titles", [["Second", "Third"], pytest.param(["Third", "Second"], marks=pytest.mark.long)])
def test_cards_that_were_deleted_one_after_the_other_come_back_to_their_places(
    app: App, board: Any, titles: list[str]
) -> None:
    page = settled(app.opens("developer", f"/d/{board['id']}"))
    for title in ("Second", "Third", "First"):
        delete(page, title)
    for title in [*titles, "First"]:
        message(page, title).get_by_role("button", name="Undo").click()
        expect(card(page, title)).to_be_visible()
    settled(page)
    assert order(app, board) == TITLES
    assert set(sizes(app, board).values()) == {(4, 2)}


@pytest.mark.long
def test_a_message_with_an_undo_stands_as_long_as_somebody_is_in_it(app: App, board: Any) -> None:
    """Pointer and focus each hold it, and other messages do not push it away."""
    page = app.blank("developer")
    page.clock.install()
    page.goto(f"{app.workspace.url}/d/{board['id']}")
    expect(card(page, "First")).to_contain_text("3")
    for title in TITLES:
        delete(page, title)
    undo = message(page, "First").get_by_role("button", name="Undo")
    undo.focus()
    message(page, "First").hover()
    page.mouse.move(0, 0)
    page.clock.fast_forward(60_000)
    expect(message(page, "Second")).to_have_count(0)
    expect(undo).to_be_focused()
    undo.press("Enter")
    page.clock.resume()
    expect(card(page, "First")).to_be_visible()


@pytest.mark.long
def test_an_undo_that_fails_can_be_tried_again(app: App, board: Any) -> None:
    page = settled(app.opens("developer", f"/d/{board['id']}", refused=[500]))
    delete(page, "Second")

    def refuse(route: Route) -> None:
        route.fulfill(status=500, json={"code": 500, "error": "internal", "message": "No.", "details": []})

    page.route("**/v1/dashboards/*/widgets", refuse)
    message(page, "Second").get_by_role("button", name="Undo").click()
    again = page.get_by_role("button", name="Try again")
    expect(again).to_be_visible()
    page.unroute("**/v1/dashboards/*/widgets")
    again.click()
    expect(card(page, "Second")).to_be_visible()
    settled(page)
    assert order(app, board) == TITLES
