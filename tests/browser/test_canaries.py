"""Whatever texts it is given, the web app runs no script, asks nobody else, leads nowhere else, and keeps its shape."""

import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from harness.browser.app import DESK, PHONE, App, Tabs, paths_of_members, settled
from harness.browser.behind import panel
from harness.browser.chromium import RUN
from harness.builders.canaries import IMAGE, SEEMLY, Hostile, make_hostile
from harness.servers.server import Server

FOUND = """() => {
    const found = []
    if (window.ran !== undefined) found.push('a script ran')
    for (const each of document.querySelectorAll('[href], [src], [action], [formaction], [srcdoc], [ping]')) {
        for (const name of ['href', 'src', 'action', 'formaction', 'srcdoc', 'ping']) {
            const text = each.getAttribute(name)
            if (text === null || each instanceof SVGElement) continue
            const url = new URL(text, location.href)
            const ours = url.origin === location.origin && !['javascript:', 'data:'].includes(url.protocol)
            const noted = url.protocol === 'https:' && each.localName === 'a' && each.rel.includes('noopener')
            if (!ours && !noted) found.push(`${each.localName} ${name} leads to ${text}`)
        }
    }
    for (const each of document.querySelectorAll('script:not([src]), [onerror], img[src=x]')) found.push(`made of text: ${each.outerHTML}`)
    for (const each of document.querySelectorAll(':popover-open, [role=dialog]')) {
        const { left, right } = each.getBoundingClientRect()
        if (left < -1 || right > innerWidth + 1) found.push(`${each.ariaLabel ?? each.id} from ${left} to ${right} of ${innerWidth} px`)
        if (each.scrollWidth > each.clientWidth + 1) found.push(`${each.ariaLabel ?? each.id} scrolls sideways`)
    }
    const wide = document.documentElement.scrollWidth
    if (wide > innerWidth) found.push(`${wide} of ${innerWidth} px wide`)
    return found
}"""
PATHS = paths_of_members()
WRITES = re.compile(
    r"^(New|Create|Add widget|Set secret|Replace|Edit|Delete|Duplicate|Share|Settings|Save(?! as CSV)|Register|Revoke|Hide|Show again|Rename|Invite|Move|Annotate|Erase|Make default|Remove key|Send now|Add token)\b"
)


@pytest.fixture(scope="module")
def hostile(server: Server) -> Hostile:
    return make_hostile(server.url)


@pytest.fixture(scope="module")
def shared(kept_tabs: Tabs, hostile: Hostile) -> App:
    """One app for all tests, whose tabs stay open from one to the next."""
    return App(kept_tabs, hostile.workspace)


@pytest.fixture
def app(shared: App) -> Iterator[App]:
    shared.faults.clear()
    yield shared
    assert shared.faults == []


@pytest.fixture(scope="module")
def owner(shared: App) -> Page:
    """The owner's tab, at some page."""
    page = shared.opens("owner", "/keys", refused=[404])
    page.on("dialog", lambda dialog: shared.faults.append(f"dialog: {dialog.message}"))
    return page


def go(page: Page, hostile: Hostile, path: str) -> Page:
    page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
    page.goto(hostile.workspace.url + path)
    return settled(page)


def harm(page: Page, *sizes: tuple[int, int]) -> list[str]:
    """What texts did to the page as it is now, at each size: script, address, other sites, width."""
    found: list[str] = []
    for width, height in sizes or (DESK, PHONE):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(30)
        found += [f"at {width} px: {each}" for each in page.evaluate(FOUND)]
    return found


@pytest.mark.long
@pytest.mark.parametrize("path", PATHS)
def test_a_page_shows_them_as_text(app: App, owner: Page, hostile: Hostile, path: str) -> None:
    page = go(owner, hostile, hostile.address(path))
    assert harm(page) == []
    for opener in page.locator("button[aria-haspopup]:visible:enabled").all()[:4]:
        opener.click()
        assert harm(page, DESK) == []
        page.keyboard.press("Escape")


