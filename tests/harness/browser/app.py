"""The web app in a browser: pages opened as somebody, and all that goes wrong on them."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, Request, expect

from harness.clients.member import Member, add_member
from harness.clients.workspace import Workspace

WEB = Path(__file__).parents[3] / "web"
AXE = WEB / "node_modules" / "axe-core" / "axe.min.js"
PHONE, DESK = (390, 844), (1440, 900)

_PATIENCE_MS = 20_000
_ENDLESS = re.compile(r"/stream\b|/worker-")
"""The stream of new events, and the worker that holds it: requests that do not end while the page is open."""
_QUIET_MS, _QUIET_TURNS = 50, 3
_UNDER_WAY: WeakKeyDictionary[Page, set[Request]] = WeakKeyDictionary()
_REFUSED = re.compile(r"^Failed to load resource: the server responded with a status of (\d+)")
_POLICY = (
    "addEventListener('securitypolicyviolation', e => console.error(`policy: ${e.violatedDirective} ${e.blockedURI}`))"
)
_LABELS = "axe => axe.violations.flatMap(v => v.nodes.map(n => `${v.id}: ${n.target} ${n.failureSummary}`))"
_RUN_AXE = f"""([within, runOnly]) =>
    axe.run(within ?? document, {{runOnly, resultTypes: ['violations']}}).then({_LABELS})"""
_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_OF_A_THEME = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
"""What a theme can break: the rest is the same in all of them."""

expect.set_options(timeout=_PATIENCE_MS)


OF_NOBODY = {"/", "/forgot", "/reset", "/invite"}
"""Paths of pages for whoever is not signed in."""


def paths_of_the_map() -> list[str]:
    """Every path that the app's map of routes has."""
    areas = [area.read_text(encoding="utf-8") for area in sorted((WEB / "src/app/routes").glob("*.ts"))]
    found = [path for area in areas for path in re.findall(r'^ *path: "(/[^"]*)"', area, re.MULTILINE)]
    assert len(found) > 10
    return found


def paths_of_members() -> list[str]:
    """Those of pages for whoever is signed in."""
    return [path for path in paths_of_the_map() if path not in OF_NOBODY]


def address(path: str, names: dict[str, str]) -> str:
    """The address of a page, with something for each name in its path, such as `$id`."""
    return re.sub(r"\$\w+", lambda name: names[name[0]], path)


class Tabs:
    """Tabs of a browser, and all that goes wrong on them. From test to test only what the browser loaded is kept.

    A tab of each context stays open, emptied: a new one would start a process, and compile all of the app anew.

    Attributes:
        faults: errors in the console, exceptions, what the policy forbids, and requests to others.
    """

    def __init__(self, browser: Browser) -> None:
        self.faults: list[str] = []
        self._browser = browser
        self._contexts: dict[tuple[str, tuple[int, int], str], BrowserContext] = {}
        self._empty: dict[BrowserContext, Page] = {}
        self._refused: set[int] = set()
        self._url = ""

    def open(
        self,
        who: str,
        url: str,
        session: tuple[str, str] | None,
        *,
        size: tuple[int, int],
        theme: str,
        refused: Iterable[int],
    ) -> Page:
        """An empty tab of somebody at the server of `url`; `session` is the name and value of their cookie.

        The other arguments are those of `App.opens`.
        """
        self._url = url
        self._refused |= set(refused)
        context = self._contexts.get((who, size, theme)) or self._context(who, size, theme)
        if session is not None:
            context.add_cookies([{"name": session[0], "value": session[1], "url": url}])
        return self._empty.pop(context, None) or context.new_page()

    def forget(self) -> None:
        """Empty a tab of each context and close the others, and forget who was signed in and what pages stored."""
        for (_, size, theme), context in self._contexts.items():
            for page in context.pages:
                if page.url.startswith("http"):
                    page.wait_for_function("localStorage.clear(), sessionStorage.clear(), true")  # with a time limit
            kept, *others = context.pages or [context.new_page()]
            if context not in self._empty:
                self._empty[context] = _emptied(kept, size, theme)
            for page in others:
                page.close()
            context.clear_cookies()
            context.clear_permissions()
        self.faults.clear()
        self._refused.clear()

    def close(self) -> None:
        """Close everything."""
        for context in self._contexts.values():
            context.close()

    def _context(self, who: str, size: tuple[int, int], theme: str) -> BrowserContext:
        scheme: Any = theme
        context = self._browser.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, reduced_motion="reduce"
        )
        context.set_default_timeout(_PATIENCE_MS)
        context.add_init_script(_POLICY)
        context.on("console", self._hears)
        context.on("weberror", lambda fault: self.faults.append(f"exception: {fault.error}"))
        context.on("request", self._sees)
        context.on("page", _follow)
        self._contexts[who, size, theme] = context
        return context

    def _hears(self, said: ConsoleMessage) -> None:
        refused = _REFUSED.match(said.text)
        if said.type in {"error", "warning"} and not (refused and int(refused[1]) in self._refused):
            self.faults.append(f"{said.type}: {said.text} {said.location.get('url')}")

    def _sees(self, request: Request) -> None:
        if not request.url.startswith((self._url, "data:", "blob:")):
            self.faults.append(f"asks somebody else: {request.url}")


