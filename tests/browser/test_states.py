"""When a page cannot be filled: what it says for each refusal, that the rest stands, and that another try heals it."""

import re
from collections.abc import Iterable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from harness.browser.app import App, axe, settled
from harness.builders.moments import ago
from harness.builders.ranked_bots import USER, ranked_bots
from harness.clients.dashboards import make_alert, make_dashboard, make_widget

WORDS = {
    402: "Not included in your plan",
    403: "Your role doesn't allow this",
    413: "Request too large",
    429: "Too many requests",
    500: "This didn't load",
    503: "The server is busy",
}
FILLED_BY = {
    "/dashboards": r"/v1/dashboards$",
    "/d/{board}": r"/v1/widgets/[^/]+/data",
    "/events": r"/v1/events\?",
    "/actors": r"/v1/actors\?",
    "/actors/ann": r"/v1/actor\?",
    "/groups": r"/v1/groups\?",
    "/groups/pro": r"/v1/group\?",
    "/digests": r"/v1/digests$",
    "/annotations": r"/v1/annotations\?",
    "/segments": r"/v1/segments$",
    "/alerts": r"/v1/alerts$",
    "/alerts?tab=channels": r"/v1/alert-channels$",
    "/alerts/{alert}": r"/v1/alerts/[^/]+$",
    "/keys": r"/v1/keys",
    "/sources": r"/v1/external-sources$",
    "/bots": r"/v1/statistics/rankings/bots\?",
    "/bots/{bot}": r"/v1/statistics/bots/\d+$",
    "/bots/compare?ids={bots}": r"/v1/statistics/compare/\d",
    "/bots/users/{user}": r"/v1/statistics/users/",
    "/bots/feeding": r"/v1/stats-tokens",
    "/settings": r"/v1/members$",
}
"""Pages, and the request whose answer is their content."""
ONE_OF_EACH_SORT = {"/d/{board}", "/events"}
"""Cards, and a list that is asked for again by itself; the others are filled by the same code."""


def mostly_long(paths: Iterable[str], *, but: set[str]) -> list[Any]:
    """The paths, of which only some are for every run."""
    return [path if path in but else pytest.param(path, marks=pytest.mark.long) for path in paths]


FILLED = mostly_long(FILLED_BY, but=ONE_OF_EACH_SORT)
WITHOUT_NUMBERS = {"/dashboards", "/digests", "/annotations", "/segments", "/keys", "/sources", "/settings"}
"""Pages whose content is no answer about events; pages of bots are none, either."""


@pytest.fixture(scope="module")
def board(shared_app: App) -> Any:
    assert (
        shared_app.workspace.send({"name": "order.placed", "_actor": "ann", "properties": {"plan": "pro"}}).status_code
        == 202
    )
    with shared_app.workspace.client() as client:
        assert client.post("/v1/groups/keys", json={"propKey": "plan", "label": "Plan"}).status_code == 201
    ids = ranked_bots(shared_app.workspace, 2)
    made = make_dashboard(shared_app.workspace, name="Orders") | {"bot": ids[0], "bots": ",".join(ids), "user": USER}
    make_widget(
        shared_app.workspace,
        made["id"],
        type="metric",
        title="Placed",
        config={"event": "order.placed", "measure": "count"},
    )
    return made | {"alert": make_alert(shared_app.workspace, name="Many", event="order.placed")["id"]}


def address(path: str, board: Any) -> str:
    return path.format(board=board["id"], **{name: board[name] for name in ("alert", "bot", "bots", "user")})


def refusing(status: int) -> Any:
    def refuse(route: Route) -> None:
        body = {"code": status, "error": "refused", "message": "Not like this.", "details": [], "requestId": "req-1"}
        route.fulfill(status=status, json=body, headers={"retry-after": "7"})

    return refuse


def test_the_frame_is_there_while_a_page_waits_for_what_its_address_names(app: App) -> None:
    board = make_dashboard(app.workspace, name="Late")
    page = app.blank("owner")
    page.route(f"**/v1/dashboards/{board['id']}", lambda _: None)
    page.goto(f"{app.workspace.url}/d/{board['id']}")
    expect(page.get_by_role("navigation").first).to_be_visible()
    expect(page.get_by_role("main").locator("[aria-busy=true]")).to_have_count(1)


@pytest.mark.long
@pytest.mark.parametrize("path", FILLED)
def test_a_page_says_what_is_wrong_and_heals(looking: App, board: Any, path: str) -> None:
    asked = re.compile(FILLED_BY[path])
    statuses = list(WORDS) if path == "/d/{board}" else [500]  # what each says is the same everywhere
    page = looking.blank("owner", refused=statuses)
    page.route(asked, lambda route: route.abort("internetdisconnected"))
    page.goto(looking.workspace.url + address(path, board))
    main = settled(page).get_by_role("main")
    expect(main).to_contain_text("No connection")
    looking.faults[:] = [fault for fault in looking.faults if "ERR_INTERNET_DISCONNECTED" not in fault]
    for status in statuses:
        page.unroute(asked)
        page.route(asked, refusing(status))
        try_again(page)
        expect(main).to_contain_text(WORDS[status])
        if status == 429:
            expect(main).to_contain_text("Try again in 7 s.")
        if status >= 500:
            expect(main).to_contain_text("req-1")
        else:
            expect(main).not_to_contain_text("req-1")
        assert axe(page, "main") == []
    page.unroute(asked)
    try_again(page)
    for words in ("No connection", *WORDS.values()):
        expect(main).not_to_contain_text(words)


