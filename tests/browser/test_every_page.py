"""Every page of the web app's map: it opens without a fault, has one name, and can be used by whoever uses it."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from harness.app import DESK, PHONE, App, axe, focused, paths_of_the_map, settled, use_theme
from harness.dashboards import make_dashboard, make_widget

OF_NOBODY = {"/", "/forgot", "/reset", "/invite"}
METRIC = {"type": "metric", "config": {"event": "order.placed", "measure": "count", "overTime": True}}
EVENTS = [
    {"name": "order.placed", "_actor": f"customer {n % 3}/a:é", "properties": {"plan": "pro", "total": n}}
    for n in range(9)
]


@pytest.fixture
def filled(app: App) -> dict[str, str]:
    """Something for each name in a path."""
    assert app.workspace.send({"events": EVENTS}).status_code == 202
    with app.workspace.client() as client:
        registered = client.post("/v1/groups/keys", json={"propKey": "plan", "label": "Plan"})
    assert registered.status_code == 201, registered.text
    dashboard = make_dashboard(app.workspace, name="Orders")
    widget = make_widget(app.workspace, dashboard["id"], title="Orders", **METRIC)
    names = {"$id": dashboard["id"], "$widgetId": widget["id"]}
    return names | {"$actorKey": "customer%200%2Fa%3A%C3%A9", "$groupKey": "pro"}


def address(path: str, names: dict[str, str]) -> str:
    return "/".join(names.get(part, part) for part in path.split("/"))


def opened(app: App, path: str, names: dict[str, str], **how: Any) -> Page:
    page = app.opens("public" if path in OF_NOBODY else "owner", address(path, names), **how)
    return settled(page)


SIZES = [pytest.param(DESK, id="desk"), pytest.param(PHONE, id="phone", marks=pytest.mark.long)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("path", paths_of_the_map())
def test_it_has_one_name_and_axe_finds_nothing(
    app: App, filled: dict[str, str], path: str, size: tuple[int, int]
) -> None:
    page = opened(app, path, filled, size=size)
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_count(1)
    name = heading.inner_text()
    assert name != "Nothing here"
    assert page.title().startswith(name)
    for theme in ("light", "dark"):
        use_theme(page, theme)
        assert axe(page) == [], theme


@pytest.mark.parametrize("path", paths_of_the_map())
def test_it_never_scrolls_sideways(app: App, filled: dict[str, str], path: str) -> None:
    page = opened(app, path, filled)
    for width in (1440, 900, 768, 390, 320):
        page.set_viewport_size({"width": width, "height": 800})
        assert settled(page).evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_an_address_that_leads_nowhere_says_so(app: App, size: tuple[int, int]) -> None:
    for who in ("owner", "public"):
        page = settled(app.opens(who, "/no-such-page", size=size))
        expect(page.get_by_role("heading", level=1)).to_have_text("Nothing here")
        assert page.title().startswith("Nothing here")
        assert axe(page) == []


def test_axe_would_find_something(app: App) -> None:
    page = app.opens("owner", "/dashboards")
    page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert [found.partition(":")[0] for found in axe(page)] == ["button-name"]


def test_a_fault_would_be_noticed(app: App) -> None:
    page = app.opens("owner", "/dashboards")
    page.evaluate("""() => {
        const inline = document.createElement('style')
        document.head.append(inline)
        inline.textContent = 'h1 { color: red }'
        setTimeout(() => { throw new Error('thrown') })
        new Image().src = 'http://127.0.0.1:9/picture'
        console.error('said')
        try { document.body.innerHTML = '<b>markup</b>' } catch { /* refused by the policy */ }
    }""")
    page.wait_for_timeout(300)
    for kind in (
        "policy: style-src",
        "policy: require-trusted-types-for",
        "exception: ",
        "asks somebody else",
        "error: said",
    ):
        assert any(kind in fault for fault in app.faults), kind
    assert page.get_by_role("heading", level=1).count() == 1
    app.faults.clear()


def test_the_focus_goes_to_the_name_of_the_next_page(app: App) -> None:
    page = settled(app.opens("owner", "/dashboards"))
    for link in ("Events", "Actors", "Groups", "API keys", "Dashboards"):
        page.get_by_role("navigation", name="Main").get_by_role("link", name=link, exact=True).click()
        heading = page.get_by_role("heading", level=1, name=link)
        expect(heading).to_be_visible()
        expect(heading).to_be_focused()
        assert focused(page) == f"h1 {link}"


def test_back_and_forward_go_from_page_to_page(app: App, filled: dict[str, str]) -> None:
    page = settled(app.opens("owner", "/dashboards"))
    page.get_by_role("link", name="Orders").first.click()
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("Orders")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Events", exact=True).click()
    expect(heading).to_have_text("Events")
    for move, name in ((page.go_back, "Orders"), (page.go_back, "Dashboards"), (page.go_forward, "Orders")):
        move()
        expect(heading).to_have_text(name)
        expect(heading).to_have_count(1)
    assert page.url == f"{app.workspace.url}/d/{filled['$id']}"


def test_who_is_not_signed_in_comes_back_to_the_page_after_signing_in(app: App) -> None:
    page = app.opens("public", "/events?range=30d")
    page.get_by_role("textbox", name="Email").fill(app.workspace.email)
    page.get_by_role("textbox", name="Password").fill("a long enough password")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Events")
    assert page.url == f"{app.workspace.url}/events?range=30d"