@pytest.mark.long
@pytest.mark.parametrize("path", ["/actors/$actorKey", "/groups/$groupKey"])
@pytest.mark.parametrize("text", SEEMLY, ids=str)
def test_any_key_leads_to_its_own_page(app: App, owner: Page, hostile: Hostile, path: str, text: str) -> None:
    page = go(owner, hostile, hostile.address(path, text))
    assert page.url.startswith(hostile.workspace.url)
    assert harm(page) == []


@pytest.mark.long
@pytest.mark.parametrize(
    "kind", ["metric", "formula", "kpi", "table", "funnel", "retention", "histogram", "heatmap", "note"]
)
def test_the_editor_of_every_kind(app: App, owner: Page, hostile: Hostile, kind: str) -> None:
    page = go(owner, hostile, f"/d/{hostile.boards[0]}/w/{hostile.widgets[kind]}")
    assert harm(page) == []
    for field in page.get_by_role("combobox").all():
        if field.is_visible() and field.evaluate("each => each.localName === 'input'"):
            field.click()
            assert harm(page, DESK) == []
            page.keyboard.press("Escape")


@pytest.mark.long
def test_every_widget_who_is_behind_a_number_and_everything_as_a_table(app: App, owner: Page, hostile: Hostile) -> None:
    page = go(owner, hostile, f"/d/{hostile.boards[0]}")
    assert harm(page) == []
    page.get_by_role("button", name=re.compile("show who$")).first.click()
    expect(panel(page)).to_be_visible()
    assert harm(settled(page)) == []
    page.keyboard.press("Escape")
    for menu in page.get_by_role("button", name="Widget menu").all():
        menu.click()
        page.get_by_role("menuitem", name="View as table").click()
    assert harm(page) == []
    assert page.get_by_role("main").get_by_role("table").count() >= 8


@pytest.mark.long
@pytest.mark.parametrize("item", ["Share", "Settings", "Delete"])
def test_the_dialogs_of_a_dashboard(app: App, owner: Page, hostile: Hostile, item: str) -> None:
    page = go(owner, hostile, f"/d/{hostile.boards[-1]}")
    page.get_by_role("button", name="Dashboard menu").click()
    page.get_by_role("menuitem", name=item).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert harm(page) == []


@pytest.mark.long
def test_the_palette(app: App, owner: Page, hostile: Hostile) -> None:
    page = go(owner, hostile, "/keys")
    page.keyboard.press("Control+k")
    for typed in ("", IMAGE):
        page.get_by_role("dialog").get_by_role("combobox").fill(typed)
        settled(page)
        assert harm(page) == []


@pytest.mark.long
def test_an_event_and_its_filters(app: App, owner: Page, hostile: Hostile) -> None:
    page = go(owner, hostile, "/events?range=7d")
    page.get_by_role("main").get_by_role("table").get_by_role("button").first.click()
    page.get_by_role("button", name="Filter by this value").click()
    assert harm(page, DESK) == []
    page.get_by_role("menuitem").last.click()
    assert harm(settled(page)) == []


@pytest.mark.long
def test_a_chart_under_the_cursor_and_its_annotation(app: App, owner: Page, hostile: Hostile) -> None:
    page = go(owner, hostile, f"/d/{hostile.boards[0]}")
    chart = page.get_by_role("application").first
    for key in ("End", "ArrowLeft", "ArrowDown"):
        chart.press(key)
        assert harm(page, DESK) == []
    chart.press("a")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="Label").fill(IMAGE)
    assert harm(page) == []
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    assert harm(settled(page)) == []


@pytest.mark.long
def test_pinned_dashboards(app: App, owner: Page, hostile: Hostile) -> None:
    page = go(owner, hostile, "/dashboards")
    for pin in page.get_by_role("main").get_by_role("table").get_by_role("button").all():
        pin.click()
    expect(page.get_by_role("list", name="Pinned dashboards").get_by_role("link")).to_have_count(len(hostile.boards))
    assert harm(page) == []


