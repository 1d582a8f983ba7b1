"""The color of a value, which is the same wherever the value is drawn (fixtures/charts/value_colors.json).

The rule is in rules/pictures#color-of-a-value. The web app has the same function in core/valueColors.ts.
"""

from collections.abc import Iterable, Mapping

COLOR_COUNT = 8

_FNV_OFFSET, _FNV_PRIME = 0x811C9DC5, 0x01000193
_MASK_32 = 0xFFFFFFFF


def assign_colors(values: Iterable[str], chosen_colors: Mapping[str, int]) -> dict[str, int]:
    """Return the color of each value, 1 to 8; `chosen_colors` may also have other values."""
    distinct_values = sorted(set(values))  # Python sorts texts by code points
    colors = {value: chosen_colors[value] for value in distinct_values if value in chosen_colors}
    for value in distinct_values:
        if value not in colors:
            colors[value] = _choose_free_color(value, set(colors.values()))
    return colors


def _choose_free_color(value: str, taken_colors: set[int]) -> int:
    own_color = choose_own_color(value)
    return next((color for color in list_colors_from(own_color) if color not in taken_colors), own_color)


def choose_own_color(value: str) -> int:
    """Return the color that a value has where nothing else takes it."""
    return hash_value(value) % COLOR_COUNT + 1


def list_colors_from(first_color: int) -> list[int]:
    """Return all colors, beginning with one; after the last comes the first."""
    return [(first_color - 1 + step) % COLOR_COUNT + 1 for step in range(COLOR_COUNT)]


def hash_value(value: str) -> int:
    """Return the 32-bit FNV-1a hash of a text as UTF-8, with its upper half folded into the lower one."""
    hashed = _FNV_OFFSET
    for byte in value.encode():
        hashed = (hashed ^ byte) * _FNV_PRIME & _MASK_32
    return hashed ^ hashed >> 16
