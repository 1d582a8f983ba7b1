"""A drawing as SVG text, without scripts or external resources. Colors are classes, which dark mode can change."""

import re
import zlib
from collections.abc import Callable, Iterable

from tallyroom.images.charts.drawing import (
    Area,
    AxisLine,
    Box,
    Dot,
    Drawing,
    Layer,
    Mark,
    Ring,
    Shape,
    Stroke,
    Swatch,
    Text,
)
from tallyroom.images.charts.graph import Graph
from tallyroom.images.charts.styles import ColoredPicture, build_styles
from tallyroom.images.charts.typeface import FAMILY
from tallyroom.images.charts.widths import exact_width

_FONT_FAMILIES = f"{FAMILY},ui-sans-serif,system-ui,'Segoe UI',Roboto,sans-serif"
_XML_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})
_LINE_BREAKS = re.compile("[\t-\r\x1c-\x1e\x85\u2028\u2029]+")
_INVISIBLE_CHARACTERS = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
_AREA_OPACITIES = (0.24, 0.02)
_LAYER_OPACITY = 0.28
_FAINT_LINE_OPACITY = 0.45
_INCOMPLETE_OPACITY = 0.55
_RING_WIDTH = 1.75
_WIDEST_TYPEFACE_FACTOR = 1.25  # of a text in the widest typefaces that viewers have, DejaVu Sans and Verdana


def to_single_line(text: str) -> str:
    """Return `text` as one line without invisible characters; line breaks and tabs become spaces."""
    return _INVISIBLE_CHARACTERS.sub("", _LINE_BREAKS.sub(" ", text))


def shorten(text: str, max_length: int) -> str:
    """Return `text` as one line of at most `max_length` characters, the last of which shows that text was cut off."""
    text = to_single_line(text).strip()
    return text if len(text) <= max_length else text[: max_length - 1].rstrip() + "…"


def to_svg(
    drawing: Drawing,
    picture: ColoredPicture,
    outline_words: Callable[[Text], str | None] = lambda _: None,
    scale: float = 1,
) -> str:
    """Return the drawing as SVG, `scale` times as wide and as tall.

    `outline_words` returns SVG for words that should not be text elements, else None.
    """
    width, height = round(drawing.width * scale), round(drawing.height * scale)
    size_attributes = f'width="{width}" height="{height}" viewBox="0 0 {drawing.width} {drawing.height}"'
    picture_id, title = _build_picture_id(drawing, picture), _escape(drawing.title) or "Graph"
    body = [
        _build_gradients(drawing.marks, picture_id),
        f'<rect class="background" width="{drawing.width}" height="{drawing.height}"/>',
        *(_build_mark_element(mark, picture_id, outline_words) for mark in drawing.marks),
    ]
    svg_parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" id="{picture_id}" {size_attributes} role="img"',
        f' aria-labelledby="{picture_id}-t {picture_id}-d" font-family="{_FONT_FAMILIES}">',
        f'<title id="{picture_id}-t">{title}</title><desc id="{picture_id}-d">{_escape(drawing.description)}</desc>',
        f"<style>{build_styles(picture, body, picture_id)}</style>",
        *body,
        "</svg>",
    ]
    return "".join(svg_parts)


def _build_picture_id(drawing: Drawing, picture: ColoredPicture) -> str:
    """Return the prefix of the picture's ids, so that several pictures in one page do not interfere."""
    color_choices: list[object] = [picture.theme]
    if isinstance(picture, Graph):
        color_choices += [picture.background, *(series.color for series in picture.series)]
    elif picture.background:
        color_choices.append(picture.background)
    return f"g{zlib.crc32(repr((*drawing[:4], color_choices)).encode()):08x}"


