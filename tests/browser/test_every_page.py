"""Every page of the web app's map: it opens without a fault, has one name, and can be used by whoever uses it."""

import pytest
from playwright.sync_api import Page, expect

from harness.browser.app import (
    DESK,
    OF_NOBODY,
    PHONE,
    App,
    address,
    axe,
    axe_in_both_themes,
    focused,
    paths_of_the_map,
    settled,
)
from harness.builders.ranked_bots import USER, ranked_bots
from harness.clients.dashboards import (
    make_alert,
    make_annotation,
    make_dashboard,
    make_digest,
    make_external_source,
    make_segment,
    make_widget,
)

METRIC = {"type": "metric", "config": {"event": "order.placed", "measure": "count", "overTime": True}}
EVENTS = [
    {"name": "order.placed", "_actor": f"customer {n % 3}/a:é", "properties": {"plan": "pro", "total": n}}
    for n in range(9)
]


@pytest.fixture(scope="module")
def filled(shared_app: App) -> dict[str, str]:
    """Something for each name in a path."""
    assert shared_app.workspace.send({"events": EVENTS}).status_code == 202
    with shared_app.workspace.client() as client:
        registered = client.post("/v1/groups/keys", json={"propKey": "plan", "label": "Plan"})
    assert registered.status_code == 201, registered.text
    dashboard = make_dashboard(shared_app.workspace, name="Orders")
    widget = make_widget(shared_app.workspace, dashboard["id"], title="Orders", **METRIC)
    make_digest(shared_app.workspace, dashboard["id"])
    make_annotation(shared_app.workspace)
    make_segment(shared_app.workspace)
    make_external_source(shared_app.workspace)
    alert = make_alert(shared_app.workspace, name="Orders pile up", event="order.placed")
    names = {"$id": dashboard["id"], "$widgetId": widget["id"], "$alertId": alert["id"]}
    names |= {"$botId": ranked_bots(shared_app.workspace, 3)[0], "$userId": USER}
    return names | {"$actorKey": "customer%200%2Fa%3A%C3%A9", "$groupKey": "pro"}


WIDTHS = (1440, 900, 768, 390, 320)
WIDE = """() => new Promise(tell => requestAnimationFrame(() => requestAnimationFrame(
    () => tell(document.documentElement.scrollWidth))))"""
"""How wide the page is once it has drawn itself for the window, and its charts for the page."""
SIZES = [pytest.param(DESK, id="desk"), pytest.param(PHONE, id="phone", marks=pytest.mark.long)]
ONE_OF_EACH_SORT = {"/", "/d/$id", "/d/$id/w/$widgetId", "/actors", "/alerts/$alertId", "/settings"}
"""A form for everybody, charts, an editor, a list, a detail and settings; the others are made of the same parts."""
PAGES = [
    path if path in ONE_OF_EACH_SORT else pytest.param(path, marks=pytest.mark.long) for path in paths_of_the_map()
]


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("path", PAGES)
def test_it_has_one_name_axe_finds_nothing_and_it_never_scrolls_sideways(
    looking: App, filled: dict[str, str], path: str, size: tuple[int, int]
) -> None:
    who = "public" if path in OF_NOBODY else "owner"
    page = settled(looking.opens(who, address(path, filled), size=size))
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_count(1)
    name = heading.inner_text()
    assert name != "Nothing here"
    assert page.title().startswith(name)
    assert axe_in_both_themes(page) == []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(WIDE) <= width


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
def test_an_address_that_leads_nowhere_says_so(looking: App, size: tuple[int, int]) -> None:
    for who in ("owner", "public"):
        page = settled(looking.opens(who, "/no-such-page", size=size))
        expect(page.get_by_role("heading", level=1)).to_have_text("Nothing here")
        assert page.title().startswith("Nothing here")
        assert axe(page) == []


FAULTS = (
    "policy: style-src",
    "policy: require-trusted-types-for",
    "exception: ",
    "asks somebody else",
    "error: said",
)


def test_a_fault_would_be_noticed(looking: App) -> None:
    page = settled(looking.opens("owner", "/dashboards"))
    page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert [found.partition(":")[0] for found in axe(page)] == ["button-name"]
    page.evaluate("""() => {
        const inline = document.createElement('style')
        document.head.append(inline)
        inline.textContent = 'h1 { color: red }'
        setTimeout(() => { throw new Error('thrown') })
        new Image().src = 'http://127.0.0.1:9/picture'
        console.error('said')
        try { document.body.innerHTML = '<b>markup</b>' } catch { /* refused by the policy */ }
    }""")
    for kind in FAULTS:
        noticed(page, looking, kind)
    assert page.get_by_role("heading", level=1).count() == 1
    looking.faults.clear()


def noticed(page: Page, app: App, kind: str) -> None:
    """Return once a fault of a kind was heard of."""
    for _ in range(200):
        if any(kind in fault for fault in app.faults):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"{kind} is not among {app.faults}")


@pytest.mark.long
def test_the_focus_goes_to_the_name_of_the_next_page(looking: App) -> None:
    page = settled(looking.opens("owner", "/dashboards"))
    for link in (
        "Events",
        "Actors",
        "Groups",
        "Alerts",
        "Digests",
        "Annotations",
        "Segments",
        "API keys",
        "Sources",
        "Dashboards",
    ):
        page.get_by_role("navigation", name="Main").get_by_role("link", name=link, exact=True).click()
        heading = page.get_by_role("heading", level=1, name=link)
        expect(heading).to_be_visible()
        expect(heading).to_be_focused()
        assert focused(page) == f"h1 {link}"


@pytest.mark.long
def test_links_back_and_forward_go_from_page_to_page_and_the_focus_to_the_name(
    looking: App, filled: dict[str, str]
) -> None:
    page = settled(looking.opens("owner", "/dashboards"))
    page.get_by_role("link", name="Orders").first.click()
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("Orders")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Events", exact=True).click()
    expect(heading).to_have_text("Events")
    expect(heading).to_be_focused()
    assert focused(page) == "h1 Events"
    for move, name in ((page.go_back, "Orders"), (page.go_back, "Dashboards"), (page.go_forward, "Orders")):
        move()
        expect(heading).to_have_text(name)
        expect(heading).to_have_count(1)
    assert page.url == f"{looking.workspace.url}/d/{filled['$id']}"


@pytest.mark.long
def test_who_is_not_signed_in_comes_back_to_the_page_after_signing_in(app: App) -> None:
    page = app.opens("public", "/events?range=30d")
    page.get_by_role("textbox", name="Email").fill(app.workspace.email)
    page.get_by_role("textbox", name="Password").fill("a long enough password")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Events")
    assert page.url == f"{app.workspace.url}/events?range=30d"
