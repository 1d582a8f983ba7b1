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
VISIBLE = 3.0  # in hundredths of OKLab; the least difference that is noticed is about 2
CLEAR = 11.0

Matrix = tuple[tuple[float, ...], ...]


def multiply(matrix: Matrix, vector: list[float]) -> list[float]:
    return [sum(factor * part for factor, part in zip(row, vector, strict=True)) for row in matrix]


def oklab(color: str, sight: Matrix) -> list[float]:
    shares = [byte / 255 for byte in bytes.fromhex(color.removeprefix("#"))]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    seen = [min(max(share, 0.0), 1.0) for share in multiply(sight, linear)]
    to_cones = (
        (0.4122214708, 0.5363325363, 0.0514459929),
        (0.2119034982, 0.6806995451, 0.1073969566),
        (0.0883024619, 0.2817188376, 0.6299787005),
    )
    to_lab = (
        (0.2104542553, 0.7936177850, -0.0040720468),
        (1.9779984951, -2.4285922050, 0.4505937099),
        (0.0259040371, 0.7827717662, -0.8086757660),
    )
    return multiply(to_lab, [cone ** (1 / 3) for cone in multiply(to_cones, seen)])


def difference(color: str, other: str, sight: Matrix) -> float:
    return 100 * math.dist(oklab(color, sight), oklab(other, sight))


@pytest.mark.parametrize("name", list(THEMES))
def test_no_two_colors_look_alike(name: ThemeName) -> None:
    colors = [*THEMES[name].series, THEMES[name].rest]
    pairs = list(combinations(colors, 2))
    assert min(difference(*pair, NORMAL) for pair in pairs) > CLEAR
    for sight in BLINDNESSES.values():
        assert min(difference(*pair, sight) for pair in pairs) > VISIBLE


@pytest.mark.parametrize("name", list(THEMES))
def test_the_gray_of_the_rest_is_no_series_color_and_has_no_hue(name: ThemeName) -> None:
    _, first, second = oklab(THEMES[name].rest, NORMAL)
    assert math.hypot(first, second) < 0.03
    assert THEMES[name].rest not in THEMES[name].series
    for color in THEMES[name].series:
        _, first, second = oklab(color, NORMAL)
        assert math.hypot(first, second) > 0.08