def _build_gradients(marks: Iterable[Mark], picture_id: str) -> str:
    area_by_paint = {mark.paint: mark for mark in marks if isinstance(mark, Area)}
    gradients = [
        f'<linearGradient id="{picture_id}-f{area.paint[1:]}" gradientUnits="userSpaceOnUse"'
        f' x1="0" x2="0" y1="{area.top:.1f}" y2="{area.bottom:.1f}">'
        f'<stop class="g{area.paint[1:]}" stop-opacity="{_AREA_OPACITIES[0]}"/>'
        f'<stop class="g{area.paint[1:]}" offset="1" stop-opacity="{_AREA_OPACITIES[1]}"/></linearGradient>'
        for area in area_by_paint.values()
    ]
    return f"<defs>{''.join(gradients)}</defs>" if gradients else ""


def _build_mark_element(mark: Mark, picture_id: str, outline_words: Callable[[Text], str | None]) -> str:  # noqa: C901, PLR0911 # one for each mark
    match mark:
        case Text():
            return outline_words(mark) or text_element(mark, _text_length_attributes(mark))
        case Box(x, y, width, height, paint, radius, is_faint):
            size_attributes = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
            corners = f' rx="{radius:g}"' if radius else ""
            return f'<rect class="{paint}" {size_attributes}{corners}{_opacity_attribute(is_faint=is_faint)}/>'
        case Shape(path, paint, is_faint):
            return f'<path class="{paint}"{_opacity_attribute(is_faint=is_faint)} d="{path}"/>'
        case AxisLine(x1, y1, x2, y2, paint):
            return f'<path class="{paint}" d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"/>'
        case Swatch(x, y, size, paint):
            return f'<rect class="p{paint[1:]}" x="{x:.1f}" y="{y:.1f}" width="{size:g}" height="{size:g}" rx="3"/>'
        case Stroke(path, paint, width, is_faint, dashes, is_dense):
            joints = ' stroke-linejoin="bevel"' if is_dense else ' stroke-linejoin="round" stroke-linecap="round"'
            dashed = ' stroke-dasharray="1 5"' if is_faint else f' stroke-dasharray="{dashes}"' if dashes else ""
            opacity = f' opacity="{_FAINT_LINE_OPACITY}"' if is_faint else ""
            return f'<path class="{paint}" fill="none" stroke-width="{width:g}"{joints}{dashed}{opacity} d="{path}"/>'
        case Area(path, paint):
            return f'<path fill="url(#{picture_id}-f{paint[1:]})" d="{path}"/>'
        case Layer(path, paint):
            return f'<path class="{paint}" opacity="{_LAYER_OPACITY}" d="{path}"/>'
        case Ring(x, y, radius, paint):
            ring_attributes = f'cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" stroke-width="{_RING_WIDTH:g}"'
            return f'<circle class="{paint}" fill="none" {ring_attributes}/>'
        case Dot(x, y, radius, paint):
            return f'<circle class="p{paint[1:]}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}"/>'


def _opacity_attribute(*, is_faint: bool) -> str:
    return f' opacity="{_INCOMPLETE_OPACITY}"' if is_faint else ""


def text_element(text: Text, attributes: str = "") -> str:
    """Return a text as a text element with more `attributes`."""
    weight = ' font-weight="600"' if text.bold else ""
    digits = ' style="font-variant-numeric:tabular-nums"' if text.tabular else ""
    anchor = "" if text.anchor == "start" else f' text-anchor="{text.anchor}"'
    layout_attributes = (
        f'x="{text.x:.1f}" y="{text.y:.1f}" font-size="{text.size:g}"{weight}{digits}{anchor}{attributes}'
    )
    return f'<text class="{text.paint}" {layout_attributes}>{_escape(text.text)}</text>'


def _text_length_attributes(text: Text) -> str:
    """Return attributes that fix the length of a text if a wider typeface could push it into its neighbours."""
    text_length = exact_width(text.text, text.size, bold=text.bold)
    if text_length is None or text_length * _WIDEST_TYPEFACE_FACTOR <= text.width:
        return ""
    return f' textLength="{text_length:.2f}" lengthAdjust="spacingAndGlyphs"'


def _escape(text: str) -> str:
    return to_single_line(text).translate(_XML_ESCAPES)
