"""Charts in the browser: named, walked through by keys, the same as a table, and with the numbers of the API."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from harness.browser.app import App, rows_of, settled
from harness.browser.behind import panel
from harness.builders.moments import ago
from harness.clients.dashboards import make_annotation, make_dashboard, make_widget

STEPS = ["page.viewed", "cart.filled", "order.placed", "order.paid"]
FUNNEL = {"steps": [{"event": step} for step in STEPS], "windowHours": 12}
RETENTION = {"cohortEvent": STEPS[0], "returnEvent": "back", "granularity": "day", "periods": 5}
CONFIGS: dict[str, tuple[str, Any]] = {
    "Views": ("metric", {"event": STEPS[0], "measure": "count", "overTime": True}),
    "By name": ("metric", {"events": "all", "measure": "count", "breakdown": "name", "overTime": True}),
    "Way": ("funnel", FUNNEL | {"times": True}),
    "Way of teams": ("funnel", FUNNEL | {"count": "group"}),
    "Back": ("retention", RETENTION),
}


def make_board(app: App) -> Any:
    """Nine people of four teams over three days: of each step, fewer take the next; some come back."""
    noon = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(hours=12)
    events = [
        {
            "name": step,
            "_actor": f"actor {person}",
            "_timestamp": (noon - timedelta(days=person % 3, minutes=9 - place)).isoformat(),
            "properties": {"team": f"team {person % 4}"},
        }
        for place, step in enumerate(STEPS)
        for person in range(9)
        if person % (1 + place) == 0
    ]
    events += [
        {"name": "back", "_actor": f"actor {person}", "_timestamp": noon.isoformat()}
        for person in range(9)
        if person % 2
    ]
    assert app.workspace.send({"events": events}).status_code == 202
    with app.workspace.client() as client:
        assert client.post("/v1/groups/keys", json={"propKey": "team", "label": "Team"}).status_code == 201
    made = make_dashboard(app.workspace, name="Orders")
    for title, (kind, config) in CONFIGS.items():
        make_widget(app.workspace, made["id"], type=kind, title=title, config=config, layout={"w": 6, "h": 4})
    return app.workspace.get(f"/v1/dashboards/{made['id']}").json()


@pytest.fixture(scope="module")
def board(shared_app: App) -> Any:
    """For tests that leave it as it is."""
    return make_board(shared_app)


@pytest.fixture
def own_board(app: App) -> Any:
    return make_board(app)


def card(page: Page, title: str) -> Locator:
    return page.get_by_role("main").get_by_role("region", name=title, exact=True)


def answer(app: App, board: Any, title: str) -> Any:
    [widget] = [each for each in board["widgets"] if each["title"] == title]
    with app.workspace.client() as client:
        return client.post(f"{app.workspace.url}/v1/widgets/{widget['id']}/data", json={}).json()


def said(page: Page) -> str:
    return page.get_by_role("status").last.inner_text()


def test_charts_are_said_by_keys_and_have_the_numbers_of_the_api(looking: App, board: Any) -> None:
    page = settled(looking.opens("viewer", f"/d/{board['id']}"))
    check_points_are_said(page)
    check_table(page, answer(looking, board, "Views"))
    check_funnel(page, "Way", answer(looking, board, "Way"), [9, 5, 2, 1])
    check_funnel(page, "Way of teams", answer(looking, board, "Way of teams"), [4, 2, 2, 1])
    check_times(page, answer(looking, board, "Way"))
    cohorts = answer(looking, board, "Back")["cohorts"]
    check_retention(page, cohorts)
    check_retention_as_lines(page, cohorts)
    check_who_is_behind_a_step(page, answer(looking, board, "Way"))


def check_points_are_said(page: Page) -> None:
    chart = card(page, "Views").get_by_role("application", name="Views")
    chart.focus()
    chart.press("End")
    expect(page.get_by_role("status").last).not_to_be_empty()
    last = said(page)
    chart.press("ArrowLeft")
    expect(page.get_by_role("status").last).not_to_have_text(last)


def check_table(page: Page, told: Any) -> None:
    views = card(page, "Views")
    views.get_by_role("button", name="Widget menu").click()
    page.get_by_role("menuitem", name="View as table").click()
    expect(views.get_by_role("row")).to_have_count(1 + len(told["points"]))
    found = [row[-1] for row in rows_of(views.get_by_role("table"))]
    assert found == [str(point["value"]) for point in told["points"]]
    assert sum(map(int, found)) == 9


def rounded(share: float) -> str:
    """A share as the page writes it."""
    return f"{share * 100:.{0 if share in {0, 1} else 1}f}\u2009%"


def check_funnel(page: Page, title: str, told: Any, counts: list[int]) -> None:
    """How many reached each step, their share of the first, and how many of the step before were lost."""
    steps = told["steps"]
    assert [step["event"] for step in steps] == STEPS
    assert [step["count"] for step in steps] == counts
    items = card(page, title).get_by_role("listitem").all()
    for item, step, after in zip(items, steps, [*steps[1:], None], strict=True):
        expect(item.get_by_role("button").first).to_have_text(str(step["count"]))
        expect(item).to_contain_text(rounded(step["rate"]))
        if after is not None and after["count"] < step["count"]:
            expect(item).to_contain_text(f"−{rounded(1 - after['stepRate'])}")
            expect(item).to_contain_text(f"{step['count'] - after['count']} stopped")


def check_times(page: Page, told: Any) -> None:
    """How long the steps of a funnel took."""
    assert sum(bucket["count"] for bucket in told["steps"][1]["times"]) == 5
    for item in card(page, "Way").get_by_role("listitem").all()[:-1]:
        expect(item.get_by_role("img", name="All took 60 s.")).to_be_visible()
    expect(card(page, "Way of teams").get_by_role("img")).to_have_count(0)


def check_retention(page: Page, cohorts: Any) -> None:
    """A period to come is empty, and the one of now is marked as not over."""
    assert sum(cohort["size"] for cohort in cohorts) == 9
    found = rows_of(card(page, "Back").get_by_role("table"))
    assert len(found) == len(cohorts)
    for row, cohort in zip(found, cohorts, strict=True):
        size, *shares = row
        assert size == str(cohort["size"])
        expected = (
            [f"{round(100 * back / cohort['size'])}\u2009%" for back in cohort["values"][1:]] if cohort["size"] else []
        )
        assert [share for share in shares if share] == expected
        assert shares == expected + [""] * (len(shares) - len(expected))
    running = card(page, "Back").get_by_role("button", name="in progress")
    assert running.count() == len([cohort for cohort in cohorts if cohort["size"] and cohort["values"][1:]])


def check_retention_as_lines(page: Page, cohorts: Any) -> None:
    card(page, "Back").get_by_role("switch", name="Line").check()
    told = card(page, "Back").get_by_role("img", name="All cohorts").get_attribute("aria-label") or ""
    for at in range(5):
        over = [cohort for cohort in cohorts if cohort["size"] and at < len(cohort["values"]) - 2]
        if over:
            share = sum(each["values"][at + 1] for each in over) / sum(each["size"] for each in over)
            assert f"Day {at + 1}: {rounded(share)}" in told
        else:
            assert f"Day {at + 1}:" not in told
    assert "Day 1:" in told


def check_who_is_behind_a_step(page: Page, told: Any) -> None:
    card(page, "Way").get_by_role("button", name=STEPS[2]).first.click()
    reached = told["steps"][2]["count"]
    expect(panel(page)).to_contain_text(f"{reached} actor")
    expect(panel(page).get_by_role("list", name="Who is behind").get_by_role("link")).to_have_count(reached)


@pytest.mark.long
def test_a_funnel_of_groups_without_a_group_key_counts_actors_and_says_so(app: App, own_board: Any) -> None:
    page = settled(app.opens("viewer", f"/d/{own_board['id']}"))
    expect(card(page, "Way of teams")).not_to_contain_text("actors")
    with app.workspace.client() as client:
        [key] = client.get("/v1/groups/keys", params={"environment": "production", "timeRange": "7d"}).json()["keys"]
        assert client.delete(f"/v1/groups/keys/{key['id']}").status_code == 204
    page.reload()
    settled(page)
    expect(card(page, "Way of teams").get_by_role("listitem").first.get_by_role("button").first).to_have_text("9")
    expect(card(page, "Way of teams")).to_contain_text("actors")


@pytest.mark.long
def test_an_annotation_made_by_keys_is_on_every_chart_over_time_and_no_other_environment_has_it(
    app: App, own_board: Any
) -> None:
    make_annotation(app.workspace, label="Ours", time=ago(hours=13))
    make_annotation(app.workspace, label="Theirs", time=ago(hours=13), environment="development")
    page = settled(app.opens("developer", f"/d/{own_board['id']}"))
    for title in ("Views", "By name"):
        expect(card(page, title).get_by_role("button", name="Ours")).to_be_visible()
    expect(page.get_by_text("Theirs")).to_have_count(0)
    expect(page.get_by_role("button", name="Theirs")).to_have_count(0)
    chart = card(page, "Views").get_by_role("application", name="Views")
    chart.focus()
    chart.press("End")
    chart.press("a")
    page.get_by_role("textbox", name="Label").fill("v4.2 released")
    page.keyboard.press("Enter")
    for title in ("Views", "By name"):
        expect(card(page, title).get_by_role("button", name="v4.2 released")).to_be_visible()
    saved = app.workspace.get("/v1/annotations", environment="production").json()["annotations"]
    assert {each["label"] for each in saved} == {"Ours", "v4.2 released"}
