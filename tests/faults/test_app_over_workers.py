"""The web app over two workers, of which one after the other is killed: nobody is signed out, and streams go on."""

import os
import signal
from collections.abc import Iterator
from random import Random

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from harness.browser.chromium import browser_or_skip
from harness.servers.host import account, children, serving
from harness.servers.site import MakeHost, Site
from harness.suite.patience import PATIENCE, wait_until

pytestmark = pytest.mark.timeout(600)

KILLS = 6


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browser_or_skip("sees what people see while workers are killed") as running:
        yield running


def send(site: Site, actor: str) -> None:
    """As a client that tries again, under the same key, until it is acknowledged."""
    site.ledger.send([actor])

    def is_acknowledged() -> bool:
        event = {"name": "opened", "_actor": actor}
        try:
            return site.workspace.send(event, headers={"idempotency-key": actor}).status_code == 202
        except httpx.TransportError:
            return False

    wait_until(is_acknowledged)
    site.ledger.ack([actor])


def is_signed_in(page: Page, heading: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(heading, timeout=PATIENCE * 1000)
    expect(page.get_by_role("textbox", name="Password")).to_have_count(0)


@pytest.mark.long
def test_nobody_is_signed_out_and_the_list_of_events_goes_on(make_host: MakeHost, browser: Browser, seed: int) -> None:
    site, chance = make_host(2), Random(seed)
    send(site, "visitor-before")
    with browser.new_context() as context:
        cookie = {"name": site.workspace.cookie, "value": site.workspace.session_token, "url": site.server.url}
        context.add_cookies([cookie])  # type: ignore[list-item] # a TypedDict
        following, reloaded = context.new_page(), context.new_page()
        following.goto(f"{site.server.url}/events")
        expect(following.get_by_text("live", exact=True)).to_be_visible()
        table = following.get_by_role("table", name="Events")
        for number in range(KILLS):
            os.kill(chance.choice(children(site)), signal.SIGKILL)
            send(site, f"visitor-{number}")
            expect(table).to_contain_text(f"visitor-{number}", timeout=PATIENCE * 1000)
            reloaded.goto(f"{site.server.url}/dashboards")
            is_signed_in(reloaded, "Dashboards")
            wait_until(lambda: len(serving(site)) == 2)
        is_signed_in(following, "Events")
        for actor in ("visitor-before", *(f"visitor-{number}" for number in range(KILLS))):
            expect(table.get_by_role("row").filter(has_text=actor)).to_have_count(1)
    account(site, 2)