class App:
    """Opens pages of a workspace as one of its people.

    Attributes:
        workspace: whose pages they are.
        members: who opened pages, by role, but for the owner.
    """

    def __init__(self, tabs: Tabs, workspace: Workspace) -> None:
        self.workspace = workspace
        self.members: dict[str, Member] = {}
        self._tabs = tabs

    @property
    def faults(self) -> list[str]:
        """What went wrong on the pages of this test."""
        return self._tabs.faults

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
        page = self.blank(who, size=size, theme=theme, refused=refused)
        page.goto(self.workspace.url + path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        return page

    def blank(
        self, who: str, *, size: tuple[int, int] = DESK, theme: str = "light", refused: Iterable[int] = ()
    ) -> Page:
        """A tab of somebody that has been nowhere yet. The arguments are those of `opens`."""
        public = who == "public"
        session = None if public else (self.workspace.cookie, self._session(who))
        refused = [*refused, 401] if public else refused
        return self._tabs.open(who, self.workspace.url, session, size=size, theme=theme, refused=refused)

    def _session(self, who: str) -> str:
        if who == "owner":
            return self.workspace.session_token
        if who not in self.members:
            self.members[who] = add_member(self.workspace, who)
        return self.members[who].session_token


def _emptied(page: Page, size: tuple[int, int], theme: Any) -> Page:
    """A tab as if it were new, but for what listens to it."""
    page.unroute_all(behavior="ignoreErrors")
    page.goto("about:blank")
    if page.viewport_size != {"width": size[0], "height": size[1]}:
        page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    _UNDER_WAY[page].clear()
    return page


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


def take(choice: Locator) -> None:
    """Click a choice and wait until it is taken: the page shows it once the state that it belongs to has changed."""
    choice.click()
    expect(choice).to_be_checked()


def rows_of(table: Locator) -> list[list[str]]:
    """What the cells below the head of a table say, but for those that name their row."""
    script = "table => [...table.rows].slice(1).map(row => [...row.querySelectorAll('td')].map(cell => cell.innerText.trim()))"
    found: list[list[str]] = table.evaluate(script)
    return found


def axe(page: Page, within: str | None = None) -> list[str]:
    """What axe finds wrong with the page as it is now, or with what a selector finds: rule, element and reason."""
    return _run_axe(page, within, _TAGS)


def axe_in_both_themes(page: Page, within: str | None = None) -> list[str]:
    """What axe finds wrong in the light theme, and what only the dark one breaks. The page is dark afterwards."""
    use_theme(page, "light")
    light = axe(page, within)
    use_theme(page, "dark")
    return light + [f"dark: {each}" for each in _run_axe(page, within, _OF_A_THEME)]


def _run_axe(page: Page, within: str | None, rules: Any) -> list[str]:
    if page.evaluate("typeof axe === 'undefined'"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = page.evaluate(_RUN_AXE, [within, rules])
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
