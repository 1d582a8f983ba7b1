"""The widget editor in the browser: by keys alone, with the numbers that are then saved, and never with half a question."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from harness.browser.app import PHONE, App, rows_of, settled
from harness.clients.dashboards import make_dashboard, make_widget, widgets_of

KINDS = [
    "Over time",
    "Numbers",
    "Formula",
    "Funnel",
    "Retention",
    "Histogram",
    "Heat map",
    "Table",
    "Note",
    "External value",
]
MOST_STOPS = 60
COUNT = {"event": "order.placed", "measure": "count"}
INCOMPLETE = {
    "Retention": "Choose the event that starts a cohort.",
    "Histogram": "Choose a numeric property.",
    "External value": "Choose a source.",
}
"""What an editor asks for in an environment that has no events yet."""


@pytest.fixture
def board(app: App) -> Any:
    return make_dashboard(app.workspace, name="Orders")


def send_events(app: App) -> None:
    sent = [{"name": "order.placed", "_actor": f"a{n % 3}", "properties": {"total": n}} for n in range(7)]
    sent += [{"name": "page.viewed", "_actor": "a1"}] * 20
    assert app.workspace.send({"events": sent}).status_code == 202


def tab_to(page: Page, wanted: Locator) -> None:
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        if wanted.evaluate("e => e === document.activeElement"):
            return
    raise AssertionError(f"Tab never comes to {wanted}")


def kinds(page: Page) -> Locator:
    """The kinds of widgets; the drawings of an answer have some of their names."""
    return page.get_by_role("group", name="Chart type")


def numbers(page: Page) -> list[str]:
    """What the table of the preview, or of a card, says."""
    return [row[-1] for row in rows_of(page.get_by_role("table"))]


def test_a_line_is_added_and_edited_by_keys_alone(app: App, board: Any) -> None:
    """Its numbers in the preview are those of the card, on which the focus is then, and again after a change."""
    send_events(app)
    page = settled(app.opens("developer", f"/d/{board['id']}/w/new"))
    page.get_by_role("heading", level=1).focus()  # where whoever comes from a dashboard has it
    tab_to(page, page.get_by_role("combobox", name="Event"))
    page.keyboard.press("Control+a")
    page.keyboard.type("order.pl")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_role("textbox", name="Title"))
    page.keyboard.type("Placed")
    expect(page.get_by_role("table").get_by_role("cell", name="7", exact=True)).to_have_count(1)  # not an hour, 07:00
    preview = numbers(page)
    assert [value for value in preview if value != "0"] == ["7"]
    page.get_by_role("button", name="Save", exact=True).press("Enter")
    card = page.get_by_role("region", name="Placed", exact=True)
    expect(card).to_be_focused()
    settled(page)
    [widget] = widgets_of(app.workspace, board["id"])
    assert (widget["title"], widget["config"]["event"], widget["config"]["overTime"]) == (
        "Placed",
        "order.placed",
        True,
    )
    card.get_by_role("button", name="Widget menu").press("Enter")
    page.get_by_role("menuitem", name="View as table").press("Enter")
    assert numbers(page) == preview
    card.get_by_role("button", name="Widget menu").press("Enter")
    page.get_by_role("menuitem", name="Edit widget").press("Enter")
    page.get_by_role("textbox", name="Title").fill("Orders placed")
    page.get_by_role("button", name="Save", exact=True).press("Enter")
    expect(page.get_by_role("region", name="Orders placed", exact=True)).to_be_focused()
    page.reload()
    settled(page)
    expect(page.get_by_role("region", name="Orders placed", exact=True)).to_be_visible()


REMOVALS: dict[str, tuple[str, dict[str, Any], str, str]] = {
    "a number": ("kpi", {"items": [COUNT] * 3}, "Remove number 2", "[aria-label='Number 2'] :focus"),
    "the last number": ("kpi", {"items": [COUNT] * 2}, "Remove number 2", "button:focus"),
    "a part": ("formula", {"a": COUNT, "b": COUNT, "expression": "a / b"}, "Remove b", ":focus"),
    "a step": ("funnel", {"steps": [{"event": "order.placed"}] * 3}, "Remove step 3", ":focus"),
    "a column": ("table", {"columns": ["time", "event"]}, "Remove Event", ":focus"),
}
"""What is removed by which button, and where the focus then is."""


@pytest.mark.parametrize("what", REMOVALS)
def test_the_focus_stays_in_the_form_when_a_part_is_removed(app: App, board: Any, what: str) -> None:
    kind, config, removal, successor = REMOVALS[what]
    widget = make_widget(app.workspace, board["id"], type=kind, title="Old", config=config)
    page = settled(app.opens("developer", f"/d/{board['id']}/w/{widget['id']}"))
    page.get_by_role("button", name=removal).press("Enter")
    expect(page.get_by_role("form", name="Question").locator(successor)).to_have_count(1)


def test_the_preview_is_whole_and_ends_where_save_does(app: App, board: Any) -> None:
    send_events(app)
    page = settled(app.opens("developer", f"/d/{board['id']}/w/new"))
    chart = page.get_by_role("application")
    expect(chart).to_be_visible()
    hidden, beside = chart.evaluate("""chart => {
        const scrolls = node => getComputedStyle(node).overflowY === 'auto' ? node : scrolls(node.parentElement)
        const [plot, frame] = [chart, scrolls(chart)].map(node => node.getBoundingClientRect())
        return [scrolls(chart).scrollWidth - scrolls(chart).clientWidth, frame.right - plot.right]
    }""")
    assert hidden == 0
    assert beside >= 16, 'half of "so far" is beside the plot'
    save = page.get_by_role("button", name="Save", exact=True).bounding_box()
    form = page.get_by_role("form", name="Question").bounding_box()
    assert save
    assert form
    assert save["x"] + save["width"] == pytest.approx(form["x"] + form["width"], abs=1)


def test_ctrl_s_saves(app: App, board: Any) -> None:
    send_events(app)
    page = settled(app.opens("developer", f"/d/{board['id']}/w/new"))
    expect(page.get_by_role("application")).to_be_visible()
    page.keyboard.press("Control+s")
    expect(page).to_have_url(re.compile(rf"/d/{board['id']}(\?|$|#)"))
    assert len(widgets_of(app.workspace, board["id"])) == 1


@pytest.mark.long
def test_on_a_phone_the_answer_is_in_sight_of_the_question(app: App, board: Any) -> None:
    """Whoever changes the question sees what becomes of the answer; a wider window keeps what is typed."""
    send_events(app)
    page = settled(app.opens("developer", f"/d/{board['id']}/w/new", size=PHONE))
    question = page.get_by_role("form", name="Question")
    title = page.get_by_role("textbox", name="Title")
    title.fill("Placed")
    page.get_by_role("combobox", name="Event").focus()
    expect(page.get_by_role("region", name="Placed", exact=True)).to_be_in_viewport()
    kinds(page).get_by_role("radio", name="Funnel").check()
    assert question.evaluate("form => form.previousElementSibling !== null")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.wait_for_function("document.querySelector('[role=form]').previousElementSibling === null")
    expect(title).to_have_value("Placed")


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_asks_nothing_before_the_question_is_whole_and_begins_with_an_answer(
    app: App, board: Any, kind: str
) -> None:
    """In an environment without events a request that is refused would stand in the console."""
    page = settled(app.opens("developer", f"/d/{board['id']}/w/new"))
    check_nothing_is_asked(page, app, board, kind)
    send_events(app)
    page.reload()
    settled(page)
    if kind != "Over time":  # any other choice is kept as a draft
        page.get_by_role("button", name="Discard", exact=True).click()
    check_it_begins_with_an_answer(page, app, board, kind)


def check_it_begins_with_an_answer(page: Page, app: App, board: Any, kind: str) -> None:
    """But for an external value, whose source somebody has to name."""
    kinds(page).get_by_role("radio", name=kind, exact=True).check()
    settled(page)
    main = page.get_by_role("main")
    expect(main.get_by_role("button", name="Try again")).to_have_count(0)
    if kind == "External value":
        expect(main).to_contain_text(INCOMPLETE[kind])
        return
    expect(main).not_to_contain_text(re.compile("^(Choose|Say) "))
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Orders")
    assert len(widgets_of(app.workspace, board["id"])) == 1


def check_nothing_is_asked(page: Page, app: App, board: Any, kind: str) -> None:
    kinds(page).get_by_role("radio", name=kind, exact=True).check()
    settled(page)
    if kind in INCOMPLETE:
        expect(page.get_by_role("main")).to_contain_text(INCOMPLETE[kind])
        page.get_by_role("button", name="Save", exact=True).click()
        expect(
            page.get_by_role("status").or_(page.get_by_role("alert")).filter(has_text=INCOMPLETE[kind]).first
        ).to_be_visible()
        assert widgets_of(app.workspace, board["id"]) == []
    else:
        expect(page.get_by_role("main").get_by_role("button", name="Try again")).to_have_count(0)
