"""The colors of bots that are drawn together, of which no two are alike (rules/statistics#race-colors).

The web app has the same function in core/raceColors.ts; fixtures/bots/race_colors.json holds both.
"""

from collections.abc import Collection, Iterable, Mapping

from tallyroom.core.value_colors import choose_own_color, list_colors_from

_ALIKE_COLORS = ({1, 6}, {1, 8}, {6, 8}, {2, 5}, {3, 6}, {4, 8})  # hardly told apart: blues, browns, violets, greens


def assign_race_colors(bot_ids: Iterable[str], kept_colors: Mapping[str, int]) -> dict[str, int]:
    """Return the color of each bot, 1 to 8; `kept_colors` are those that bots already have."""
    distinct_ids = sorted(set(bot_ids))
    colors = {bot_id: kept_colors[bot_id] for bot_id in distinct_ids if bot_id in kept_colors}
    for bot_id in distinct_ids:
        own_color = choose_own_color(bot_id)
        if bot_id not in colors and _is_clear(own_color, colors.values()):
            colors[bot_id] = own_color
    for bot_id in distinct_ids:
        if bot_id not in colors:
            colors[bot_id] = _replace_color(choose_own_color(bot_id), colors.values())
    return colors


def _replace_color(own_color: int, taken_colors: Collection[int]) -> int:
    candidates = list_colors_from(own_color)
    clear_colors = [color for color in candidates if _is_clear(color, taken_colors)]
    free_colors = [color for color in candidates if color not in taken_colors]
    return next(iter(clear_colors + free_colors), own_color)


def _is_clear(color: int, other_colors: Collection[int]) -> bool:
    return all(color != other and {color, other} not in _ALIKE_COLORS for other in other_colors)
