"""The Chromium of this machine, driven by Playwright, and what a page of it asks for and runs."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Error, Page, sync_playwright

_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Of these the first that is there; the shell is the same engine without the windows around it, and takes less time."""
_FLAGS = (
    *("--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)
RUN = "window.ran=1"
"""What scripts do that should not run; it stands in whatever quotes."""
RAN = "window.ran === 1"
"""Whether one did."""


class NoBrowser(Exception):  # a fact about the machine
    """There is no Chromium, or none that starts."""


def find_browser() -> str:
    """Where it is installed; nothing is ever downloaded.

    Raises:
        NoBrowser: it is not.
    """
    for name in _NAMES:
        if found := shutil.which(name):
            return found
    raise NoBrowser(f"none of {', '.join(_NAMES)} is installed")


@contextmanager
def running_browser() -> Iterator[Browser]:
    """A browser with a profile of its own. Tests that are coroutines cannot run beside it.

    Raises:
        NoBrowser: none is installed, or it does not start.
    """
    path = find_browser()
    with sync_playwright() as driver:
        try:
            browser = driver.chromium.launch(executable_path=path, args=_FLAGS, chromium_sandbox=os.geteuid() != 0)
        except Error as error:  # such as of a command that only says where to get it
            raise NoBrowser(f"{path} does not start: {str(error).splitlines()[0]}") from error
        yield browser
        browser.close()


@contextmanager
def browser_or_skip(purpose: str) -> Iterator[Browser]:
    """Like `running_browser`, but skip where there is none, unless REQUIRE_BROWSER=1 says that there must be.

    Args:
        purpose: what nothing else does, for the reason.
    """
    try:
        with running_browser() as running:
            yield running
    except NoBrowser as error:
        if os.environ.get("REQUIRE_BROWSER") == "1":
            raise
        pytest.skip(f"{error}; nothing else {purpose}")


class Witness:
    """Sees what a page asks for.

    Attributes:
        asked: every URL, but those of its documents and of the pictures in `expected`.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.expected: set[str] = set()
        self._asked: list[str] = []
        page.on("request", lambda request: self._asked.append(request.url))

    @property
    def asked(self) -> list[str]:
        """Every URL that was asked for, but the expected ones."""
        return [url for url in self._asked if url not in self.expected]

    def opens(self, url: str) -> None:
        """Open a page, with all that it loads."""
        self.expected.add(url)
        self.page.goto(url, wait_until="load")

    def ran(self) -> bool:
        """Whether a script of `RUN` ran in the page that is open."""
        return bool(self.page.evaluate(RAN))
