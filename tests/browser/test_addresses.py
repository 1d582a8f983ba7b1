"""Addresses that somebody has typed, cut off or kept since an older version."""

import pytest
from playwright.sync_api import expect

from harness.browser.app import App, settled


@pytest.mark.long
@pytest.mark.parametrize(
    ("path", "dropped"),
    [
        ("/events?range=7x&colour=red", "range=7x, colour=red"),
        ("/actors?f=plan&f=plan:eq:pro", "f=plan"),
        ("/dashboards?from=2026-11-02&to=2026-11-01", "from=2026-11-02, to=2026-11-01"),
    ],
)
def test_parts_that_mean_nothing_are_left_out_and_named(app: App, path: str, dropped: str) -> None:
    page = settled(app.opens("viewer", path))
    expect(page.get_by_text(f"Ignored unknown parts of the URL: {dropped}", exact=False).first).to_be_visible()


def test_nothing_is_said_about_an_address_that_a_page_understands(app: App) -> None:
    page = settled(app.opens("viewer", "/events?env=production&range=30d&f=plan:eq:pro&name=order.placed"))
    expect(page.get_by_text("Ignored unknown parts", exact=False)).to_have_count(0)
