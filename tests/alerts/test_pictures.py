"""The chart of a message, drawn and by URL (rules/alerts#message-content)."""

import io
import json
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from PIL import Image

from harness.builders.alert_messages import POINTS, a_message
from tallyroom.alerts.pictures import AlertPictures
from tallyroom.images.renderer import Renderer
from tallyroom.images.worker_pool import PictureWorkerPool

BASE = "https://pictures.example.com"


@pytest.fixture
async def renderer() -> AsyncIterator[Renderer]:
    renderer = Renderer(PictureWorkerPool())
    yield renderer
    await renderer.close()


async def drawn(renderer: Renderer, **fields: Any) -> Any:
    body = await AlertPictures(renderer, "").draw_chart(a_message(**fields))
    return None if body is None else Image.open(io.BytesIO(body)).convert("RGB")


def colors(picture: Any) -> set[Any]:
    return {color for _, color in picture.getcolors(maxcolors=1_000_000)}


async def test_the_value_and_the_threshold_are_drawn(renderer: Renderer) -> None:
    both = await drawn(renderer, points=POINTS)
    assert both.size == (1000, 440)
    value, threshold = (0x2F, 0x72, 0xF4), (0xDA, 0x78, 0x17)
    assert {value, threshold} <= colors(both)
    for fields in ({"condition": "rises"}, {"threshold": None}):
        assert threshold not in colors(await drawn(renderer, points=POINTS, **fields))


async def test_the_chart_has_a_dark_theme(renderer: Renderer) -> None:
    body = await AlertPictures(renderer, "").draw_chart(a_message(points=POINTS), "dark")
    assert body is not None
    assert (0x17, 0x17, 0x1B) in colors(Image.open(io.BytesIO(body)).convert("RGB"))


@pytest.mark.parametrize("points", [(), POINTS[:1]])
async def test_too_few_points_make_no_picture(renderer: Renderer, points: Any) -> None:
    assert await drawn(renderer, points=points) is None
    assert AlertPictures(renderer, BASE).chart_url(a_message(points=points)) is None


@pytest.mark.long
async def test_names_of_all_sorts_are_drawn(renderer: Renderer) -> None:
    for event in ("<b>&", "x" * 5000, "\u202e\r\n", "🔥", ""):
        assert await drawn(renderer, points=POINTS, event=event) is not None


async def test_without_a_renderer_there_is_no_picture(renderer: Renderer, caplog: pytest.LogCaptureFixture) -> None:
    await renderer.close()
    assert await drawn(renderer, points=POINTS) is None
    assert "the picture of an alert message could not be drawn" in caplog.messages


@pytest.mark.parametrize("count", [2, 30, 61, 1441])
async def test_an_address_has_as_many_points_as_fit(renderer: Renderer, count: int) -> None:
    points = tuple((1_795_176_000.0 + 60 * at, at * 1.5) for at in range(count))
    url = AlertPictures(renderer, BASE).chart_url(a_message(points=points, event="🔥" * 300))
    assert url is not None
    assert len(url) <= 3000
    parts = urlsplit(url)
    assert f"{parts.scheme}://{parts.netloc}{parts.path}" == f"{BASE}/custom/graph.png"
    found = json.loads(parse_qs(parts.query)["data_points"][0])
    values = [point for point in found if point["id"] == "value"]
    assert len(values) >= min(count, 15)
    assert (values[-1]["x"], values[-1]["y"]) == points[-1]
    assert [point["y"] for point in found if point["id"] == "threshold"] == [100.0, 100.0]


@pytest.mark.parametrize("base", ["", "http://127.0.0.1:8480"])
async def test_who_cannot_be_reached_by_https_has_no_address(renderer: Renderer, base: str) -> None:
    assert AlertPictures(renderer, base).chart_url(a_message(points=POINTS)) is None
