"""The image builder in the browser: what it shows is what the server draws at the address that it gives."""

import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from harness.browser.app import App, settled
from harness.builders.ranked_bots import ranked_bots

POINTS = "Teapot,2026-11-01,900\nTeapot,2026-11-02,1200\nKettle,2026-11-01,300\nKettle,2026-11-02,250\n"
LOADED = "() => [...document.images].every(image => image.complete && image.naturalWidth > 0)"


def add(page: Page, text: str) -> None:
    page.get_by_role("button", name="Paste CSV or JSON").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("CSV or JSON points").fill(text)
    dialog.get_by_role("button", name="Add").click()


def address(page: Page) -> str:
    return page.get_by_role("group", name="Picture as URL").inner_text()


def preview(page: Page) -> bytes:
    """What the browser loaded for the picture on the page."""
    image = page.get_by_role("region", name="Preview").get_by_role("img")
    expect(image).to_have_attribute("src", re.compile("^/custom/graph"))
    expect(image).to_have_attribute("src", address(page).removeprefix(page.evaluate("location.origin")))
    page.wait_for_function(LOADED)
    return page.request.get(address(page)).body()


@pytest.mark.long
def test_the_address_shows_the_same_picture_in_a_blank_tab(app: App) -> None:
    page = settled(app.opens("viewer", "/bots/image"))
    expect(page.get_by_label("Name of series 1")).to_have_value("Example")
    assert preview(page).startswith(b"<svg")
    add(page, "no point")
    expect(page.get_by_role("dialog")).to_contain_text("No line is a point")
    page.get_by_role("button", name="Cancel").click()
    add(page, POINTS)
    page.get_by_role("textbox", name="Title").fill("Cups (all)")
    expect(page.get_by_role("button", name="Copy URL")).to_be_visible()
    for file, kind in (("SVG", "image/svg+xml"), ("PNG", "image/png"), ("PNG 2×", "image/png")):
        page.get_by_role("radio", name=file, exact=True).check()
        shown = preview(settled(page))
        blank = page.context.new_page()
        answer = blank.goto(address(page))
        assert answer
        assert answer.status == 200
        assert answer.headers["content-type"].startswith(kind)
        assert answer.body() == shown
        assert shown.startswith(b"\x89PNG") == (kind == "image/png")
        blank.close()


def test_colors_and_order_are_those_of_the_editor(app: App) -> None:
    page = settled(app.opens("viewer", "/bots/image"))
    add(page, POINTS)
    colors = page.get_by_label(re.compile("^Color of"))
    page.get_by_role("radio", name="Dark").check()
    first, second = (colors.nth(at).input_value() for at in (0, 1))
    svg = preview(settled(page)).decode()
    assert svg.index(first) < svg.index(second)
    assert svg.index("Teapot") < svg.index("Kettle")
    page.get_by_label("Color of Kettle").fill("#aa00bb")
    page.get_by_role("button", name="Move Kettle", exact=True).press("ArrowUp")
    expect(page.get_by_label("Name of series 1")).to_have_value("Kettle")
    svg = preview(settled(page)).decode()
    assert svg.index("Kettle") < svg.index("Teapot")
    shown = [colors.nth(at).input_value() for at in (0, 1)]
    assert shown[0] == "#aa00bb"
    assert re.findall(r"\.s(?:own)?\d\{stroke:(#[0-9a-f]{6})", svg)[:2] == shown
    query = parse_qs(urlsplit(address(page)).query)
    assert [point["id"] for point in json.loads(query["data_points"][0])] == ["Kettle"] * 2 + ["Teapot"] * 2


@pytest.mark.long
def test_a_bot_becomes_a_series_and_a_long_address_is_noticed(app: App) -> None:
    ids = ranked_bots(app.workspace, 2)
    page = settled(app.opens("viewer", f"/bots/image?ids={ids[0]}&metric=server_count&timeFrame=7d"))
    expect(page.get_by_role("textbox", name="Title")).to_have_value("Servers")
    page.get_by_role("button", name="From a bot").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("combobox", name="Bot").fill("Bot 2")
    page.get_by_role("option", name="Bot 2").click()
    dialog.get_by_role("button", name="Add").click()
    expect(dialog).to_have_count(0)
    names = page.get_by_label(re.compile("^Name of series"))
    expect(names).to_have_count(2)
    assert [each.input_value() for each in names.all()] == ["Bot 1", "Bot 2"]
    assert preview(settled(page)).startswith(b"<svg")
    add(page, json.dumps([[1_763_000_000 + 3600 * at, at] for at in range(200)]))
    expect(page.get_by_role("region", name="URL")).to_contain_text("over 8,000")
    add(page, json.dumps([[1_763_000_000 + 3600 * at, at] for at in range(2000)]))
    expect(page.get_by_role("region", name="Preview")).to_contain_text("The URL is too long")
    expect(page.get_by_role("button", name="Copy URL")).to_have_count(0)
    page.get_by_role("button", name="Use half the points").click()
    page.get_by_role("button", name="Use half the points").click()
    expect(page.get_by_role("button", name="Copy URL")).to_be_visible()
    page.get_by_role("radio", name="HTML").check()
    expect(page.get_by_role("group", name="Picture as HTML")).to_contain_text('alt="Servers: Bot 1, Bot 2')
