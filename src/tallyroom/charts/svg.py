"""A drawing as SVG text: no script, nothing fetched, colors by class, so that a viewer's dark mode can change them."""

import re
from collections.abc import Iterable

from tallyroom.charts.colors import THEMES, Color, Theme, ThemeName
from tallyroom.charts.drawing import Area, Dot, Drawing, Mark, Rule, Stroke, Swatch, Text
from tallyroom.charts.graph import Graph
from tallyroom.charts.typeface import FAMILY

_FONTS = f"{FAMILY},ui-sans-serif,system-ui,'Segoe UI',Roboto,sans-serif"
_SPECIAL = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
_FADES = (0.24, 0.02)
_FAINT = 0.45


def cleaned(text: str) -> str:
    """`text` without what no picture shows: control characters and what turns the order of letters around."""
    return _UNSEEN.sub("", text)


def to_svg(drawing: Drawing, graph: Graph) -> str:
    """The drawing in the colors of its graph."""
    size = f'width="{drawing.width}" height="{drawing.height}" viewBox="0 0 {drawing.width} {drawing.height}"'
    title = _escaped(drawing.title) or "Graph"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="t d" font-family="{_FONTS}">',
        f'<title id="t">{title}</title><desc id="d">{_escaped(drawing.description)}</desc>',
        f"<style>{_styles(graph)}</style>",
        _gradients(drawing.marks),
        f'<rect class="background" width="{drawing.width}" height="{drawing.height}"/>',
        *(_mark(mark) for mark in drawing.marks),
        "</svg>",
    ]
    return "".join(parts)


def _styles(graph: Graph) -> str:
    """One rule a paint; a second set for dark viewers when the graph leaves the theme to them."""
    first: ThemeName = "dark" if graph.theme == "dark" else "light"
    rules = _rules(graph, THEMES[first])
    if graph.theme == "auto":
        rules += f"@media(prefers-color-scheme:dark){{{_rules(graph, THEMES['dark'])}}}"
    return rules


def _rules(graph: Graph, theme: Theme) -> str:
    background = graph.background or Color(theme.background)
    rules = [
        f".background{{fill:{background.hex};fill-opacity:{background.alpha:g}}}",
        f".text{{fill:{theme.text}}}.muted{{fill:{theme.muted}}}",
        f".grid{{stroke:{theme.grid}}}.axis{{stroke:{theme.muted}}}",
    ]
    for at, each in enumerate(graph.series):
        color = each.color or Color(theme.series[at % len(theme.series)])
        rules.append(f".s{at}{{stroke:{color.hex};stroke-opacity:{color.alpha:g}}}")
        rules.append(f".p{at}{{fill:{color.hex};fill-opacity:{color.alpha:g}}}.g{at}{{stop-color:{color.hex}}}")
    return "".join(rules)


def _gradients(marks: Iterable[Mark]) -> str:
    areas = {mark.paint: mark for mark in marks if isinstance(mark, Area)}
    found = [
        f'<linearGradient id="f{area.paint[1:]}" gradientUnits="userSpaceOnUse" x1="0" x2="0" y1="{area.top:.1f}"'
        f' y2="{area.bottom:.1f}"><stop class="g{area.paint[1:]}" stop-opacity="{_FADES[0]}"/>'
        f'<stop class="g{area.paint[1:]}" offset="1" stop-opacity="{_FADES[1]}"/></linearGradient>'
        for area in areas.values()
    ]
    return f"<defs>{''.join(found)}</defs>" if found else ""


def _mark(mark: Mark) -> str:
    match mark:
        case Text(x, y, text, size, paint, width, bold, anchor):
            weight = ' font-weight="600"' if bold else ""
            placed = "" if anchor == "start" else f' text-anchor="{anchor}"'
            place = f'x="{x:.1f}" y="{y:.1f}" font-size="{size:g}"{weight}{placed}'
            return f'<text class="{paint}" {place}>{_escaped(text)}</text>'
        case Rule(x1, x2, y, paint):
            return f'<path class="{paint}" d="M{x1:.1f} {round(y) + 0.5}H{x2:.1f}"/>'
        case Swatch(x, y, size, paint):
            return f'<rect class="p{paint[1:]}" x="{x:.1f}" y="{y:.1f}" width="{size:g}" height="{size:g}" rx="3"/>'
        case Stroke(path, paint, width, faint, dashes):
            dashed = ' stroke-dasharray="1 5"' if faint else f' stroke-dasharray="{dashes}"' if dashes else ""
            opacity = f' opacity="{_FAINT}"' if faint else ""
            return (
                f'<path class="{paint}" fill="none" stroke-width="{width:g}" stroke-linejoin="round"'
                f' stroke-linecap="round"{dashed}{opacity} d="{path}"/>'
            )
        case Area(path, paint):
            return f'<path fill="url(#f{paint[1:]})" d="{path}"/>'
        case Dot(x, y, radius, paint):
            return f'<circle class="p{paint[1:]}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}"/>'


def _escaped(text: str) -> str:
    return cleaned(text).translate(_SPECIAL)
