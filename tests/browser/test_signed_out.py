"""After signing out, nothing that the person saw is behind "Back" or in the cache (rules/safety#cache-headers)."""

from contextlib import nullcontext
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from harness.browser.app import App, Tabs, settled
from harness.clients.workspace import sign_up
from harness.servers.server import Server

SECRET = "canary"
PAGES = ["/settings", "/keys", "/actors", "/events"]
ASKED = ["/v1/members", "/v1/audit", "/v1/keys", "/v1/actors", "/v1/events"]
"""Of the answers that those pages ask for: the ones with names of people and keys."""
FROM_THE_CACHE = """paths => Promise.all(paths.map(async path => {
    const answer = await fetch(path, { cache: "force-cache" });
    return [path, answer.status, await answer.text()];
}))"""
BACK_FROM_MEMORY = """() => {
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    return document.getElementById("root").hidden;
}"""
"""What a browser tells a page that it shows as it was left, and whether the page hides. Playwright's keeps no page so."""


@pytest.fixture
def app(tabs: Tabs, server: Server) -> App:
    workspace = sign_up(server.url, name="Ada", workspaceName=f"{SECRET} workspace")
    assert workspace.send({"name": "x", "_actor": f"{SECRET}-actor"}).status_code == 202
    return App(tabs, workspace)


def sign_in_form(page: Page) -> Any:
    return page.get_by_role("button", name="Sign in")


def test_nothing_is_behind_back_or_in_the_cache(app: App) -> None:
    page = app.blank("owner", refused=[401])
    asked: set[str] = set()
    page.on(
        "request", lambda each: asked.add(each.url.removeprefix(app.workspace.url)) if each.method == "GET" else None
    )
    for path in PAGES:
        # The log is asked for last, when the page has settled.
        with page.expect_request("**/v1/audit*") if path == "/settings" else nullcontext():
            page.goto(app.workspace.url + path)
        assert SECRET in settled(page).content()
    page.get_by_role("button", name="Ada owner").click()
    page.get_by_role("menuitem", name="Sign out").click()
    expect(sign_in_form(page)).to_be_visible()
    for _ in PAGES:
        page.go_back()
        expect(sign_in_form(page)).to_be_visible()
        assert SECRET not in page.content()
    private = {path for path in asked if path.startswith("/v1/") and "/auth/" not in path and "/stream" not in path}
    assert {path.partition("?")[0] for path in private} >= set(ASKED)
    for path, status, text in page.evaluate(FROM_THE_CACHE, sorted(private)):
        assert (status, SECRET in text) == (401, False), path


@pytest.mark.long
def test_a_page_from_memory_asks_whether_the_person_is_still_signed_in(app: App) -> None:
    page = settled(app.opens("owner", "/keys", refused=[401]))
    assert page.evaluate(BACK_FROM_MEMORY)
    expect(page.get_by_role("heading", level=1)).to_have_text("API keys")
    with app.workspace.client() as client:
        assert client.post("/v1/auth/logout").status_code == 204
    assert page.evaluate(BACK_FROM_MEMORY)
    expect(sign_in_form(page)).to_be_visible()
    assert SECRET not in page.content()
