"""Answers that a page keeps: each stands under its own name alone, whichever of the things changes that it depends on."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from harness.browser.app import App, settled, take
from harness.builders.moments import ago
from harness.clients.dashboards import make_dashboard, make_segment, make_widget, widgets_of

ANSWERS = re.compile(r"/v1/(query|widgets/[^/]+/data|actors?\?|groups?\?|events\?)")
"""Where answers about events come from."""
PLACED, FILLED, OLD, PRO, ELSEWHERE = 41, 23, 5, 13, 67
"""Events of production within a week, of another name, of ten days ago, of the plan pro, and of development."""


@pytest.fixture
def board(app: App) -> Any:
    """A dashboard of one number over events whose counts tell apart where they come from."""
    dev, _ = app.workspace.make_key("development")
    placed = [
        {"name": "order.placed", "_actor": "ann", "properties": {"plan": "pro" if n < PRO else "free"}}
        for n in range(PLACED)
    ]
    old = [{"name": "order.placed", "_actor": "ann", "_timestamp": ago(days=10)}] * OLD
    filled = [{"name": "cart.filled", "_actor": "bob"}] * FILLED
    assert app.workspace.send({"events": placed + old + filled}).status_code == 202
    elsewhere = [{"name": "order.placed", "_actor": "ann"}] * ELSEWHERE
    assert app.workspace.send({"events": elsewhere}, key=dev).status_code == 202
    made = make_dashboard(app.workspace, name="Orders")
    config = {"event": "order.placed", "measure": "count"}
    make_widget(app.workspace, made["id"], type="metric", title="Placed", config=config, layout={"w": 4, "h": 2})
    return made


def card(page: Page) -> Locator:
    return page.get_by_role("main").get_by_role("region", name="Placed", exact=True)


def shown(page: Page, number: int) -> None:
    """The card says this number, which the server does as well."""
    expect(card(page).get_by_text(str(number), exact=True).first).to_be_visible()


@contextmanager
def held(page: Page) -> Iterator[None]:
    """While it lasts, questions are asked and none is answered."""
    waiting: list[Route] = []
    is_over = False

    def hold(route: Route) -> None:
        if is_over:
            route.continue_()
        else:
            waiting.append(route)

    page.route(ANSWERS, hold)
    yield
    is_over = True
    for route in waiting:
        route.continue_()


def choose(page: Page, field: str, label: str) -> None:
    """Change a setting of the dashboard, and save it."""
    page.get_by_role("button", name="Dashboard menu").click()
    page.get_by_role("menuitem", name="Settings").click()
    dialog = page.get_by_role("dialog", name="Dashboard settings")
    dialog.get_by_label(field).select_option(label=label)
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)


@pytest.mark.long
def test_another_environment_is_asked_at_once_and_never_shows_the_numbers_of_the_one_before(
    app: App, board: Any
) -> None:
    page = settled(app.opens("owner", f"/d/{board['id']}"))
    shown(page, PLACED)
    with held(page):
        with page.expect_request(ANSWERS):
            choose(page, "Environment", "development")
        expect(page.get_by_label("Environment")).to_have_value("development")
        expect(card(page)).to_have_attribute("aria-busy", "true")
        expect(card(page)).not_to_contain_text(str(PLACED))
    shown(page, ELSEWHERE)
    choose(page, "Environment", "production")
    shown(page, PLACED)


@pytest.mark.long
def test_another_saved_span_is_asked_at_once(app: App, board: Any) -> None:
    page = settled(app.opens("owner", f"/d/{board['id']}"))
    shown(page, PLACED)
    with held(page):
        with page.expect_request(ANSWERS):
            choose(page, "Time range", "30 days")
        expect(card(page)).to_have_attribute("aria-busy", "true")
    shown(page, PLACED + OLD)


def test_another_span_and_other_filters_of_the_address_are_marked_as_on_their_way(app: App, board: Any) -> None:
    page = settled(app.opens("owner", f"/d/{board['id']}?f=plan:eq:pro"))
    shown(page, PRO)
    with held(page):
        with page.expect_request(ANSWERS):
            page.get_by_role("group", name="Filters").get_by_role("button", name=re.compile("Remove")).click()
        expect(card(page)).to_have_attribute("aria-busy", "true")
    shown(page, PLACED)
    take(page.get_by_role("radio", name="30d"))
    shown(page, PLACED + OLD)
    page.go_back()
    shown(page, PLACED)


@pytest.mark.long
def test_an_edited_widget_never_shows_the_answer_to_its_question_before(app: App, board: Any) -> None:
    page = settled(app.opens("owner", f"/d/{board['id']}"))
    shown(page, PLACED)
    [widget] = widgets_of(app.workspace, board["id"])
    card(page).get_by_role("button", name="Widget menu").click()
    page.get_by_role("menuitem", name="Edit widget").click()
    event = page.get_by_role("combobox", name="Event", exact=True)
    event.click()
    page.get_by_role("option", name="cart.filled").click()
    expect(page.get_by_role("main")).to_contain_text(str(FILLED))
    with held(page):
        with page.expect_request(re.compile(f"/v1/widgets/{widget['id']}/data")):
            page.get_by_role("button", name="Save", exact=True).click()
        expect(card(page)).to_have_attribute("aria-busy", "true")
        expect(card(page)).not_to_contain_text(str(PLACED))
    shown(page, FILLED)


@pytest.mark.long
def test_the_preview_of_a_question_names_what_was_asked(app: App, board: Any) -> None:
    [widget] = widgets_of(app.workspace, board["id"])
    page = settled(app.opens("owner", f"/d/{board['id']}/w/{widget['id']}"))
    preview = page.get_by_role("main").get_by_role("region", name="Placed", exact=True)
    expect(preview).to_contain_text("order.placed")
    with held(page):
        with page.expect_request(ANSWERS):
            page.get_by_role("combobox", name="Event", exact=True).click()
            page.get_by_role("option", name="cart.filled").click()
        expect(preview).to_have_attribute("aria-busy", "true")
        expect(preview).to_contain_text("order.placed")
        expect(preview).to_contain_text(str(PLACED))
    expect(preview).to_contain_text("cart.filled")
    expect(preview).to_contain_text(str(FILLED))


@pytest.mark.long
def test_the_filters_of_a_segment_are_those_of_now(app: App, board: Any) -> None:
    segment = make_segment(app.workspace)
    config = {"event": "order.placed", "measure": "count", "segmentId": segment["id"]}
    [widget] = widgets_of(app.workspace, board["id"])
    with app.workspace.client() as client:
        assert client.patch(f"/v1/widgets/{widget['id']}", json={"config": config}).status_code == 200
    page = settled(app.opens("owner", f"/d/{board['id']}"))
    shown(page, PRO)
    page.get_by_role("link", name="Segments").click()
    page.get_by_role("button", name="Pro menu").click()
    page.get_by_role("menuitem", name="Edit").click()
    dialog = page.get_by_role("dialog", name="Edit segment")
    value = dialog.get_by_role("combobox", name="Value")
    value.fill("free")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    with held(page):
        with page.expect_request(re.compile(r"/v1/widgets/[^/]+/data")):
            page.go_back()
        expect(card(page)).to_be_visible()
        expect(card(page)).not_to_contain_text(str(PRO))
    shown(page, PLACED - PRO)


@pytest.mark.long
def test_what_somebody_else_changes_is_seen_with_the_next_refresh(app: App, board: Any) -> None:
    page = settled(app.opens("viewer", f"/d/{board['id']}"))
    shown(page, PLACED)
    with app.workspace.client() as client:
        answer = client.patch(f"/v1/dashboards/{board['id']}", json={"environment": "development"})
    assert answer.status_code == 200, answer.text
    page.get_by_role("button", name="Refresh").click()
    expect(page.get_by_title("development")).to_be_visible()
    shown(page, ELSEWHERE)


@pytest.mark.long
@pytest.mark.parametrize("path", ["/actors", "/actors/ann?range=7d", "/events", "/annotations"])
@pytest.mark.usefixtures("board")
def test_no_page_shows_the_numbers_of_another_environment(app: App, path: str) -> None:
    page = settled(app.opens("owner", path))
    main = page.get_by_role("main")
    before = main.get_by_text(re.compile(rf"\b({PLACED}|{PLACED + FILLED})\b"))
    expect(before).not_to_have_count(0)
    with held(page):
        with page.expect_request(ANSWERS):
            page.get_by_role("combobox", name="Environment").select_option("development")
        expect(before).to_have_count(0)
    expect(main.get_by_text(re.compile(rf"\b{ELSEWHERE}\b"))).not_to_have_count(0)


@pytest.mark.long
def test_another_workspace_shows_nothing_of_the_one_before_in_any_tab(app: App) -> None:
    make_dashboard(app.workspace, name="Orders")
    with app.workspace.client() as client:
        assert client.post("/v1/workspaces", json={"name": "Second"}).status_code == 201
    page = settled(app.opens("owner", "/dashboards"))
    other = page.context.new_page()
    other.goto(f"{app.workspace.url}/actors")
    expect(other.get_by_role("button", name="Owner's workspace")).to_be_visible()
    expect(page.get_by_role("link", name="Orders")).to_be_visible()
    page.get_by_role("button", name="Owner's workspace").click()
    page.get_by_role("menuitem", name="Second").click()
    for tab in (page, other):
        expect(tab.get_by_role("button", name="Second")).to_be_visible()
        expect(tab.get_by_role("heading", level=1)).to_have_text("Dashboards")
        expect(tab.get_by_role("link", name="Orders")).to_have_count(0)
    settled(page)
    settled(other)
