"""What a browser loads before it shows a dashboard: as little as web/sizes.json allows, and all of it from here."""

import gzip
import json

import httpx
import pytest
from playwright.sync_api import Request

from harness.app import WEB, App, settled
from harness.dashboards import make_dashboard, make_widget

KILOBYTE = 1000
BUDGETS = json.loads((WEB / "sizes.json").read_text(encoding="utf-8"))


def packed(urls: list[str]) -> float:
    """Kilobytes of the files after gzip -9."""
    bodies = [httpx.get(url, headers={"accept-encoding": "identity"}, verify=False).content for url in urls]
    return sum(len(gzip.compress(body, 9)) for body in bodies) / KILOBYTE


@pytest.fixture
def loaded(app: App) -> dict[str, list[str]]:
    """The files of a first visit to a dashboard, by type, without what it fetches for later once it has asked for data."""
    dashboard = make_dashboard(app.workspace, name="Board")
    config = {"event": "order.placed", "measure": "count", "overTime": True}
    make_widget(app.workspace, dashboard["id"], type="metric", config=config)
    page = app.opens("owner", "/no-such-page")
    found: dict[str, list[str]] = {}

    def sees(request: Request) -> None:
        if not any(url.endswith("/data") for url in found.get("fetch", [])):
            found.setdefault(request.resource_type, []).append(request.url)

    page.context.on("request", sees)
    page = page.context.new_page()
    page.goto(f"{app.workspace.url}/d/{dashboard['id']}")
    settled(page)
    return found


def test_a_dashboard_loads_no_more_than_it_may(loaded: dict[str, list[str]]) -> None:
    assert loaded["script"]
    assert packed(loaded["script"]) <= BUDGETS["firstLoad"]["most"]
    assert packed(loaded["stylesheet"]) <= BUDGETS["styles"]["most"]


def test_it_loads_no_font_and_each_file_once(loaded: dict[str, list[str]]) -> None:
    assert "font" not in loaded
    files = [url for kind in ("script", "stylesheet") for url in loaded[kind]]
    assert len(files) == len(set(files))


def test_a_second_visit_loads_nothing_that_was_kept(app: App) -> None:
    page = settled(app.opens("owner", "/dashboards"))
    size = "performance.getEntriesByType('resource').filter(e => e.name.includes('/assets/')).map(e => e.transferSize)"
    assert all(page.evaluate(size))
    page.goto(f"{app.workspace.url}/dashboards")
    settled(page)
    again = page.evaluate(size)
    assert again
    assert set(again) == {0}
