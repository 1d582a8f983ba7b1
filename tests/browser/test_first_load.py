"""What a browser loads before it shows a dashboard: as little as web/sizes.json allows, and all of it from here."""

import gzip
import json
import re

import httpx
import pytest
from playwright.sync_api import Browser, Request

from harness.browser.app import WEB, App, Tabs, paths_of_members, settled
from harness.clients.dashboards import CONFIGS, config_of, make_dashboard, make_widget
from harness.clients.workspace import sign_up
from harness.servers.server import Server

KILOBYTE = 1000
BUDGETS = json.loads((WEB / "sizes.json").read_text(encoding="utf-8"))


def packed(urls: list[str]) -> float:
    """Kilobytes of the files after gzip -9."""
    bodies = [httpx.get(url, headers={"accept-encoding": "identity"}).content for url in urls]
    return sum(len(gzip.compress(body, 9)) for body in bodies) / KILOBYTE


@pytest.fixture(scope="module")
def loaded(shared_app: App) -> dict[str, list[str]]:
    """The files of a first visit to a dashboard with a widget of each kind, by type: all that comes without a click."""
    assert shared_app.workspace.send({"name": "x", "properties": {"n": 1}}).status_code == 202
    dashboard = make_dashboard(shared_app.workspace, name="Board")
    for kind in CONFIGS:
        config = config_of(shared_app.workspace, kind)
        make_widget(shared_app.workspace, dashboard["id"], type=kind, config=config)
    page = shared_app.blank("owner")
    found: dict[str, list[str]] = {}

    def sees(request: Request) -> None:
        if "/assets/" in request.url or request.resource_type in {"script", "stylesheet", "font"}:
            found.setdefault(request.resource_type, []).append(request.url)

    page.on("request", sees)
    page.clock.install()
    page.goto(f"{shared_app.workspace.url}/d/{dashboard['id']}")
    settled(page)
    page.clock.fast_forward(60_000)  # what waits for a moment of peace comes as well
    settled(page)
    return found


@pytest.mark.long
def test_a_dashboard_loads_no_more_than_it_may(tabs: Tabs, loaded: dict[str, list[str]]) -> None:
    assert any("/View-" in url for url in loaded["script"])
    assert packed(loaded["script"]) <= BUDGETS["firstLoad"]["most"]
    assert packed(loaded["stylesheet"]) <= BUDGETS["styles"]["most"]


@pytest.mark.long
def test_it_loads_one_font_and_everything_once(tabs: Tabs, loaded: dict[str, list[str]]) -> None:
    assert len(loaded["font"]) == 1
    urls = [url for of_a_type in loaded.values() for url in of_a_type]
    assert len(urls) == len(set(urls))
    of_kinds = [url for url in urls if "/View-" in url]
    assert len(urls) - len(of_kinds) < 11


@pytest.fixture(scope="module")
def names(shared_app: App) -> dict[str, str]:
    """Something for the names in a path; what the others name is not there."""
    assert shared_app.workspace.send({"name": "order.placed"}).status_code == 202
    return {"$id": make_dashboard(shared_app.workspace, name="Board")["id"], "$widgetId": "new"}


@pytest.mark.long
@pytest.mark.parametrize(
    "path",
    paths_of_members(),
)
def test_a_page_names_what_it_begins_with(looking: App, names: dict[str, str], path: str) -> None:
    """And it begins with that: it asks for each once, and the console has no word about something that was not used."""
    page = looking.blank("owner", refused=[400, 404])
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(looking.workspace.url)))
    answer = page.goto(looking.workspace.url + re.sub(r"\$\w+", lambda name: names.get(name[0], "none"), path))
    assert answer
    named = re.findall(r"<([^>]*)>; rel", answer.headers["link"])
    settled(page)
    assert "/v1/auth/me" in named
    assert [asked.count(each) for each in named] == [1] * len(named)


def test_a_second_visit_loads_nothing_that_was_kept(browser: Browser, server: Server) -> None:
    app = App(Tabs(browser), sign_up(server.url))
    page = settled(app.opens("owner", "/dashboards"))
    sizes = (
        "Object.fromEntries(performance.getEntriesByType('resource')"
        ".filter(e => e.name.includes('/assets/') && e.responseEnd).map(e => [e.name, e.transferSize]))"
    )
    first = page.evaluate(sizes)
    assert first
    assert all(first.values())
    page.goto(f"{app.workspace.url}/dashboards")
    settled(page)
    again = page.evaluate(sizes)
    kept = first.keys() & again.keys()
    assert kept
    assert {again[name] for name in kept} == {0}
