"""Any order is a valid picture, or a refusal that says why (rules/pictures#texts, rules/pictures#invalid-requests)."""

import io
import re
from typing import Any
from xml.etree import ElementTree as ET

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from harness.builders.hostile import KEYS
from harness.suite.examples import tries
from tallyroom.core.errors import ValidationFailed
from tallyroom.images.charts.raster import ResvgRasterizer
from tallyroom.images.messages import PictureFormat, RenderJob
from tallyroom.images.worker import draw_picture

rasterizer = ResvgRasterizer()

texts = st.one_of(st.text(max_size=60), st.sampled_from([str(each) for each in KEYS]))
numbers = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    st.integers(0, 2_000_000_000).map(float),
    st.sampled_from([0.0, -0.0, 1e308, -1e308, 5e-324, 1.7976931348623157e308]),
)
names = st.one_of(st.sampled_from(["a", "b", "c"]), texts)
points = st.lists(st.fixed_dictionaries({"id": names, "x": numbers, "y": numbers}), max_size=60)
asked = st.fixed_dictionaries(
    {"data_points": points},
    optional={
        "name": texts,
        "colors": st.lists(st.one_of(texts, st.from_regex(r"\A#?[0-9a-f]{3,8}\Z")), max_size=4),
        "width": st.integers(-5, 700),
        "height": st.integers(-5, 700),
        "scale": st.integers(0, 3),
        "theme": st.sampled_from(["light", "dark", "auto", "blue"]),
        "background": st.one_of(texts, st.just("transparent")),
        "fill": st.one_of(st.booleans(), st.none()),
    },
)


def answers(said: dict[str, Any]) -> None:
    body = msgspec.json.encode(said)
    try:
        svg = draw_picture(RenderJob(PictureFormat.SVG, body), rasterizer)
    except ValidationFailed as refusal:
        with pytest.raises(ValidationFailed, match=re.escape(refusal.message)):
            draw_picture(RenderJob(PictureFormat.PNG, body), rasterizer)
        return
    png = draw_picture(RenderJob(PictureFormat.PNG, body), rasterizer)
    width, height, scale = (
        said.get(name, default) for name, default in (("width", 1000), ("height", 400), ("scale", 1))
    )
    root = ET.fromstring(svg.body.decode())
    assert (root.get("width"), root.get("height")) == (str(width), str(height))
    assert Image.open(io.BytesIO(png.body)).size == (width * scale, height * scale)
    assert svg == draw_picture(RenderJob(PictureFormat.SVG, body), rasterizer)


@pytest.mark.long
@given(asked)
@tries(500)
def test_a_picture_or_a_refusal(said: dict[str, Any]) -> None:
    answers(said)


@pytest.mark.long
@given(asked)
@settings(max_examples=5_000)
def test_a_picture_or_a_refusal_at_length(said: dict[str, Any]) -> None:
    answers(said)


@pytest.mark.parametrize("count", [0, 1, 2, 10_000])
def test_few_points_and_many(count: int) -> None:
    answers({"data_points": [{"id": str(at % 50), "x": float(at), "y": float(at % 977)} for at in range(count)]})


def test_many_points_over_a_span_that_no_number_has() -> None:
    points = [{"id": "a", "x": (at - 100) * 1.7e306, "y": (-1.0) ** at * 1.7e308} for at in range(200)]
    answers({"data_points": points, "width": 16, "height": 16})
    answers({"data_points": points, "width": 300, "height": 120, "name": "T"})
