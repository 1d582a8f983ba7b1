"""The colors of series are told apart, also by people with color blindness (rules/pictures#colors)."""

import math
from itertools import combinations

import pytest

from tallyroom.images.charts.colors import THEMES, ThemeName

# What dichromats see of linear red, green and blue (Machado, Oliveira and Fernandes 2009, severity 1.0).
NORMAL = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
BLINDNESSES = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
CLEAR, DISTINCT = 16.0, 10.0
"""CIEDE2000 between any two colors, for normal and for dichromatic sight; from about 2, a difference is noticed."""
LUMINANCE = ((0.2126, 0.7152, 0.0722),)
VISIBLE_CONTRAST = 3.0  # with the card (WCAG 2.2, 1.4.11)

Matrix = tuple[tuple[float, ...], ...]
Lab = tuple[float, float, float]


def multiply(matrix: Matrix, vector: list[float]) -> list[float]:
    return [sum(factor * part for factor, part in zip(row, vector, strict=True)) for row in matrix]


def linear(color: str, sight: Matrix = NORMAL) -> list[float]:
    shares = [byte / 255 for byte in bytes.fromhex(color.removeprefix("#"))]
    light = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return [min(max(share, 0.0), 1.0) for share in multiply(sight, light)]


def cielab(color: str, sight: Matrix) -> Lab:
    to_xyz = (
        (0.4124564 / 0.95047, 0.3575761 / 0.95047, 0.1804375 / 0.95047),
        (0.2126729, 0.7151522, 0.0721750),
        (0.0193339 / 1.08883, 0.1191920 / 1.08883, 0.9503041 / 1.08883),
    )
    x, y, z = (
        share ** (1 / 3) if share > 216 / 24389 else (24389 / 27 * share + 16) / 116
        for share in multiply(to_xyz, linear(color, sight))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def ciede2000(one: Lab, other: Lab) -> float:
    """The difference of two colors (Sharma, Wu and Dalal 2005), with the names of the paper."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean_c7 = ((math.hypot(a1, b1) + math.hypot(a2, b2)) / 2) ** 7
    stretch = 1 + (1 - math.sqrt(mean_c7 / (mean_c7 + 25**7))) / 2
    c1, c2 = math.hypot(a1 * stretch, b1), math.hypot(a2 * stretch, b2)
    h1, h2 = (math.degrees(math.atan2(b, a * stretch)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180
    mean_h = (h1 + turn / 2) % 360
    mean_l, mean_c = (l1 + l2) / 2, (c1 + c2) / 2
    waves = ((-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.20, 4, -63))
    t = 1 + sum(height * math.cos(math.radians(count * mean_h + shift)) for height, count, shift in waves)
    s_l = 1 + 0.015 * (mean_l - 50) ** 2 / math.sqrt(20 + (mean_l - 50) ** 2)
    s_c, s_h = 1 + 0.045 * mean_c, 1 + 0.015 * mean_c * t
    angle = math.radians(60 * math.exp(-(((mean_h - 275) / 25) ** 2)))
    r_t = -2 * math.sqrt(mean_c**7 / (mean_c**7 + 25**7)) * math.sin(angle)
    d_h = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    parts = ((l2 - l1) / s_l, (c2 - c1) / s_c, d_h / s_h)
    return math.sqrt(math.hypot(*parts) ** 2 + r_t * parts[1] * parts[2])


def difference(color: str, other: str, sight: Matrix) -> float:
    return ciede2000(cielab(color, sight), cielab(other, sight))


def contrast(color: str, other: str) -> float:
    lighter, darker = sorted((multiply(LUMINANCE, linear(each))[0] for each in (color, other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def chroma(color: str) -> float:
    _, a, b = cielab(color, NORMAL)
    return math.hypot(a, b)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ],
)
def test_the_difference_is_that_of_the_paper(one: Lab, other: Lab, expected: float) -> None:
    assert ciede2000(one, other) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("name", list(THEMES))
def test_no_two_colors_look_alike(name: ThemeName) -> None:
    pairs = list(combinations([*THEMES[name].series, THEMES[name].rest], 2))
    assert min(difference(*pair, NORMAL) for pair in pairs) > CLEAR
    for sight in BLINDNESSES.values():
        assert min(difference(*pair, sight) for pair in pairs) > DISTINCT


@pytest.mark.parametrize("name", list(THEMES))
def test_each_color_is_seen_on_the_card(name: ThemeName) -> None:
    theme = THEMES[name]
    assert min(contrast(color, theme.background) for color in [*theme.series, theme.rest]) >= VISIBLE_CONTRAST


@pytest.mark.parametrize("name", list(THEMES))
def test_the_gray_of_the_rest_is_no_series_color_and_has_no_hue(name: ThemeName) -> None:
    assert chroma(THEMES[name].rest) < 12
    assert min(chroma(color) for color in THEMES[name].series) > 24
