"""The web app in a browser: pages opened as somebody, and all that goes wrong on them."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect

from harness.member import add_member
from harness.workspace import Workspace

WEB = Path(__file__).parents[2] / "web"
AXE = WEB / "node_modules" / "axe-core" / "axe.min.js"
PHONE, DESK = (390, 844), (1440, 900)

_PATIENCE_MS = 20_000
_ENDLESS = re.compile(r"/stream\b|/worker-")
"""The stream of new events, and the worker that holds it: requests that do not end while the page is open."""
_QUIET_MS, _QUIET_TURNS = 50, 3
_UNDER_WAY: WeakKeyDictionary[Page, set[Request]] = WeakKeyDictionary()
_COOKIE = "tallyroom_session"
_REFUSED = re.compile(r"^Failed to load resource: the server responded with a status of (\d+)")
_POLICY = (
    "addEventListener('securitypolicyviolation', e => console.error(`policy: ${e.violatedDirective} ${e.blockedURI}`))"
)
_LABELS = "axe => axe.violations.flatMap(v => v.nodes.map(n => `${v.id}: ${n.target} ${n.failureSummary}`))"
_RUN_AXE = f"""tags => axe.run(document, {{runOnly: tags, resultTypes: ['violations']}}).then({_LABELS})"""
_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

expect.set_options(timeout=_PATIENCE_MS)


def paths_of_the_map() -> list[str]:
    """Every path that the app's map of routes has."""
    found = re.findall(r'^ *path: "(/[^"]*)"', (WEB / "src/app/routes.ts").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(found) > 10
    return found


class App:
    """Opens pages in tabs with nothing kept from one another.

    Attributes:
        faults: errors in the console, exceptions, what the policy forbids, and requests to others.
        workspace: whose pages they are.
    """

    def __init__(self, browser: Browser, workspace: Workspace) -> None:
        self.workspace = workspace
        self.faults: list[str] = []
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self._refused: set[int] = set()

    def opens(
        self,
        who: str,
        path: str,
        *,
        size: tuple[int, int] = DESK,
        theme: str = "light",
        refused: Iterable[int] = (),
    ) -> Page:
        """Open a page, and return when its heading is there.

        Args:
            who: a role in the workspace, or "public" for somebody who is not signed in.
            path: of the page.
            size: of the window.
            theme: of the system.
            refused: statuses with which requests of the page may be refused.
        """
        self._refused |= set(refused) | ({401} if who == "public" else set())
        page = self._tab(who, size, theme).new_page()
        page.goto(self.workspace.url + path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        return page

    def close(self) -> None:
        """Close every tab."""
        for context in self._contexts:
            context.close()

    def _tab(self, who: str, size: tuple[int, int], theme: str) -> BrowserContext:
        scheme: Any = theme
        context = self._browser.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, reduced_motion="reduce"
        )
        self._contexts.append(context)
        context.set_default_timeout(_PATIENCE_MS)
        context.add_init_script(_POLICY)
        context.on("console", self._hears)
        context.on("weberror", lambda fault: self.faults.append(f"exception: {fault.error}"))
        context.on("request", self._sees)
        context.on("page", _follow)
        if who != "public":
            context.add_cookies([{"name": _COOKIE, "value": self._session(who), "url": self.workspace.url}])
        return context

    def _session(self, who: str) -> str:
        return self.workspace.session_token if who == "owner" else add_member(self.workspace, who).session_token

    def _hears(self, said: ConsoleMessage) -> None:
        refused = _REFUSED.match(said.text)
        if said.type in {"error", "warning"} and not (refused and int(refused[1]) in self._refused):
            self.faults.append(f"{said.type}: {said.text} {said.location.get('url')}")

    def _sees(self, request: Request) -> None:
        if not request.url.startswith((self.workspace.url, "data:", "blob:")):
            self.faults.append(f"asks somebody else: {request.url}")


def settled(page: Page) -> Page:
    """Return the page when it has everything that it asked for, but for streams, and nothing is drawn as loading."""
    expect(page.get_by_role("heading", level=1, include_hidden=True)).to_have_count(1)
    quiet = 0
    for _ in range(_PATIENCE_MS // _QUIET_MS):
        page.wait_for_timeout(_QUIET_MS)
        asks = [each.url for each in _UNDER_WAY[page] if not _ENDLESS.search(each.url)]
        quiet = 0 if asks or page.locator("[aria-busy=true]").count() else quiet + 1
        if quiet == _QUIET_TURNS:
            return page
    raise AssertionError(f"the page still waits: {asks}")


def _follow(page: Page) -> None:
    under_way = _UNDER_WAY.setdefault(page, set())

    def begins(request: Request) -> None:
        under_way.add(request)

    def ends(request: Request) -> None:
        under_way.discard(request)

    page.on("request", begins)
    page.on("requestfinished", ends)
    page.on("requestfailed", ends)


def axe(page: Page) -> list[str]:
    """What axe finds wrong with the page as it is now: rule, element and reason."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = page.evaluate(_RUN_AXE, _TAGS)
    return found


def use_theme(page: Page, theme: str) -> None:
    """Show the page in a theme, as the switch in the navigation does."""
    page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)


def focused(page: Page) -> str:
    """Role or tag and name of what has the focus, as in ``h1 Dashboards``."""
    script = "(e => `${e.getAttribute('role') ?? e.localName} ${(e.getAttribute('aria-label') ?? e.innerText ?? '').trim()}`)"
    found: str = page.evaluate(f"{script}(document.activeElement)")
    return found


def everything_kept(page: Page) -> str:
    """All that the browser keeps of the page and shows: document, storage and address."""
    script = (
        "[document.documentElement.outerHTML, {...localStorage}, {...sessionStorage}, location.href, document.cookie]"
    )
    return json.dumps(page.evaluate(script))
