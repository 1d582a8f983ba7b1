"""Words in a browser: none touches another or leaves the picture, in whatever typeface, and screen readers say them."""

from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Page

from harness.builders.graphs import CASES, DAY, HOUR, T0, walk
from harness.clients.pictures import path
from harness.servers.server import Server
from harness.suite.few import few
from tallyroom.images.charts.graph import Graph, Series
from tallyroom.images.charts.layout import draw_graph
from tallyroom.images.charts.svg import to_svg

WIDE = "'DejaVu Sans', Verdana, sans-serif"
"""As wide as typefaces come that a viewer may have instead of ours."""

MEASURE = """family => {
    const svg = document.querySelector('svg'), edge = svg.getBoundingClientRect()
    svg.setAttribute('font-family', family)
    const pen = document.createElement('canvas').getContext('2d')
    return [...svg.querySelectorAll('text')].map(text => {
        const box = text.getBoundingClientRect(), style = getComputedStyle(text)
        pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
        const ink = pen.measureText(text.textContent), baseline = text.getStartPositionOfChar(0).y
        return [box.left - edge.left, baseline - ink.actualBoundingBoxAscent,
                box.right - edge.left, baseline + ink.actualBoundingBoxDescent, text.textContent]
    })
}"""


def named(names: list[str], *, title: str = "Names", value: float = 1_234.5, **size: Any) -> Graph:
    return Graph(title, [Series(name, walk(at, 30, value, value / 50)) for at, name in enumerate(names)], **size)


def valued(value: float, **size: Any) -> Graph:
    return Graph("Numbers", [Series("a", walk(1, 40, value, value / 40)), Series("b", walk(2, 40, value, 1))], **size)


SMALL: dict[str, Any] = {"width": 300, "height": 150}
LEAST: dict[str, Any] = {"width": 180, "height": 110}

SHAPES = CASES | {
    "fifty": named([f"Series number {at}" for at in range(50)], width=2000, height=1000),
    "fifty-small": named([f"{at}" for at in range(50)], **SMALL),
    "long-names": named(["A name that is as long as names of servers may be, and then some more " + "m" * 30] * 4),
    "long-names-small": named(["WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW", "iiiiiiiiiiiiiiiiiiiiiiiiiiiiii"], **SMALL),
    "long-title": named(["a", "b"], title="What a title that is far too long for its picture looks like in it " * 3),
    "long-title-small": named(["a"], title="WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW", **LEAST),
    "least": named(["Alpha", "Beta", "Gamma"], **LEAST),
    "ones": named(["1111", "1", "11111111111", "111"], title="111111111", value=11.1, **SMALL),
    "cyrillic": named(
        ["Серверы в сети", "Пользователи", "Голоса за месяц"], title="Очень длинный заголовок " * 6, **SMALL
    ),
    "japanese": named(["日本語の名前", "投票数", "サーバー数の合計"], title="統計グラフのとても長い題名" * 4, **SMALL),
    "emoji": named(["😀😀😀😀😀😀😀😀", "👩‍👩‍👧 family", "🇩🇪 🇫🇷 flags"], title="🎉" * 40, **SMALL),
    "largest": named(["a", "b", "c"], width=2000, height=2000),
    "flat-and-wide": named(["a", "b", "c"], width=2000, height=110),
    "tall": named(["a", "b", "c"], width=180, height=2000),
    **{f"digits-{digits}": valued(10.0 ** (digits - 1) * 1.11111111, **SMALL) for digits in range(2, 9)},
    "digits-negative": valued(-11_111_111.0, **SMALL),
    "digits-large": valued(8_888_888.0, width=1000, height=800),
    "minutes": Graph("Every 10 s", [Series("a", walk(3, 100, 5, 1, 10, T0 - T0 % DAY + 11 * HOUR))], **SMALL),
    "midnight": Graph(
        "Around midnight", [Series("a", walk(3, 48, 5, 1, HOUR // 2, T0 - T0 % DAY + 12 * HOUR))], **SMALL
    ),
    "empty-small": Graph("", [], **LEAST),
    "empty-least": Graph("A title", [], width=16, height=16),
}


@few(41, "name", SHAPES)
def test_no_text_touches_another_or_leaves_the_picture(sheet: Page, name: str) -> None:
    graph = SHAPES[name]
    sheet.evaluate("svg => { document.body.innerHTML = svg }", to_svg(draw_graph(graph), graph))
    boxes: list[Any] = sheet.evaluate(MEASURE, WIDE)
    outside = [
        (text, [round(each, 1) for each in (left, top, right, bottom)])
        for left, top, right, bottom, text in boxes
        if min(left, top) < -0.5 or right > graph.width + 0.5 or bottom > graph.height + 0.5
    ]
    touching = [
        (one[4], other[4], [round(min(one[end], other[end]) - max(one[end - 2], other[end - 2]), 1) for end in (2, 3)])
        for one, other in combinations(boxes, 2)
        if all(min(one[end], other[end]) > max(one[end - 2], other[end - 2]) for end in (2, 3))
    ]
    assert (outside, touching) == ([], [])


@pytest.mark.parametrize("where", ["document", "page"])
def test_screen_readers_say_the_title_and_what_is_to_be_seen(server: Server, page: Page, where: str) -> None:
    answer = page.goto(server.url + path(name="Servers & <friends>"))
    assert answer
    if where == "page":
        text = answer.text()
        page.goto("about:blank")
        page.set_content(f"<!doctype html><p>Before</p>{text}")
    said = (
        "Servers & <friends> Graph of 2 series, 13 Nov 2025 02:13:20 UTC to 14 Nov 2025 17:13:20 UTC, from 0 to 117. "
        "a ends at 39; b ends at 117."
    )
    assert page.get_by_role("img", name=said, exact=True).count() == 1


def test_an_image_says_what_its_page_says(server: Server, page: Page) -> None:
    page.set_content(f'<img src="{server.url}{path()}" alt="Servers">')
    assert page.get_by_role("img", name="Servers", exact=True).count() == 1