def try_again(page: Page) -> None:
    page.get_by_role("main").get_by_role("button", name="Try again").first.click()
    settled(page)


@pytest.mark.long
def test_who_was_signed_out_signs_in_and_is_back(app: App) -> None:
    board = make_dashboard(app.workspace, name="Orders")
    page = settled(app.opens("owner", f"/d/{board['id']}", refused=[401]))
    with app.workspace.client() as client:
        assert client.post("/v1/auth/logout").status_code == 204
    page.get_by_role("radio", name="30d").click()
    page.get_by_role("textbox", name="Email").fill(app.workspace.email)
    page.get_by_role("textbox", name="Password").fill("a long enough password")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Orders")
    assert page.url == f"{app.workspace.url}/d/{board['id']}?range=30d"


def test_old_numbers_stay_when_new_ones_do_not_come(looking: App, board: Any) -> None:
    page = settled(looking.opens("owner", f"/d/{board['id']}", refused=[503]))
    card = page.get_by_role("region", name="Placed", exact=True)
    expect(card).to_contain_text("1")
    page.route(re.compile(FILLED_BY["/d/{board}"]), refusing(503))
    page.get_by_role("button", name="Refresh").click()
    expect(card).to_contain_text("Couldn't refresh.")
    expect(card).to_contain_text("Updated at")
    expect(card).to_contain_text("1")
    page.unroute(re.compile(FILLED_BY["/d/{board}"]))
    page.route(re.compile(FILLED_BY["/d/{board}"]), lambda route: route.abort("internetdisconnected"))
    card.get_by_role("button", name="Retry").click()
    expect(card).to_contain_text("No connection.")
    looking.faults[:] = [fault for fault in looking.faults if "ERR_INTERNET_DISCONNECTED" not in fault]
    page.unroute(re.compile(FILLED_BY["/d/{board}"]))
    card.get_by_role("button", name="Retry").click()
    expect(card).not_to_contain_text("No connection.")
    expect(card).not_to_contain_text("Couldn't refresh.")


@pytest.mark.long
def test_a_card_without_anything_to_show_offers_what_may_fill_it(app: App) -> None:
    assert (
        app.workspace.send({"name": "x", "_timestamp": ago(days=20), "properties": {"plan": "pro"}}).status_code == 202
    )
    board = make_dashboard(app.workspace, name="Plans", timeRange="7d")
    config = {"event": "x", "measure": "count", "breakdown": "plan"}
    make_widget(app.workspace, board["id"], type="metric", title="By plan", config=config)
    page = settled(app.opens("viewer", f"/d/{board['id']}"))
    card = page.get_by_role("region", name="By plan", exact=True)
    expect(card).to_contain_text("No data in this time range")
    expect(card).to_contain_text("before this time range")
    card.get_by_role("button", name="Show 30 days").click()
    expect(card.get_by_role("listitem")).to_contain_text("pro")
    page.goto(f"{page.url}&f=plan:eq:none")
    card.get_by_role("button", name="Remove filters").click()
    expect(card.get_by_role("listitem")).to_contain_text("pro")
    assert page.url.endswith("?range=30d")


OF_EVENTS = [path for path in FILLED_BY if path not in WITHOUT_NUMBERS and not path.startswith(("/alerts", "/bots"))]


@pytest.mark.long
@pytest.mark.parametrize("path", mostly_long(OF_EVENTS, but=ONE_OF_EACH_SORT))
def test_what_the_server_says_of_an_answer_stands_beside_it(looking: App, board: Any, path: str) -> None:
    """Such as that some of the data cannot be read: a number must not be wrong without a word."""
    notice = {"code": "incomplete_data", "message": "Some events cannot be read."}

    def tell(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"notices": [notice]})

    page = looking.blank("owner")
    page.route(re.compile(FILLED_BY[path]), tell)
    page.goto(looking.workspace.url + path.format(board=board["id"], alert=board["alert"]))
    settled(page)
    expect(page.get_by_role("main").get_by_text(notice["message"])).to_have_count(1)


NOT_THERE = [
    *("/d/none", "/actors/nobody", "/groups/none", "/d/{board}/w/none", "/alerts/none"),
    *("/bots/{user}", "/bots/{bot}/votes/{bot}"),
]


@pytest.mark.long
@pytest.mark.parametrize("path", mostly_long(NOT_THERE, but={"/d/none", "/actors/nobody"}))
def test_what_is_not_there_has_a_page_that_says_so(looking: App, board: Any, path: str) -> None:
    page = settled(looking.opens("owner", address(path, board), refused=[404]))
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.get_by_role("main")).to_contain_text(re.compile("Nothing here|No events"))
    expect(page.get_by_role("navigation").first).to_be_visible()
    assert axe(page) == []
