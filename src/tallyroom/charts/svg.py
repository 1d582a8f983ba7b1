"""A drawing as SVG text, without scripts or external resources. Colors are classes, which dark mode can change."""

import re
import zlib
from collections.abc import Callable, Iterable

from tallyroom.charts.colors import THEMES, Color, Theme, ThemeName
from tallyroom.charts.drawing import Area, AxisLine, Dot, Drawing, Mark, Stroke, Swatch, Text
from tallyroom.charts.graph import Graph
from tallyroom.charts.typeface import FAMILY
from tallyroom.charts.widths import exact_width

_FONTS = f"{FAMILY},ui-sans-serif,system-ui,'Segoe UI',Roboto,sans-serif"
_SPECIAL = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
_FADES = (0.24, 0.02)
_FAINT = 0.45
_GRID = 0.12  # opacity in the color of words, which is visible on any background
_WIDER = 1.25  # how much longer a text is in the widest typefaces that viewers have, DejaVu Sans and Verdana


def cleaned(text: str) -> str:
    """Return `text` without invisible characters: controls, and those that change the direction of letters."""
    return _UNSEEN.sub("", text)


def to_svg(drawing: Drawing, graph: Graph, words: Callable[[Text], str | None] = lambda _: None) -> str:
    """Return the drawing as SVG in the colors of its graph.

    Args:
        drawing: the elements and their positions.
        graph: the graph with the colors.
        words: returns SVG for words that should not be text elements, None for others.
    """
    size = f'width="{drawing.width}" height="{drawing.height}" viewBox="0 0 {drawing.width} {drawing.height}"'
    name, title = _name_of(drawing, graph), _escaped(drawing.title) or "Graph"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" id="{name}" {size} role="img" aria-labelledby="{name}-t {name}-d"',
        f' font-family="{_FONTS}">',
        f'<title id="{name}-t">{title}</title><desc id="{name}-d">{_escaped(drawing.description)}</desc>',
        f"<style>{_styles(graph, name)}</style>",
        _gradients(drawing.marks, name),
        f'<rect class="background" width="{drawing.width}" height="{drawing.height}"/>',
        *(_mark(mark, name, words) for mark in drawing.marks),
        "</svg>",
    ]
    return "".join(parts)


def _name_of(drawing: Drawing, graph: Graph) -> str:
    """Return the prefix of the picture's ids, so that several pictures in one page do not interfere."""
    looks = [graph.theme, graph.background, *(each.color for each in graph.series)]
    return f"g{zlib.crc32(repr((*drawing[:4], looks)).encode()):08x}"


def _styles(graph: Graph, name: str) -> str:
    """Return one rule per paint, and a second set for dark mode if the graph's theme is `auto`."""
    first: ThemeName = "dark" if graph.theme == "dark" else "light"
    rules = _rules(graph, THEMES[first], name)
    if graph.theme == "auto":
        rules += f"@media(prefers-color-scheme:dark){{{_rules(graph, THEMES['dark'], name)}}}"
    return rules


def _rules(graph: Graph, theme: Theme, name: str) -> str:
    background = graph.background or Color(theme.background)
    rules = {
        "background": f"fill:{background.hex};fill-opacity:{background.alpha:g}",
        "text": f"fill:{theme.text}",
        "muted": f"fill:{theme.muted}",
        "grid": f"stroke:{theme.text};stroke-opacity:{_GRID}",
        "axis": f"stroke:{theme.muted}",
    }
    for at, each in enumerate(graph.series):
        color = each.color or Color(theme.series[at % len(theme.series)])
        rules[f"s{at}"] = f"stroke:{color.hex};stroke-opacity:{color.alpha:g}"
        rules[f"p{at}"] = f"fill:{color.hex};fill-opacity:{color.alpha:g}"
        rules[f"g{at}"] = f"stop-color:{color.hex}"
    return "".join(f"#{name} .{paint}{{{rule}}}" for paint, rule in rules.items())


def _gradients(marks: Iterable[Mark], name: str) -> str:
    areas = {mark.paint: mark for mark in marks if isinstance(mark, Area)}
    found = [
        f'<linearGradient id="{name}-f{area.paint[1:]}" gradientUnits="userSpaceOnUse"'
        f' x1="0" x2="0" y1="{area.top:.1f}" y2="{area.bottom:.1f}">'
        f'<stop class="g{area.paint[1:]}" stop-opacity="{_FADES[0]}"/>'
        f'<stop class="g{area.paint[1:]}" offset="1" stop-opacity="{_FADES[1]}"/></linearGradient>'
        for area in areas.values()
    ]
    return f"<defs>{''.join(found)}</defs>" if found else ""


def _mark(mark: Mark, name: str, words: Callable[[Text], str | None]) -> str:
    match mark:
        case Text():
            return words(mark) or text_element(mark, _held(mark))
        case AxisLine(x1, y1, x2, y2, paint):
            return f'<path class="{paint}" d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"/>'
        case Swatch(x, y, size, paint):
            return f'<rect class="p{paint[1:]}" x="{x:.1f}" y="{y:.1f}" width="{size:g}" height="{size:g}" rx="3"/>'
        case Stroke(path, paint, width, faint, dashes, dense):
            joints = ' stroke-linejoin="bevel"' if dense else ' stroke-linejoin="round" stroke-linecap="round"'
            dashed = ' stroke-dasharray="1 5"' if faint else f' stroke-dasharray="{dashes}"' if dashes else ""
            opacity = f' opacity="{_FAINT}"' if faint else ""
            return f'<path class="{paint}" fill="none" stroke-width="{width:g}"{joints}{dashed}{opacity} d="{path}"/>'
        case Area(path, paint):
            return f'<path fill="url(#{name}-f{paint[1:]})" d="{path}"/>'
        case Dot(x, y, radius, paint):
            return f'<circle class="p{paint[1:]}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}"/>'


def text_element(text: Text, more: str = "") -> str:
    """Return a text as a text element; `more` has further attributes."""
    weight = ' font-weight="600"' if text.bold else ""
    placed = "" if text.anchor == "start" else f' text-anchor="{text.anchor}"'
    place = f'x="{text.x:.1f}" y="{text.y:.1f}" font-size="{text.size:g}"{weight}{placed}{more}'
    return f'<text class="{text.paint}" {place}>{_escaped(text.text)}</text>'


def _held(text: Text) -> str:
    """Return attributes that fix the length of a text if a wider typeface could push it into its neighbours."""
    length = exact_width(text.text, text.size, bold=text.bold)
    if length is None or length * _WIDER <= text.width:
        return ""
    return f' textLength="{length:.2f}" lengthAdjust="spacingAndGlyphs"'


def _escaped(text: str) -> str:
    return cleaned(text).translate(_SPECIAL)
