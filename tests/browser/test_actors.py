"""Actors in the browser: told apart by their keys, whatever the keys and the labels are."""

from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from harness.browser.app import App, settled
from harness.builders.moments import ago

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


def test_first_and_last_of_a_range_are_named_after_it(app: App) -> None:
    """Of an actor's page, both are of all time."""
    events = [{"name": "x", "_actor": "ann", "_timestamp": ago(days=days)} for days in (1, 3, 20)]
    assert app.workspace.send({"events": events}).status_code == 202
    page = settled(app.opens("viewer", "/actors"))
    expect(page.get_by_role("columnheader", name="First in 7 days")).to_be_visible()
    expect(page.get_by_role("columnheader", name="Last seen")).to_be_visible()
    page.goto(f"{app.workspace.url}/actors?range=yesterday")
    for name in ("First yesterday", "Last yesterday"):
        expect(page.get_by_role("columnheader", name=name)).to_be_visible()
    page.goto(f"{app.workspace.url}/actors/ann?range=7d")
    expect(page.get_by_role("main")).to_contain_text("20 days ago")


def test_only_a_group_with_half_of_the_events_is_where_an_actor_mostly_was(app: App) -> None:
    servers = ["100000000000000013"] * 2 + ["100000000000000014", "100000000000000015"]
    events = [{"name": "x", "_actor": "ann", "properties": {"server": server}} for server in servers]
    alone = [{"name": "x", "_actor": "ben", "properties": {"server": server}} for server in servers[1:]]
    assert app.workspace.send({"events": events + alone}).status_code == 202
    with app.workspace.client() as client:
        assert client.post("/v1/groups/keys", json={"propKey": "server", "label": "Servers"}).is_success
    page = settled(app.opens("viewer", "/actors/ann"))
    expect(page.get_by_role("main")).to_contain_text("mostly 1000…0013")
    page.goto(f"{app.workspace.url}/actors/ben")
    expect(settled(page).get_by_role("main")).to_contain_text("Groups, by Servers")
    expect(page.get_by_role("main")).not_to_contain_text("mostly")


def test_a_tablet_has_the_bars_of_actors_and_the_properties_of_their_events(app: App) -> None:
    event = {"name": "x", "_actor": "2056801873947", "_actorLabel": "Ann Kowalska 1", "properties": {"plan": "free"}}
    assert app.workspace.send(event).status_code == 202
    page = settled(app.opens("viewer", "/actors", size=(1024, 768)))
    for width, bar_width in ((1024, 80), (768, 88)):
        page.set_viewport_size({"width": width, "height": 768})
        name, bar = page.get_by_role("link", name="Ann Kowalska 1"), page.locator("td i")
        assert name.evaluate("element => element.scrollWidth <= element.clientWidth")
        assert bar.evaluate("element => element.getBoundingClientRect().width") == bar_width
    page.goto(f"{app.workspace.url}/actors/2056801873947")
    expect(page.get_by_text("plan free")).to_be_visible()


def test_who_has_no_events_in_the_span_is_found_in_a_longer_one(app: App) -> None:
    from_weeks_ago = {"name": "x", "_actor": "ann", "_timestamp": "2026-01-02T03:04:05Z"}
    assert app.workspace.send(from_weeks_ago).status_code == 202
    page = app.opens("viewer", "/actors/ann?range=7d", refused=[404])
    page.get_by_role("button", name="Show all time").click()
    settled(page)
    expect(page.get_by_role("main")).to_contain_text("Last seen")
    assert "range=all" in page.url
