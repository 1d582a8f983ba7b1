"""`theme=auto` follows the viewer, the others do not; colors are those of the themes."""

import io
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page

from harness.clients.pictures import path
from harness.servers.server import Server
from tallyroom.images.charts.colors import THEMES

LOOKS = """() => Object.fromEntries(
    [['background', 'fill'], ['text', 'fill'], ['muted', 'fill'], ['grid', 'stroke'], ['s0', 'stroke'], ['s1', 'stroke']]
        .map(([name, property]) => [name, getComputedStyle(document.querySelector('.' + name))[property]]))"""
SCHEMES: list[Any] = ["light", "dark"]
SHOWN = [
    *(("dark", "light", "dark"), ("auto", "dark", "dark")),
    *(
        pytest.param(*each, marks=pytest.mark.long)
        for each in (
            *(("light", "light", "light"), ("light", "dark", "light")),
            *(("dark", "dark", "dark"), ("auto", "light", "light")),
        )
    ),
]


def rgb(color: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(color.removeprefix("#")))


def css(color: str) -> str:
    return f"rgb({', '.join(map(str, rgb(color)))})"


@pytest.mark.parametrize(("theme", "viewer", "expected"), SHOWN)
def test_a_document(server: Server, page: Page, theme: str, viewer: Any, expected: Any) -> None:
    page.emulate_media(color_scheme=viewer)
    page.goto(server.url + path(theme=theme))
    colors = THEMES[expected]
    assert page.evaluate(LOOKS) == {
        "background": css(colors.background),
        "text": css(colors.text),
        "muted": css(colors.muted),
        "grid": css(colors.text),
        "s0": css(colors.series[0]),
        "s1": css(colors.series[1]),
    }


@pytest.mark.parametrize(("theme", "viewer", "expected"), SHOWN)
def test_an_image(server: Server, page: Page, theme: str, viewer: Any, expected: Any) -> None:
    page.emulate_media(color_scheme=viewer)
    page.set_content(f'<meta name="color-scheme" content="light dark"><img src="{server.url}{path(theme=theme)}">')
    shown = Image.open(io.BytesIO(page.locator("img").screenshot())).convert("RGB")
    assert shown.getpixel((500, 2)) == rgb(THEMES[expected].background)
    counts = {pixel: count for count, pixel in shown.getcolors(1_000_000) or ()}
    assert counts.get(rgb(THEMES[expected].series[0]), 0) > 300


def test_it_follows_a_viewer_who_changes_their_mind(server: Server, page: Page) -> None:
    page.goto(server.url + path(theme="auto"))
    for viewer in (*SCHEMES, *SCHEMES):
        page.emulate_media(color_scheme=viewer)
        assert page.evaluate(LOOKS)["background"] == css(THEMES[viewer].background)
