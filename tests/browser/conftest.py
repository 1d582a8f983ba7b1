"""Chromium, the web app in it, a site of another origin without any protection of its own, and where pictures would send what they steal."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from harness.browser.app import App, Tabs
from harness.browser.chromium import Witness, browser_or_skip
from harness.clients.workspace import sign_up
from harness.servers.scripted_server import ReceivedRequest, ScriptedAnswer, ScriptedServer
from harness.servers.server import Server
from harness.servers.street import Street, open_street

STOLEN = "/stolen"


class Elsewhere:
    """Another site: shows what it is given, and writes down what it is asked."""

    def __init__(self) -> None:
        self._pages: dict[str, ScriptedAnswer] = {}
        self.server = ScriptedServer(self._answer)

    @property
    def thief(self) -> str:
        """The URL below which nobody should ask."""
        return f"{self.server.url}{STOLEN}"

    @property
    def stolen(self) -> set[str]:
        """What was asked for below it."""
        return {asked.path for asked in self.server.asked if asked.path.startswith(STOLEN)}

    def shows(self, body: str | bytes, content_type: str = "text/html; charset=utf-8", **headers: str) -> str:
        """The URL of a new page, whose headers have "_" for "-"."""
        path = f"/page-{len(self._pages)}"
        sent = {"content-type": content_type} | {name.replace("_", "-"): text for name, text in headers.items()}
        self._pages[path] = ScriptedAnswer(200, body if isinstance(body, bytes) else body.encode(), sent)
        return self.server.url + path

    def _answer(self, asked: ReceivedRequest) -> ScriptedAnswer:
        return self._pages.get(asked.path, ScriptedAnswer(404))


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One for as many files of this folder as run one after the other: coroutines of other tests cannot run beside it.

    Skips where there is none, unless REQUIRE_BROWSER=1 says that there must be.
    """
    with browser_or_skip("opens the pictures as people do") as running:
        yield running


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A tab with nothing kept from the one before."""
    with browser.new_context(viewport={"width": 1200, "height": 900}) as context:
        yield context.new_page()


@pytest.fixture(scope="module")
def sheet(browser: Browser) -> Iterator[Page]:
    """A page that one picture after the other is put into."""
    with browser.new_context(viewport={"width": 1200, "height": 900}) as context:
        opened = context.new_page()
        opened.set_content("<!doctype html><style>body{margin:0}svg{display:block}</style>")
        yield opened


@pytest.fixture
def witness(page: Page) -> Witness:
    return Witness(page)


@pytest.fixture
def elsewhere() -> Iterator[Elsewhere]:
    made = Elsewhere()
    with made.server:
        yield made


@pytest.fixture(scope="module")
def kept_tabs(browser: Browser) -> Iterator[Tabs]:
    """Tabs for all tests of a file, so that the code of the web app is loaded once."""
    made = Tabs(browser)
    yield made
    made.close()


@pytest.fixture
def tabs(kept_tabs: Tabs) -> Iterator[Tabs]:
    """Tabs with nothing of the test before. What goes wrong on any page in them fails the test."""
    yield kept_tabs
    faults = [*kept_tabs.faults]
    kept_tabs.forget()
    assert faults == []


@pytest.fixture
def app(tabs: Tabs, server: Server) -> App:
    """The web app over a fresh workspace."""
    return App(tabs, sign_up(server.url))


@pytest.fixture(scope="module")
def shared_app(kept_tabs: Tabs, server: Server) -> App:
    """The web app over one workspace for the tests of a file, to fill it; tests take `looking`."""
    return App(kept_tabs, sign_up(server.url))


@pytest.fixture
def looking(tabs: Tabs, shared_app: App) -> App:
    """The web app over the workspace of the file, for tests that leave it as it is."""
    assert tabs.faults == []
    return shared_app


@pytest.fixture(scope="module")
def street(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Street]:
    """A server that evaluates alerts every second, and receivers of what it sends."""
    folder = tmp_path_factory.mktemp("street")
    with open_street(folder, alert_seconds="1", base_url="http://tally.example.com") as street:
        yield street
