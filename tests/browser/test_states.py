"""When a page cannot be filled: what it says for each refusal, that the rest stands, and that another try heals it."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from harness.app import App, axe, settled
from harness.dashboards import make_dashboard, make_widget

WORDS = {
    402: "This needs another plan",
    403: "Your role may not do this",
    413: "Too much at once",
    429: "Too many requests",
    500: "This did not load",
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
    "/keys": r"/v1/keys",
}
"""Pages, and the request whose answer is their content."""


@pytest.fixture
def board(app: App) -> Any:
    assert (
        app.workspace.send({"name": "order.placed", "_actor": "ann", "properties": {"plan": "pro"}}).status_code == 202
    )
    with app.workspace.client() as client:
        assert client.post("/v1/groups/keys", json={"propKey": "plan", "label": "Plan"}).status_code == 201
    made = make_dashboard(app.workspace, name="Orders")
    make_widget(
        app.workspace, made["id"], type="metric", title="Placed", config={"event": "order.placed", "measure": "count"}
    )
    return made


def refusing(status: int) -> Any:
    def refuse(route: Route) -> None:
        body = {"code": status, "error": "refused", "message": "Not like this.", "details": [], "requestId": "req-1"}
        route.fulfill(status=status, json=body, headers={"retry-after": "7"})

    return refuse


def opened(app: App, path: str, board: Any, pattern: str, answer: Any, status: int) -> Page:
    """A page one of whose requests is answered so."""
    page = app.opens("owner", "/no-such-page", refused=[status])
    page.route(re.compile(pattern), answer)
    page.goto(app.workspace.url + path.format(board=board["id"]))
    expect(page.get_by_role("heading", level=1)).not_to_have_text("Nothing here")
    return settled(page)


@pytest.mark.parametrize("path", FILLED_BY)
def test_a_page_says_what_is_wrong_and_heals(app: App, board: Any, path: str) -> None:
    for status in WORDS if path == "/d/{board}" else (429, 500):
        page = opened(app, path, board, FILLED_BY[path], refusing(status), status)
        main = page.get_by_role("main")
        expect(main).to_contain_text(WORDS[status])
        if status == 429:
            expect(main).to_contain_text("It works again in 7 s.")
        if status >= 500:
            expect(main).to_contain_text("req-1")
        else:
            expect(main).not_to_contain_text("req-1")
        assert axe(page) == []
        page.unroute(re.compile(FILLED_BY[path]))
        main.get_by_role("button", name="Try again").first.click()
        settled(page)
        expect(main).not_to_contain_text(WORDS[status])


@pytest.mark.parametrize("path", FILLED_BY)
def test_without_a_connection_a_page_says_so(app: App, board: Any, path: str) -> None:
    page = app.opens("owner", "/no-such-page")
    page.route(re.compile(FILLED_BY[path]), lambda route: route.abort("internetdisconnected"))
    page.goto(app.workspace.url + path.format(board=board["id"]))
    settled(page)
    expect(page.get_by_role("main")).to_contain_text("No connection")
    app.faults[:] = [fault for fault in app.faults if "ERR_INTERNET_DISCONNECTED" not in fault]


def test_who_was_signed_out_signs_in_and_is_back(app: App, board: Any) -> None:
    page = settled(app.opens("owner", f"/d/{board['id']}", refused=[401]))
    with app.workspace.client() as client:
        assert client.post("/v1/auth/logout").status_code == 204
    page.get_by_role("radio", name="30d").click()
    page.get_by_role("textbox", name="Email").fill(app.workspace.email)
    page.get_by_role("textbox", name="Password").fill("a long enough password")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Orders")
    assert page.url == f"{app.workspace.url}/d/{board['id']}?range=30d"


def test_old_numbers_stay_when_new_ones_do_not_come(app: App, board: Any) -> None:
    page = settled(app.opens("owner", f"/d/{board['id']}", refused=[503]))
    card = page.get_by_role("region", name="Placed", exact=True)
    expect(card).to_contain_text("1")
    page.route(re.compile(FILLED_BY["/d/{board}"]), refusing(503))
    page.get_by_role("button", name="Refresh").click()
    expect(card).to_contain_text("It could not be renewed.")
    expect(card).to_contain_text("Counted at")
    expect(card).to_contain_text("1")
    page.unroute(re.compile(FILLED_BY["/d/{board}"]))
    card.get_by_role("button", name="Retry").click()
    expect(card).not_to_contain_text("It could not be renewed.")


@pytest.mark.parametrize("path", [path for path in FILLED_BY if path not in {"/dashboards", "/keys"}])
def test_what_the_server_says_of_an_answer_stands_beside_it(app: App, board: Any, path: str) -> None:
    """Such as that some of the data cannot be read: a number must not be wrong without a word."""
    notice = {"code": "incomplete_data", "message": "Some events cannot be read."}

    def tell(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"notices": [notice]})

    page = app.opens("owner", "/no-such-page")
    page.route(re.compile(FILLED_BY[path]), tell)
    page.goto(app.workspace.url + path.format(board=board["id"]))
    settled(page)
    expect(page.get_by_role("main").get_by_text(notice["message"])).to_have_count(1)


@pytest.mark.parametrize("path", ["/d/none", "/actors/nobody", "/groups/none", "/d/{board}/w/none"])
def test_what_is_not_there_has_a_page_that_says_so(app: App, board: Any, path: str) -> None:
    page = settled(app.opens("owner", path.format(board=board["id"]), refused=[404]))
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.get_by_role("main")).to_contain_text(re.compile("Nothing here|No events"))
    assert axe(page) == []
