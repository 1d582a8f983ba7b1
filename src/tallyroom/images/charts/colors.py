"""Colors: the ones that clients send, and the defaults (fixtures/charts/colors.json, rules/pictures#colors)."""

import re
from typing import Literal, NamedTuple

ThemeName = Literal["light", "dark"]

_HEX_PATTERN = re.compile(r"#?(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})\Z")
_SHORT_LENGTH = 3
_LENGTH_WITH_ALPHA = 8


class Color(NamedTuple):
    """A color as #rrggbb, and its opacity from 0 to 1."""

    hex: str
    alpha: float = 1.0


class Theme(NamedTuple):
    """The colors of a picture.

    `series` suits people with color blindness, and `rest` is the gray of what other series leave over. `ramp` goes from
    little to much.
    """

    background: str
    text: str
    muted: str
    series: tuple[str, ...]
    rest: str
    ramp: tuple[str, ...]
    bar: str
    track: str
    better: str
    worse: str


THEMES: dict[ThemeName, Theme] = {
    "light": Theme(
        "#ffffff",
        "#18181b",
        "#5b5b66",
        ("#2f72f4", "#da7817", "#2ba561", "#841fb1", "#956900", "#15718a", "#b50d41", "#001e83"),
        "#7f8596",
        ("#eff4fc", "#dbe7fb", "#c2d7f9", "#a7c6f7", "#8ab2f4", "#286fe3", "#115bcd", "#0a48a8", "#083882"),
        bar="#d9e7fe",
        track="#f1f1f3",
        better="#047857",
        worse="#b91c1c",
    ),
    "dark": Theme(
        "#17171b",
        "#ececf1",
        "#a3a3ad",
        ("#3596f8", "#f08100", "#00c66d", "#a8488d", "#fedf52", "#64effb", "#d8404c", "#565ee1"),
        "#8e959b",
        ("#191e27", "#1d2839", "#22334f", "#263e66", "#2c4a7b", "#5991ed", "#73a5f6", "#91bafc", "#b3cffe"),
        bar="#19344c",
        track="#1f1f25",
        better="#34d399",
        worse="#f87171",
    ),
}


def parse_color(text: str) -> Color | None:
    """Parse a color written as RGB, RRGGBB or RRGGBBAA, with or without ``#``; None for anything else."""
    if _HEX_PATTERN.match(text) is None:
        return None
    digits = text.removeprefix("#").lower()
    if len(digits) == _SHORT_LENGTH:
        digits = "".join(digit * 2 for digit in digits)
    alpha = int(digits[6:8], 16) / 255 if len(digits) == _LENGTH_WITH_ALPHA else 1.0
    return Color(f"#{digits[:6]}", round(alpha, 3))
