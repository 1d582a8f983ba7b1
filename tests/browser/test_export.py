"""Exports in the browser: the same bytes as the API's, whole or not at all (rules/events#export)."""

import pytest
from playwright.sync_api import expect

from harness.browser.app import App, settled


@pytest.mark.long
@pytest.mark.parametrize("form", ["NDJSON", "CSV", "Parquet"])
def test_an_export_is_the_file_of_the_api(app: App, form: str) -> None:
    events = [{"name": "order.placed", "_timestamp": f"2026-11-{day:02}T12:00:00Z"} for day in (1, 2, 3)]
    assert app.workspace.send({"events": events}).status_code == 202
    page = settled(app.opens("viewer", "/export"))
    page.get_by_label("Time range").select_option("days")
    page.get_by_label("From", exact=True).fill("2026-11-02")
    page.get_by_label("To (exclusive)").fill("2026-11-03")
    page.get_by_role("radiogroup", name="Format").get_by_text(form).click()
    expect(page.get_by_text("1 event, as of now.")).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Export", exact=True).click()
    expect(page.get_by_text("Saved tallyroom-", exact=False)).to_be_visible()
    query = {"format": form.lower(), "from": "2026-11-02", "to": "2026-11-03"}
    assert saved.value.path().read_bytes() == app.workspace.get("/v1/export", **query).content
    address = page.get_by_role("link", name="Download directly").get_attribute("href")
    with app.workspace.client() as client:
        assert client.get(str(address)).content == saved.value.path().read_bytes()


def test_an_export_that_breaks_off_saves_nothing(app: App) -> None:
    page = settled(app.opens("viewer", "/export", refused=[429]))
    body = {"code": 429, "error": "rate_limited", "message": "Wait.", "details": [], "requestId": "r"}
    page.route("**/v1/export*", lambda route: route.fulfill(status=429, json=body, headers={"retry-after": "30"}))
    page.get_by_role("button", name="Export", exact=True).click()
    expect(page.get_by_role("main")).to_contain_text("Try again in 30 s.")
    expect(page.get_by_text("Saved tallyroom-", exact=False)).to_have_count(0)