@pytest.mark.long
def test_arranging(app: App, owner: Page, hostile: Hostile) -> None:
    assert harm(go(owner, hostile, f"/d/{hostile.boards[0]}?edit=1")) == []


@pytest.mark.long
@pytest.mark.parametrize("path", ["/keys", "/actors/$actorKey", "/groups"])
def test_dialogs_that_ask_before_they_delete(app: App, owner: Page, hostile: Hostile, path: str) -> None:
    page = go(owner, hostile, hostile.address(path))
    if path == "/keys":
        page.get_by_role("button", name=re.compile("^Revoke")).nth(1).click()
    else:
        page.get_by_role("main").get_by_role("button", name=re.compile("menu$")).first.click()
        page.get_by_role("menuitem", name=re.compile("^(Erase|Remove)")).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert harm(page) == []


@pytest.mark.long
def test_a_refusal_in_words_of_the_sender(app: App, owner: Page, hostile: Hostile) -> None:
    page = go(owner, hostile, "/start")
    assert hostile.workspace.send({"name": "x", IMAGE: 1}).status_code == 400
    expect(page.get_by_role("main")).to_contain_text(IMAGE)
    assert harm(page) == []


@pytest.mark.parametrize(
    "place",
    [
        "/\t/evil.example/x",
        *(
            pytest.param(each, marks=pytest.mark.long)
            for each in ("//evil.example/x", f"javascript:{RUN}", "/.//evil.example")
        ),
    ],
)
def test_signing_in_leads_nowhere_else(app: App, owner: Page, hostile: Hostile, place: str) -> None:
    page = go(owner, hostile, f"/?next={quote(place, safe='')}")
    expect(page).to_have_url(f"{hostile.workspace.url}/dashboards")
    assert harm(page, DESK) == []


def test_harm_would_be_seen(app: App, owner: Page, hostile: Hostile) -> None:
    page = go(owner, hostile, "/keys")
    page.evaluate("""() => {
        window.ran = 1
        const link = document.createElement('a'), image = document.createElement('img'), wide = document.createElement('p')
        link.href = 'javascript:window.ran=1'
        image.setAttribute('src', 'x')
        wide.style.width = '2000px'
        wide.textContent = 'wide'
        document.querySelector('main').append(link, image, wide)
    }""")
    found = harm(page, DESK)
    for part in ("a script ran", "a href leads to javascript:", "made of text", "px wide"):
        assert any(part in each for each in found), part
    app.faults.clear()


@pytest.mark.long
def test_a_viewer_meets_no_control_that_writes_anywhere(app: App, hostile: Hostile) -> None:
    page = app.opens("viewer", "/keys", refused=[404])
    found: list[str] = []
    for path in [
        *map(hostile.address, PATHS),
        f"/d/{hostile.boards[0]}?edit=1",
        "/keys?new=1",
        "/dashboards?new=1",
        "/digests?new=1",
        "/bots/feeding?new=1",
    ]:
        go(page, hostile, path)
        found += [f"{path}: {name}" for name in written(page)]
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Search pages").fill("new")
    found += [f"palette: {each}" for each in page.get_by_role("option").all_inner_texts() if WRITES.match(each)]
    assert set(found) <= {"/settings: Add token"}  # one that sees what they see
    go(page, hostile, f"/d/{hostile.boards[0]}/w/new")
    expect(page.get_by_role("main")).to_contain_text("Developer")


_NAMES = "all => all.map(each => (each.ariaLabel ?? each.textContent).trim())"


def written(page: Page) -> list[str]:
    """The names of the controls that write, in menus as well."""
    names: list[str] = []
    every = page.locator("main :is(button, a, [role=menuitem], [role=switch])")
    for menu in page.get_by_role("main").locator("button[aria-haspopup=menu]:visible").all()[:2]:
        menu.click()
        names += every.evaluate_all(_NAMES)
        page.keyboard.press("Escape")  # it may lie above the next one
    names += every.evaluate_all(_NAMES)
    assert page.get_by_role("dialog").count() == 0
    return [name for name in names if WRITES.match(name)]
