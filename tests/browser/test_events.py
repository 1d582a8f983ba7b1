"""Events in the browser: a flood that stays readable, and one stream for all tabs, also where the page came by plain HTTP."""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event, Thread

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from harness.browser.app import App, settled
from harness.clients.workspace import Workspace, sign_up
from harness.servers.server import Server
from tallyroom.events.stream.stream import MAX_STREAMS
from tallyroom.server.protocol.deadlines import SILENT_SECONDS

A_SECOND = 50
"""How many events a flood has in a second."""
MOST_ROWS = 500
LONGEST_TASK_MS = 200
KNOWN_MS = 2_000 * SILENT_SECONDS + 500
"""After so long the server knows that a client has left."""
LONG_TASKS = """() => {
    window.longest = 0
    new PerformanceObserver(list => {
        for (const task of list.getEntries()) window.longest = Math.max(window.longest, task.duration)
    }).observe({type: 'longtask'})
}"""


@contextmanager
def flood(workspace: Workspace) -> Iterator[Callable[[], int]]:
    """Events that keep coming; what it yields says how many were acknowledged."""
    over, sent = Event(), [0]

    def send() -> None:
        begun = time.monotonic()
        with workspace.client(workspace.key) as client:
            while not over.wait(max(0.0, begun + sent[0] / A_SECOND - time.monotonic())):
                event = {"name": f"kind {sent[0] % 7}", "_actor": f"actor {sent[0] % 40}", "properties": {"n": sent[0]}}
                assert client.post("/v1/events", json={"events": [event] * 5}).status_code == 202
                sent[0] += 5

    sender = Thread(target=send)
    sender.start()
    try:
        yield lambda: sent[0]
    finally:
        over.set()
        sender.join()


def rows(page: Page) -> int:
    return page.get_by_role("table", name="Events").locator("tbody tr").count()


@pytest.mark.long
@pytest.mark.parametrize("seconds", [1, 60])
def test_a_flood_stays_readable(app: App, seconds: int) -> None:
    assert app.workspace.send({"name": "before"}).status_code == 202
    page = settled(app.opens("viewer", "/events"))
    page.evaluate(LONG_TASKS)
    with flood(app.workspace):
        expect(page.get_by_role("table", name="Events")).to_contain_text("kind")
        for _ in range(seconds):
            page.wait_for_timeout(1_000)
            assert rows(page) <= MOST_ROWS
    if (
        seconds > 3
    ):  # what it takes to draw rows for the first time is not the flood's, and a short look sees little else
        assert page.evaluate("window.longest") <= LONGEST_TASK_MS


def test_pause_holds_the_rows_and_counts_what_comes(app: App) -> None:
    assert app.workspace.send({"events": [{"name": f"old {n}"} for n in range(5)]}).status_code == 202
    page = settled(app.opens("viewer", "/events"))
    page.get_by_role("button", name="Pause").click()
    table = page.get_by_role("table", name="Events")
    held = table.inner_text()
    for at in range(4):
        assert app.workspace.send({"events": [{"name": f"new {at}-{n}"} for n in range(11)]}).status_code == 202
    waiting = table.get_by_role("button", name="44 new", exact=True)
    expect(waiting).to_be_visible()
    assert table.inner_text().splitlines()[-1] == held.splitlines()[-1]
    expect(table).not_to_contain_text("new 0-0")
    waiting.click()
    expect(table).to_contain_text("new 3-10")
    expect(table.get_by_role("row")).to_have_count(1 + 5 + 44)


@pytest.mark.long
def test_names_can_be_read_beside_an_open_event(app: App) -> None:
    fields = {"name": "subscription.renewed", "_actor": "customer-17", "_source": "shop"}
    assert app.workspace.send({"events": [fields] * 3}).status_code == 202
    [event, *_] = app.workspace.get("/v1/events").json()["events"]
    page = settled(app.opens("viewer", f"/events?sel={event['id']}", size=(1024, 768)))
    name = page.get_by_role("table", name="Events").locator("td", has_text="subscription.renewed").first
    expect(name).to_contain_text("customer-17")
    assert name.evaluate("cell => cell.scrollWidth <= cell.clientWidth")


def test_the_moment_of_an_event_is_marked_on_charts(app: App) -> None:
    assert app.workspace.send({"name": "release", "_timestamp": "2026-01-02T03:04:05.678Z"}).status_code == 202
    page = settled(app.opens("developer", "/events?from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z"))
    page.get_by_role("button", name="2 Jan, 03:04:05, release").click()
    page.get_by_role("button", name="Annotate").click()
    dialog = page.get_by_role("dialog", name="New annotation")
    dialog.get_by_role("textbox", name="Label").fill("Version 2")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_be_hidden()
    [saved] = app.workspace.get("/v1/annotations", environment="production").json()["annotations"]
    assert (saved["label"], saved["time"]) == ("Version 2", "2026-01-02T03:04:05.678Z")


def own_address() -> str:
    """An address of this machine that browsers do not trust without HTTPS."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.connect(("192.0.2.1", 9))  # sends nothing: it only chooses an interface
        return str(asking.getsockname()[0])


@pytest.fixture(scope="module")
def open_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that listens on every address of this machine."""
    data: Path = tmp_path_factory.mktemp("open") / "data"
    running = Server(data, host="0.0.0.0", open_signup="true", trusted_proxies="127.0.0.0/8").start()
    yield running
    running.stop()


