"""The typeface of the web app: it comes with the app and moves nothing; its figures have one width (rules/boards#nothing-moves)."""

import json

import httpx
import pytest
from playwright.sync_api import Page, expect

from harness.browser.app import WEB, App, settled

WIDTH = """([family, text]) => {
    const line = document.createElement('span')
    line.style.cssText = `position: absolute; font-family: ${family}; font-size: 13px; white-space: pre`
    line.textContent = text
    document.body.append(line)
    const {width} = line.getBoundingClientRect()
    line.remove()
    return width
}"""
WORDS = "Departures per day by origin, compared with the previous period: 12,345 from 9,876"
SHOW_POLISH = """() => {
    document.querySelector('h1').textContent = 'Łódź'
    return new Promise(requestAnimationFrame).then(() => document.fonts.ready).then(() => true)
}"""
FILES = "[...document.fonts].filter(face => face.family === 'Inter').map(face => [face.weight, face.status])"


def width(page: Page, family: str, text: str) -> float:
    """Of a line of text, in px."""
    measured: float = page.evaluate(WIDTH, [family, text])
    return measured


@pytest.fixture
def page(looking: App) -> Page:
    page = settled(looking.opens("owner", "/dashboards"))
    page.evaluate("document.fonts.ready.then(() => true)")
    return page


def test_the_page_is_drawn_in_it_and_loads_only_the_letters_that_it_has(page: Page) -> None:
    assert page.evaluate("getComputedStyle(document.body).fontFamily").startswith("Inter,")
    assert page.evaluate(FILES) == [["400 600", "loaded"], ["400 600", "unloaded"]]


def test_letters_of_other_languages_come_when_they_are_shown(page: Page) -> None:
    page.evaluate(SHOW_POLISH)
    assert [status for _, status in page.evaluate(FILES)] == ["loaded", "loaded"]


def test_all_files_are_as_small_as_they_have_to_be(looking: App, page: Page) -> None:
    script = "performance.getEntriesByType('resource').map(({name}) => name).filter(name => name.endsWith('.woff2'))"
    page.evaluate(SHOW_POLISH)
    answers = [httpx.get(url) for url in set(page.evaluate(script))]
    assert [answer.headers["content-type"] for answer in answers] == ["font/woff2"] * 2
    most = json.loads((WEB / "sizes.json").read_text(encoding="utf-8"))["fonts"]["most"]
    assert sum(len(answer.content) for answer in answers) / 1000 <= most
    assert "Open Font License" in httpx.get(f"{looking.workspace.url}/assets/inter-license.txt").text


def test_figures_have_one_width(page: Page) -> None:
    assert len({width(page, "Inter", figure * 9) for figure in "0123456789"}) == 1
    for place in ("h1", "p", "button"):
        styled = page.locator(place).first.evaluate("element => getComputedStyle(element).fontVariantNumeric")
        assert styled == "tabular-nums", place


def test_what_stands_in_for_it_is_as_wide(page: Page) -> None:
    """So that a page without it breaks its lines at the same words."""
    inter = width(page, "Inter", WORDS)
    assert inter != width(page, "serif", WORDS)
    for family in ("Inter by Arial", "Inter by DejaVu"):
        if page.evaluate("family => document.fonts.load(`16px '${family}'`).then(() => true, () => false)", family):
            assert width(page, f"'{family}'", WORDS) == pytest.approx(inter, rel=0.04)


def test_a_page_without_it_is_drawn_at_once(looking: App) -> None:
    page = looking.blank("owner")
    page.route("**/*.woff2", lambda route: route.abort())
    page.goto(f"{looking.workspace.url}/dashboards")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    looking.faults[:] = [fault for fault in looking.faults if ".woff2" not in fault]
