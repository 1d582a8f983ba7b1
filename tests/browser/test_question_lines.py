"""Questions that are typed into the palette (docs/howto/ask-a-question.md#ask-in-one-line)."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from harness.browser.app import PHONE, App, axe_in_both_themes, settled
from harness.clients.dashboards import make_dashboard, widgets_of

PLANS = ("free", "pro", "pro", "plus", "pro")


@pytest.fixture(scope="module")
def board(shared_app: App) -> Any:
    events = [
        {"name": "order.placed", "_actor": f"a{at}", "properties": {"plan": plan, "total": at}}
        for at, plan in enumerate(PLANS)
    ]
    assert shared_app.workspace.send({"events": events}).status_code == 202
    make_dashboard(shared_app.workspace, name="Elsewhere", environment="development")
    return make_dashboard(shared_app.workspace, name="Orders", timeRange="30d")


def asked(page: Page, line: str) -> Locator:
    """The answer to a line that is typed into the palette."""
    page.keyboard.press("Control+k")
    field(page).fill(line)
    return page.get_by_role("dialog").get_by_role("region")


def field(page: Page) -> Locator:
    return page.get_by_role("combobox", name="ask a question")


def option(page: Page, name: str) -> Locator:
    return page.get_by_role("option", name=name)


def test_a_question_is_answered_at_once_and_pinned_by_keys(looking: App, board: Any) -> None:
    page = settled(looking.opens("developer", f"/d/{board['id']}"))
    answer = asked(page, "order.placed by plan where total > 0")
    expect(answer).to_contain_text("30 days")  # of the dashboard
    expect(answer.locator("li")).to_have_count(2)
    assert [text.split()[0] for text in answer.locator("li").all_inner_texts()] == ["pro", "plus"]
    expect(option(page, "Pin to Orders")).to_have_attribute("aria-selected", "true")
    expect(option(page, "Pin to another dashboard")).to_have_count(0)  # the other one shows another environment
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("region", name="order.placed by plan, where total > 0").locator("li")).to_have_count(2)
    [widget] = widgets_of(looking.workspace, board["id"])
    assert (widget["type"], widget["config"]) == (
        "metric",
        {
            "event": "order.placed",
            "measure": "count",
            "breakdown": "plan",
            "filters": [{"key": "total", "op": "gt", "value": 0}],
        },
    )


def test_an_unknown_word_is_marked_and_completed(looking: App, board: Any) -> None:
    page = settled(looking.opens("viewer", "/events"))
    asked(page, "order.placed by plam")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("“plam” isn't known here. Try plan")
    expect(dialog.locator("u")).to_have_text("plam")
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    page.keyboard.press("Tab")
    expect(field(page)).to_have_value("order.placed by plan ")
    expect(field(page)).to_be_focused()
    expect(dialog.get_by_role("region").locator("li")).to_have_count(3)
    expect(dialog.locator("u")).to_have_count(0)


def test_a_viewer_sends_a_link_that_asks_again(looking: App, board: Any) -> None:
    page = settled(looking.opens("viewer", "/events?range=24h"))
    page.evaluate("navigator.clipboard.writeText = async text => { window.copied = text }")
    expect(asked(page, "unique actors of order.placed")).to_contain_text("5")
    expect(option(page, "Copy link")).to_be_visible()
    assert [text for text in page.get_by_role("option").all_inner_texts() if "Pin" in text or "editor" in text] == []
    option(page, "Copy link").click()
    page.wait_for_function("window.copied !== undefined")
    link = page.evaluate("window.copied")
    line = "unique actors of order.placed last 24 hours in environment production"
    assert parse_qs(urlsplit(link).query)["ask"] == [line]
    page.goto(link)
    expect(field(page)).to_have_value(line)
    expect(page.get_by_role("dialog").get_by_role("region")).to_contain_text("5")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert "ask=" not in page.url


def test_a_question_is_opened_in_the_editor(looking: App, board: Any) -> None:
    page = settled(looking.opens("developer", "/events"))
    asked(page, "sum of total of order.placed per day, last 7 days")
    option(page, "Open in the editor").click()
    option(page, "Orders").click()
    expect(page).to_have_url(f"{looking.workspace.url}/d/{board['id']}/w/new?kind=metric")
    expect(page.get_by_role("button", name="Discard")).to_be_visible()  # it is a draft, and not saved
    expect(page.get_by_role("region", name="Sum of total of order.placed")).to_contain_text("per day")


def test_a_question_replaces_that_of_an_open_editor(looking: App, board: Any) -> None:
    page = settled(looking.opens("developer", f"/d/{board['id']}/w/new?kind=metric"))
    for line, title in (
        ("order.placed by plan", "order.placed by plan"),
        ("sum of total of order.placed", "Sum of total of order.placed"),
        ("funnel order.placed, order.placed", "order.placed → order.placed"),
    ):
        asked(page, line)
        option(page, "Open in the editor").click()
        expect(page.get_by_role("main").get_by_role("region", name=title, exact=True)).to_be_visible()


def test_a_dashboard_is_made_for_a_question(app: App) -> None:
    assert app.workspace.send({"name": "signup", "_actor": "ann"}).status_code == 202
    page = settled(app.opens("developer", "/events?range=24h"))
    asked(page, "unique actors of signup per day last 7 days")
    expect(option(page, "Pin to a new dashboard")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Unique actors of signup")
    expect(page.get_by_role("region", name="Unique actors of signup")).to_contain_text("per day")
    expect(page.get_by_role("radio", name="7d")).to_be_checked()


def test_a_slip_keeps_the_answer_to_the_line_before(looking: App, board: Any) -> None:
    page = settled(looking.opens("viewer", "/events"))
    answer = asked(page, "order.placed by plan")
    expect(answer.locator("li")).to_have_count(3)
    page.keyboard.type(" las")
    expect(answer).not_to_contain_text("line before")  # a word that is being written is no slip
    page.keyboard.type("q")
    expect(answer).to_contain_text("answer to the line before")
    expect(answer.locator("li")).to_have_count(3)
    page.keyboard.press("Backspace")
    expect(answer).not_to_contain_text("line before")


def test_what_has_exactly_this_name_comes_before_its_answer(looking: App, board: Any) -> None:
    page = settled(looking.opens("owner", "/dashboards"))
    expect(asked(page, "order.placed")).to_be_visible()
    expect(page.get_by_role("option").first).to_have_text("order.placed↵")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Events")


@pytest.mark.parametrize("size", [PHONE, (320, 640)])
def test_an_answer_fits_a_phone_in_both_themes(looking: App, board: Any, size: tuple[int, int]) -> None:
    page = settled(looking.opens("owner", "/dashboards", size=size))
    expect(asked(page, "order.placed by plan over time against the week before")).to_be_visible()
    page.keyboard.type(", today as ")
    settled(page)
    expect(option(page, "areas")).to_be_visible()
    assert axe_in_both_themes(page, "[role=dialog]") == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


@pytest.mark.parametrize(
    "page_text", ["no such words " * 700, "(" * 10_000, "x" * 10_000], ids=["words", "signs", "a word"]
)
def test_a_pasted_page_is_read_and_fits(looking: App, board: Any, page_text: str) -> None:
    page = settled(looking.opens("viewer", f"/d/{board['id']}"))
    page.keyboard.press("Control+k")
    field(page).fill(page_text)
    box = page.get_by_role("dialog").bounding_box()
    assert box is not None
    assert box["height"] < page.evaluate("innerHeight")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    field(page).fill("order.placed by plan")
    expect(page.get_by_role("dialog").get_by_role("region").locator("li")).to_have_count(3)


def test_keys_of_an_input_method_choose_nothing_and_close_nothing(looking: App, board: Any) -> None:
    page = settled(looking.opens("viewer", f"/d/{board['id']}"))
    page.keyboard.press("Control+k")
    field(page).fill("Events")
    expect(option(page, "Events").first).to_have_attribute("aria-selected", "true")
    for key in ("Enter", "Tab", "ArrowDown", "Escape"):
        field(page).dispatch_event("keydown", {"key": key, "isComposing": True, "bubbles": True, "cancelable": True})
    expect(page.get_by_role("dialog")).to_have_count(1)
    expect(option(page, "Events").first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Events")
