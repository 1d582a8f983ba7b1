"""Actors in the browser: told apart by their keys, whatever the keys and the labels are."""

from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from harness.browser.app import App, settled

ODD_KEYS = [
    "?q#h/b c:é",
    *(
        pytest.param(key, marks=pytest.mark.long)
        for key in ("a/b c:é", "a%2Fb", "../x", "?q#h", "日本", "\u202ertl", " padded ", "k" * 200)
    ),
]


def rows(page: Page) -> list[list[str]]:
    return [row.inner_text().split() for row in page.get_by_role("table", name="Actors").get_by_role("row").all()[1:]]


@pytest.mark.long
def test_a_label_stands_above_its_key(app: App) -> None:
    """Two actors of one name are two rows."""
    events = [{"name": "x", "_actor": key, "_actorLabel": "Ann Lee"} for key in ("user-1", "user-2")]
    assert app.workspace.send({"events": events}).status_code == 202
    page = settled(app.opens("viewer", "/actors"))
    found = rows(page)
    assert len(found) == 2
    assert sorted(row[:3] for row in found) == [["Ann", "Lee", "user-1"], ["Ann", "Lee", "user-2"]]
    page.get_by_role("row").filter(has_text="user-2").get_by_role("link", name="Ann Lee").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ann Lee")
    expect(page.get_by_role("main")).to_contain_text("user-2")
    assert page.url.partition("?")[0].endswith("/actors/user-2")


@pytest.mark.long
@pytest.mark.parametrize("key", ODD_KEYS)
def test_every_key_opens_and_opens_again_by_its_address(app: App, key: str) -> None:
    events = [{"name": "x", "_actor": key, "_actorLabel": "Odd"}, {"name": "x", "_actor": "other"}]
    assert app.workspace.send({"events": events}).status_code == 202
    page = settled(app.opens("viewer", "/actors"))
    page.get_by_role("link", name="Odd").click()
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("Odd")
    page.reload()
    expect(heading).to_have_text("Odd")
    page.goto(f"{app.workspace.url}/actors/{quote(key, safe='')}")  # as it is written by hand
    expect(heading).to_have_text("Odd")


def test_who_has_no_events_in_the_span_is_found_in_a_longer_one(app: App) -> None:
    from_weeks_ago = {"name": "x", "_actor": "ann", "_timestamp": "2026-01-02T03:04:05Z"}
    assert app.workspace.send(from_weeks_ago).status_code == 202
    page = app.opens("viewer", "/actors/ann?range=7d", refused=[404])
    page.get_by_role("button", name="Show all time").click()
    settled(page)
    expect(page.get_by_role("main")).to_contain_text("Last seen")
    assert "range=all" in page.url
