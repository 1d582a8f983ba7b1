"""Chromium, the web app in it, a site of another origin without any protection of its own, and where pictures would send what they steal."""

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from harness.app import App
from harness.browser import NoBrowser, Witness, running_browser
from harness.scripted import ReceivedRequest, ScriptedAnswer, ScriptedServer
from harness.server import Server
from harness.workspace import sign_up

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


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One for the tests of a file. Skips where there is none, unless REQUIRE_BROWSER=1 says that there must be."""
    try:
        with running_browser() as running:
            yield running
    except NoBrowser as error:
        if os.environ.get("REQUIRE_BROWSER") == "1":
            raise
        pytest.skip(f"{error}; nothing else opens the pictures as people do")


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


@pytest.fixture
def app(browser: Browser, server: Server) -> Iterator[App]:
    """The web app over a fresh workspace. What goes wrong on any of its pages fails the test."""
    made = App(browser, sign_up(server.url))
    yield made
    made.close()
    assert made.faults == []
