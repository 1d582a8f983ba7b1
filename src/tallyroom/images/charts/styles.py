"""The style sheet of a picture: how each paint of its marks looks in its theme (rules/pictures#colors)."""

import re
from collections.abc import Iterable

from tallyroom.images.charts.chart import Chart
from tallyroom.images.charts.colors import THEMES, Color, Theme, ThemeName
from tallyroom.images.charts.graph import OWN_COLOR, Graph

ColoredPicture = Graph | Chart  # the source of the colors

_GRID_OPACITY = 0.12  # opacity in the color of words, which is visible on any background
_BASE_LINE_OPACITY = 0.3  # of the line at the base of columns
_HATCH_OPACITY = 0.2
_CLASS_PATTERN = re.compile(r'class="(\w+)"')


def build_styles(picture: ColoredPicture, body: Iterable[str], picture_id: str) -> str:
    """Return one rule per paint in `body`, the marks' SVG, and a second set for dark mode if the theme is `auto`."""
    if isinstance(picture, Graph):
        keys = dict.fromkeys(series.paint_key(index) for index, series in enumerate(picture.series))
        series_paints = (f"{mark_kind}{key}" for key in keys for mark_kind in "spg")
        paints = ["background", "text", "muted", "grid", "axis", *series_paints]
    else:
        paints = list(dict.fromkeys(_CLASS_PATTERN.findall("".join(body))))
    first_theme: ThemeName = "dark" if picture.theme == "dark" else "light"
    rules = _build_rules(picture, paints, first_theme, picture_id)
    if picture.theme == "auto":
        rules += f"@media(prefers-color-scheme:dark){{{_build_rules(picture, paints, 'dark', picture_id)}}}"
    return rules


def is_opaque(picture: ColoredPicture) -> bool:
    """Return whether the background hides everything behind the picture."""
    return picture.background is None or picture.background.alpha == 1


def _build_rules(picture: ColoredPicture, paints: Iterable[str], theme_name: ThemeName, picture_id: str) -> str:
    theme = THEMES[theme_name]
    rules = _build_fixed_rules(picture, theme)
    return "".join(
        f"#{picture_id} .{paint}{{{rules.get(paint) or _build_series_rule(picture, paint, theme)}}}" for paint in paints
    )


def _build_fixed_rules(picture: ColoredPicture, theme: Theme) -> dict[str, str]:
    background = picture.background or Color(theme.background)
    return {
        "background": f"fill:{background.hex};fill-opacity:{background.alpha:g}",
        "text": f"fill:{theme.text}",
        "muted": f"fill:{theme.muted}",
        "grid": f"stroke:{theme.text};stroke-opacity:{_GRID_OPACITY}",
        "axis": f"stroke:{theme.muted}",
        "base": f"stroke:{theme.text};stroke-opacity:{_BASE_LINE_OPACITY}",
        "hatch": f"stroke:{theme.text};stroke-opacity:{_HATCH_OPACITY}",
        "frame": f"fill:none;stroke:{theme.muted};stroke-dasharray:3 2",
        "limit": f"stroke:{theme.worse};stroke-width:1.5;stroke-dasharray:4 3",
        "goal": f"stroke:{theme.muted};stroke-width:1.5;stroke-dasharray:4 3",
        "chip": f"fill:{theme.background};stroke:{theme.text};stroke-opacity:{_GRID_OPACITY}",
        "inverse": f"fill:{theme.background}",
        "bar": f"fill:{theme.bar}",
        "track": f"fill:{theme.track}",
        "better": f"fill:{theme.better}",
        "worse": f"fill:{theme.worse}",
    } | {f"r{step}": f"fill:{color}" for step, color in enumerate(theme.ramp, 1)}


def _build_series_rule(picture: ColoredPicture, paint: str, theme: Theme) -> str:
    """Return the rule of a series' line (s), of its filled marks (p), or of the shade below it (g)."""
    mark_kind, key = paint[0], paint[1:]
    own_color = None
    if isinstance(picture, Graph) and key.startswith(OWN_COLOR):
        own_color = picture.series[int(key.removeprefix(OWN_COLOR))].color
    color = own_color or Color(theme.rest if key == "rest" else theme.series[int(key) % len(theme.series)])
    if mark_kind == "g":
        return f"stop-color:{color.hex}"
    css_property = "stroke" if mark_kind == "s" else "fill"
    return f"{css_property}:{color.hex};{css_property}-opacity:{color.alpha:g}"