def streams_left(workspace: Workspace) -> int:
    """How many more streams the workspace may open now."""
    with ExitStack() as opened, workspace.client() as client:
        for number in range(MAX_STREAMS + 1):
            stream = client.stream("GET", "/v1/events/stream", params={"environment": "production"})
            answer = opened.enter_context(stream)
            if answer.status_code == httpx.codes.TOO_MANY_REQUESTS:
                return number
            assert answer.status_code == httpx.codes.OK
    raise AssertionError("there is no limit")


def check_streams(workspace: Workspace, used: int, page: Page | None = None) -> None:
    """The workspace has that many streams as soon as those that were closed are known to be."""
    for _ in range(4):
        if (found := MAX_STREAMS - streams_left(workspace)) == used:
            return
        if page:
            page.wait_for_timeout(KNOWN_MS)  # in which its other side may close
        else:
            time.sleep(KNOWN_MS / 1000)
    raise AssertionError(f"{found} streams are open")


def signed_in(browser: Browser, workspace: Workspace, url: str) -> BrowserContext:
    context = browser.new_context(viewport={"width": 1200, "height": 800})
    context.add_cookies([{"name": workspace.cookie, "value": workspace.session_token, "url": url}])
    return context


@pytest.mark.long
@pytest.mark.parametrize("tabs", [3, 7])
@pytest.mark.parametrize(
    ("host", "listening"),
    [("127.0.0.1", "server"), ("own address", "open_server")],
)
def test_all_tabs_share_one_stream(
    browser: Browser, request: pytest.FixtureRequest, host: str, listening: str, tabs: int
) -> None:
    workspace = sign_up(request.getfixturevalue(listening).url)
    assert workspace.send({"name": "before"}).status_code == 202
    url = f"http://{host if host[0].isdigit() else own_address()}:{httpx.URL(workspace.url).port}"
    with signed_in(browser, workspace, url) as context:
        pages = [context.new_page() for _ in range(tabs)]
        for page in pages:
            page.goto(f"{url}/events")
            expect(page.get_by_text("live", exact=False).first).to_be_visible()
        assert pages[0].evaluate("isSecureContext") == (host == "127.0.0.1")
        check_streams(workspace, 1, pages[0])
        assert workspace.send({"name": "to all tabs", "properties": {"n": 1}}).status_code == 202
        for page in pages:
            expect(page.get_by_role("table", name="Events")).to_contain_text("to all tabs")
        another = context.new_page()
        another.goto(f"{url}/events")
        expect(another.get_by_role("table", name="Events")).to_contain_text("to all tabs")
        check_copy(another)
        for page in (*pages, another):
            page.close()
        check_streams(workspace, 0)


def check_copy(page: Page) -> None:
    """Copying works, however the page came: what was copied can be pasted."""
    page.get_by_role("row").filter(has_text="to all tabs").get_by_role("button").click()
    panel = page.get_by_role("region", name="Event to all tabs")
    panel.get_by_role("button", name="Copy JSON").click()
    expect(panel.get_by_role("button", name="Copied")).to_be_visible()


KEYS = ["100000000000000013", "100000000000000044"]


def test_a_wide_window_shows_the_first_properties_of_each_event(app: App) -> None:
    """An open event has all of them, and takes the room."""
    properties = {"plan": "free", "latency_ms": 115, "country": "DE", "shard": 4}
    assert app.workspace.send({"name": "track.play", "properties": properties}).status_code == 202
    page = settled(app.opens("viewer", "/events"))
    text = page.get_by_role("table", name="Events").get_by_text("plan free · latency_ms 115 · country DE")
    expect(text).to_be_visible()
    page.get_by_role("button", name="track.play").click()
    expect(page.get_by_role("region", name="Event track.play")).to_be_visible()
    expect(text).to_be_hidden()


def test_a_narrow_window_has_the_colors_and_the_count_and_rows_that_can_be_told_apart(app: App) -> None:
    names = ["track.play", "track.error"]
    events = [{"name": name, "properties": {"guild_id": key}} for name in names for key in KEYS]
    assert app.workspace.send({"events": events}).status_code == 202
    with app.workspace.client() as client:
        assert client.post("/v1/groups/keys", json={"propKey": "guild_id", "label": "Servers"}).status_code == 201
    page = settled(app.opens("viewer", "/events", size=(768, 1024)))
    table = page.get_by_role("table", name="Events")
    edges = {name: table.locator("td > span", has_text=name).first.bounding_box() for name in names}
    assert all(edges.values())
    assert len({box["x"] for box in edges.values() if box}) == 1
    for key in ("1000…0013", "1000…0044"):
        expect(table.locator("td[data-wide]", has_text=key).first).to_be_visible()
    for width in (768, 390):
        page.set_viewport_size({"width": width, "height": 844})
        legend = page.get_by_role("list", name="Legend")
        expect(legend.get_by_role("listitem")).to_have_count(2)
        expect(legend).to_be_visible()
        expect(page.get_by_text("4 events", exact=True).locator("visible=true")).to_be_visible()
