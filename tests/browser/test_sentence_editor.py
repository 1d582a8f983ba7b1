"""The editor of a widget as a sentence, in the browser: what is asked, its title, and the pictures of the same answer."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from harness.browser.app import App, axe_in_both_themes, settled
from harness.builders.uneven_workspace import WIDGETS, fill
from harness.clients.dashboards import make_dashboard, make_widget, widgets_of

SMALLEST = (320, 700)
MORE_WIDGETS: dict[str, tuple[str, dict[str, Any]]] = {
    "Several events": ("metric", {"events": ["order.placed", "page.viewed"], "measure": "uniq_actors"}),
    "Earlier display": (
        "metric",
        {"event": "order.placed", "measure": "count", "chart": "number", "goal": 9, "good": "up"},
    ),
    "Filtered": (
        "metric",
        {
            "event": "order.placed",
            "measure": "p95",
            "property": "ms",
            "overTime": True,
            "interval": "week",
            "compare": {"shift": "7d"},
            "filters": [
                {"any": [{"key": "plan", "op": "eq", "value": "pro"}, {"key": "plan", "op": "not_exists"}]},
                {"key": "total", "op": "gte", "value": 1.5},
            ],
            "display": {"chart": "area", "axis": "zero", "unit": "ms", "decimals": 1, "goal": 400},
        },
    ),
    "Groups back": (
        "retention",
        {
            "cohortEvent": "order.placed",
            "granularity": "day",
            "periods": 12,
            "count": "group",
            "display": {"chart": "line"},
        },
    ),
    "Hours there": ("heatmap", {"events": "all", "timezone": "Asia/Tokyo"}),
}
"""Configs with what those of the uneven workspace have not."""


@pytest.fixture(scope="module")
def board(shared_app: App) -> Any:
    """A board of a workspace in which every list has something to offer."""
    fill(shared_app.workspace, "https://api.invalid/tickets")
    return make_dashboard(shared_app.workspace, name="Shop", timeRange="30d")


def new_widget(app: App, board: Any, kind: str = "metric", **view: Any) -> Page:
    return settled(app.opens("owner", f"/d/{board['id']}/w/new?kind={kind}", **view))


def drawings(page: Page) -> Locator:
    return page.get_by_role("radiogroup", name="The same answer, drawn as")


def drawing(page: Page, name: str) -> Locator:
    return drawings(page).get_by_role("radio", name=name, exact=True)


def newest_widget(app: App, board: Any) -> Any:
    return widgets_of(app.workspace, board["id"])[-1]


def save(page: Page) -> None:
    """Save, and wait until the board has the card."""
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("form", name="Question")).to_have_count(0)


def take(field: Locator, text: str) -> None:
    """Type the beginning of an option, and take it."""
    field.click()
    field.page.keyboard.type(text)
    field.press("Enter")


def test_a_question_is_a_sentence_and_its_title_is_the_question(looking: App, board: Any) -> None:
    page = new_widget(looking, board)
    page.get_by_role("combobox", name="Measure").select_option("sum")
    take(page.get_by_role("combobox", name="Event", exact=True), "order.pl")
    take(page.get_by_role("combobox", name="Property", exact=True), "total")
    take(page.get_by_role("combobox", name="Break down by"), "plan")
    page.get_by_role("combobox", name="Compare with").select_option("previous")
    title = "Sum of total of order.placed by plan"
    expect(page.get_by_role("main").get_by_role("region", name=title, exact=True)).to_be_visible()
    save(page)
    expect(page.get_by_role("region", name=title, exact=True)).to_be_focused()
    widget = newest_widget(looking, board)
    asked = {"event": "order.placed", "measure": "sum", "property": "total", "breakdown": "plan", "compare": "previous"}
    assert widget["title"] == ""
    assert widget["config"].items() >= asked.items()


@pytest.mark.long
def test_a_title_that_somebody_wrote_stays(looking: App, board: Any) -> None:
    page = new_widget(looking, board)
    title = page.get_by_role("textbox", name="Title")
    expect(title).to_have_attribute("placeholder", "page.viewed")
    title.fill("Mine")
    take(page.get_by_role("combobox", name="Event", exact=True), "cart")
    expect(title).to_have_value("Mine")
    title.fill("")
    expect(title).to_have_attribute("placeholder", "cart.filled")


def test_arrows_walk_through_the_pictures_of_an_answer_and_lose_nothing(looking: App, board: Any) -> None:
    page = new_widget(looking, board)
    take(page.get_by_role("combobox", name="Break down by"), "plan")
    expect(drawing(page, "Lines")).to_be_checked()
    drawing(page, "Lines").focus()
    for name in ("Areas", "Bars", "Ranked", "Number", "Heat map", "Events"):
        page.keyboard.press("ArrowRight")
        expect(drawing(page, name)).to_be_checked()
        expect(drawing(page, name)).to_be_focused()
    expect(page.get_by_role("radio", name="Table", exact=True)).to_be_checked()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    expect(drawing(page, "Ranked")).to_be_checked()
    expect(page.get_by_role("combobox", name="Break down by")).to_have_value("plan")
    expect(page.get_by_role("combobox", name="Compare with")).to_have_count(0)
    save(page)
    config = newest_widget(looking, board)["config"]
    assert config["breakdown"] == "plan"
    assert "overTime" not in config


@pytest.mark.long
def test_a_picture_that_does_not_fit_is_not_offered(looking: App, board: Any) -> None:
    page = new_widget(looking, board)
    expect(drawing(page, "Heat map")).to_have_count(1)
    expect(drawing(page, "Ranked")).to_have_count(0)
    page.get_by_role("combobox", name="Measure").select_option("uniq_actors")
    expect(drawing(page, "Heat map")).to_have_count(0)
    page = new_widget(looking, board, "funnel")
    expect(drawings(page)).to_have_count(0)


@pytest.mark.long
def test_lists_show_how_often_events_came_and_what_properties_were(looking: App, board: Any) -> None:
    page = new_widget(looking, board)
    page.get_by_role("combobox", name="Event", exact=True).click()
    orders = page.get_by_role("option", name="order.placed")
    expect(orders).to_contain_text("613")
    expect(orders.locator("path")).to_have_count(1)
    page.keyboard.press("Escape")
    page.get_by_role("combobox", name="Break down by").click()
    expect(page.get_by_role("option", name="plan", exact=False).first).to_contain_text("string · ")


@pytest.mark.long
def test_an_old_widget_is_saved_unchanged_if_nothing_is_touched(looking: App) -> None:
    """But for the colors of its preview, which a save keeps (rules/boards#widget)."""
    board = make_dashboard(looking.workspace, name="Old", timeRange="30d")["id"]
    for title, (kind, config) in (WIDGETS | MORE_WIDGETS).items():
        saved = make_widget(looking.workspace, board, type=kind, title=title, config=config)
        page = settled(looking.opens("owner", f"/d/{board}/w/{saved['id']}"))
        save(page)
        assert without_colors(newest_widget(looking, {"id": board})) == without_colors(saved), title


def without_colors(widget: Any) -> Any:
    options = (widget["config"].get("display") or {}).items()
    display = {name: value for name, value in options if name != "colors" and value is not None}
    return widget["type"], widget["title"], widget["layout"], widget["config"] | {"display": display}


@pytest.mark.long
@pytest.mark.parametrize("kind", ["metric", "kpi", "formula", "retention", "histogram", "heatmap", "table"])
def test_a_sentence_fits_the_smallest_phone_and_has_no_barriers(looking: App, board: Any, kind: str) -> None:
    page = new_widget(looking, board, kind, size=SMALLEST)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for more in page.get_by_text("More", exact=False).and_(page.locator("summary")).all():
        if more.evaluate("summary => !summary.parentElement.open"):
            more.click()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert axe_in_both_themes(page) == []
