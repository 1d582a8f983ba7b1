"""How dark a cell is: nine steps of one color, from little to much (fixtures/charts/shades.json)."""

from bisect import bisect_right

STEP_COUNT = 9

# Most shares are small, so the steps are smaller there.
_LOWER_SHARES = (0.05, 0.10, 0.17, 0.25, 0.40, 0.55, 0.70, 0.85)
_LAST_LIGHT_STEP = 5
_BLUR = 1e-12


def shade_step_of_share(share: float) -> int:
    """Return the step of a share of a whole, which means the same in every picture."""
    return 1 + bisect_right(_LOWER_SHARES, share)


def shade_step_of_count(count: float, highest_count: float) -> int:
    """Return the step of a count in relation to the highest one; only zero has the first step."""
    if count <= 0 or highest_count <= 0:
        return 1
    return 2 + min(int((STEP_COUNT - 1) * (count / highest_count) * (1 - _BLUR)), STEP_COUNT - 2)


def text_paint_on(step: int) -> str:
    """Return the paint of words on a step."""
    return "text" if step <= _LAST_LIGHT_STEP else "inverse"
