"""The color of a value, which is the same wherever the value is drawn (fixtures/charts/value_colors.json).

The rule is in rules/pictures#color-of-a-value. The web app has the same function in charts/valueColors.ts.
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
    first_index = hash_value(value) % COLOR_COUNT
    candidates = [(first_index + step) % COLOR_COUNT + 1 for step in range(COLOR_COUNT)]
    return next((color for color in candidates if color not in taken_colors), candidates[0])


def hash_value(value: str) -> int:
    """Return the 32-bit FNV-1a hash of a text as UTF-8, with its upper half folded into the lower one."""
    hashed = _FNV_OFFSET
    for byte in value.encode():
        hashed = (hashed ^ byte) * _FNV_PRIME & _MASK_32
    return hashed ^ hashed >> 16
