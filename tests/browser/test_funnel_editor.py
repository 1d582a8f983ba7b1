"""The editor of a funnel in the browser: steps that move, a sentence, bars split by the breakdown, and where it stops most."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from harness.browser.app import PHONE, App, axe_in_both_themes, settled
from harness.clients.dashboards import make_dashboard, make_segment, make_widget, widgets_of

STEPS = ["signup", "project_created", "invite_sent", "purchase"]
REACHED = {"pro": (22, 20, 16, 9), "team": (19, 16, 11, 4), "free": (29, 20, 1, 0)}
"""How many of each plan reach each step."""
LAPTOP = (1440, 720)
LISTEN = """() => {
    window.announced = [];
    const note = () => announced.push(document.getElementById("announcements")?.textContent);
    new MutationObserver(note).observe(document.body, { childList: true, subtree: true });
}"""
"""Keep all that is announced: the next announcement, such as that of a draft, takes the place of the one before."""


def send_journeys(app: App) -> None:
    began = datetime.now(UTC) - timedelta(days=10)
    events = [
        {
            "name": step,
            "_actor": f"{plan} {person}",
            "_timestamp": (began + timedelta(minutes=10 * place)).isoformat(),
            "properties": {"plan": plan},
        }
        for plan, counts in REACHED.items()
        for place, (step, count) in enumerate(zip(STEPS, counts, strict=True))
        for person in range(count)
    ]
    assert app.workspace.send({"events": events}).status_code == 202


@pytest.fixture
def board(app: App) -> str:
    send_journeys(app)
    made: str = make_dashboard(app.workspace, name="Onboarding", timeRange="30d")["id"]
    return made


def make_funnel(app: App, board: str, **config: Any) -> Any:
    fields: Any = {"steps": [{"event": step} for step in STEPS], "breakdown": "plan"} | config
    return make_widget(app.workspace, board, type="funnel", title="Activation", config=fields, layout={"w": 6, "h": 4})


def editor(app: App, board: str, widget: Any, size: tuple[int, int] = LAPTOP) -> Page:
    return settled(app.opens("developer", f"/d/{board}/w/{widget['id']}", size=size))


def steps(page: Page) -> list[str]:
    """The events of the steps, from the first to the last."""
    fields = page.get_by_role("list", name="Steps").get_by_role("combobox").all()
    return [field.input_value() for field in fields]


def handle(page: Page, number: int) -> Locator:
    return page.get_by_role("button", name=f"Move step {number}", exact=True)


def save(page: Page) -> None:
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("region", name="Activation", exact=True)).to_be_focused()


def test_a_funnel_is_seen_on_one_screen_with_where_it_stops_most(app: App, board: str) -> None:
    page = editor(app, board, make_funnel(app, board))
    stops = page.get_by_role("region", name="Where it stops most")
    expect(stops).to_contain_text("28 of 56 stopped, 19 of them on free.")
    expect(stops.get_by_role("listitem").first).to_contain_text("free")
    rates = page.get_by_role("table", name="Rates by plan")
    expect(rates.get_by_role("row", name="free")).to_contain_text("too few")
    first_bar = page.get_by_role("list", name="Activation").get_by_role("listitem").first
    assert first_bar.locator("i > span").evaluate_all("parts => parts.map(part => part.title)") == [
        "free: 29",
        "pro: 22",
        "team: 19",
    ]
    assert axe_in_both_themes(page) == []
    for part in (page.get_by_role("combobox", name="Break down by"), rates, page.get_by_text("More", exact=True)):
        expect(part).to_be_in_viewport(ratio=1)


def test_those_who_stop_most_are_listed_and_become_a_segment(app: App, board: str) -> None:
    page = editor(app, board, make_funnel(app, board))
    page.get_by_role("button", name="See the 28").click()
    dialog = page.get_by_role("dialog", name="stopped after project_created")
    expect(dialog).to_contain_text("28 actors")
    expect(dialog.get_by_role("list", name="Who is behind").get_by_role("link")).to_have_count(28)
    assert axe_in_both_themes(page, "[role=dialog]") == []
    dialog.get_by_role("link", name="Save as segment").click()
    form = page.get_by_role("dialog", name="New segment")
    expect(form).to_contain_text("_actor is one of")
    expect(form).to_contain_text("free 1")


def test_steps_move_by_keys_and_the_answer_follows(app: App, board: str) -> None:
    page = editor(app, board, make_funnel(app, board, breakdown=None))
    page.evaluate(LISTEN)
    handle(page, 2).focus()
    page.keyboard.press("ArrowDown")
    assert steps(page) == ["signup", "invite_sent", "project_created", "purchase"]
    page.wait_for_function("text => announced.includes(text)", arg="project_created is now step 3 of 4.")
    expect(handle(page, 3)).to_be_focused()
    page.keyboard.press("ArrowUp")
    assert steps(page) == STEPS
    page.keyboard.press("ArrowDown")
    save(page)
    [saved] = widgets_of(app.workspace, board)
    assert [step["event"] for step in saved["config"]["steps"]] == steps_after_the_move()


def steps_after_the_move() -> list[str]:
    first, second, third, last = STEPS
    return [first, third, second, last]


@pytest.mark.long
def test_a_step_is_dragged_with_its_filters(app: App, board: str) -> None:
    page = editor(app, board, make_funnel(app, board, breakdown=None))
    page.get_by_role("group", name="Filters for step 3").get_by_role("button", name="Filter", exact=True).click()
    expect(page.get_by_role("combobox", name="Filter", exact=True)).to_be_focused()
    page.keyboard.type("plan is pro")
    page.keyboard.press("Enter")
    handle(page, 3).drag_to(page.get_by_role("combobox", name="Step 1"))
    assert steps(page) == ["invite_sent", "signup", "project_created", "purchase"]
    expect(page.get_by_role("group", name="Filters for step 1")).to_contain_text("plan is pro")


@pytest.mark.long
def test_on_a_phone_a_menu_moves_a_step_and_nothing_is_wider_than_it(app: App, board: str) -> None:
    page = editor(app, board, make_funnel(app, board), PHONE)
    handle(page, 1).click()
    page.get_by_role("menuitem", name="Move down").click()
    assert steps(page)[:2] == ["project_created", "signup"]
    for width in (PHONE[0], 320):
        page.set_viewport_size({"width": width, "height": PHONE[1]})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.long
def test_the_sentence_says_how_long_and_whom_and_every_length_can_be_typed(app: App, board: str) -> None:
    segment = make_segment(app.workspace, name="Paying", filters=[{"key": "plan", "op": "eq", "value": "pro"}])
    page = editor(app, board, make_funnel(app, board, breakdown=None))
    window = page.get_by_role("combobox", name="Conversion window")
    expect(window).to_have_value("7 days")
    window.fill("40 days")
    window.press("Enter")
    expect(page.get_by_role("alertdialog")).to_contain_text("is not from 1 hour to 30 days")
    window.fill("36 hours")
    window.press("Enter")
    page.get_by_role("combobox", name="Counted from").select_option("the first step")
    page.get_by_role("combobox", name="Count", exact=True).select_option("groups")
    page.get_by_role("combobox", name="Segment").select_option("Paying")
    save(page)
    [saved] = widgets_of(app.workspace, board)
    chosen = {"windowHours": 36, "windowFrom": "first", "count": "group", "segmentId": segment["id"]}
    assert {name: saved["config"][name] for name in chosen} == chosen


@pytest.mark.long
def test_a_funnel_with_everything_is_saved_as_it_is_when_nobody_touches_it(app: App, board: str) -> None:
    filters = [{"any": [{"key": "plan", "op": "in", "value": ["a, b", '"']}, {"key": "plan", "op": "not_exists"}]}]
    widget = make_funnel(
        app,
        board,
        steps=[{"events": ["signup", "invite_sent"]}, {"events": "all"}, {"event": "purchase", "filters": filters}],
        windowHours=90,
        windowFrom="first",
        times=True,
        holding="plan",
        exclude=[{"event": "invite_sent", "between": [1, 3], "filters": filters}],
    )
    page = editor(app, board, widget)
    expect(page.get_by_role("combobox", name="Conversion window")).to_have_value("90 hours")
    expect(page.get_by_role("combobox", name="Same value of")).to_be_visible()
    save(page)
    [saved] = widgets_of(app.workspace, board)
    assert saved["config"].pop("display")["colors"].keys() == REACHED.keys()  # of its preview
    assert saved["config"] == widget["config"]
