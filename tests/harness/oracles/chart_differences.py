"""How a picture may differ from a chart of the app that shows the same answer: not at all, or only where rules say so.

The rule is rules/questions#in-the-app-and-in-pictures.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from math import isclose
from zoneinfo import ZoneInfo

from harness.builders.random_answers import RandomCard
from harness.oracles.chart_content import BarRow, LegendEntry, NumberContent, StepContent, TimeContent
from tallyroom.images.charts.time_ticks import build_zoned_ticks, format_moment
from tallyroom.queries.buckets import TimePoint
from tallyroom.queries.metric_answers import Multiseries, Timeseries

MANY_SERIES = 9  # so many may leave no room for totals
MAX_ROWS = 10  # of a ranked list in a picture


def compare_over_time(card: RandomCard, picture: TimeContent, shown: TimeContent) -> Iterator[str]:
    """Yield the differences of charts over time, and the faults of their axes."""
    legend = shown.legend if isinstance(card.result, Multiseries) else []
    if len(picture.legend) + picture.unnamed_count != len(legend):
        yield f"legend has {len(picture.legend)} + {picture.unnamed_count} entries, and {len(legend)} in the app"
    has_room = any(entry.number for entry in picture.legend) or len(legend) < MANY_SERIES
    for drawn_entry, entry in zip(picture.legend, legend, strict=False):
        if not is_same_entry(drawn_entry, entry if has_room else entry._replace(number="")):
            yield f"legend: {drawn_entry} and {entry}"
    for name in ("colors", "partial_colors", "is_cut", "goal"):
        if getattr(picture, name) != getattr(shown, name):
            yield f"{name}: {getattr(picture, name)} and {getattr(shown, name)}"
    yield from compare_heights(picture, shown)
    for side, content in (("picture", picture), ("app", shown)):
        yield from (f"{side}: {fault}" for fault in list_axis_faults(card, content))


def compare_heights(picture: TimeContent, shown: TimeContent) -> Iterator[str]:
    """Yield the colors whose points are not at the same values; the axes may be different."""
    for color in picture.heights | shown.heights:
        drawn_values, values = (to_values(content, color) for content in (picture, shown))
        span = max(spread(picture), spread(shown))
        for value in drawn_values:
            if not any(isclose(value, other, abs_tol=span / 100) for other in values):
                yield f"color {color}: {value} is only in the picture, not in {values}"
        for value in values:
            if not any(isclose(value, other, abs_tol=span / 100) for other in drawn_values):
                yield f"color {color}: {value} is only in the app, not in {drawn_values}"


def to_values(content: TimeContent, color: str) -> list[float]:
    lowest = parse_number(content.values[0][1])
    return [lowest + height * spread(content) for height in content.heights.get(color, [])]


def spread(content: TimeContent) -> float:
    """Return how far the axis of values reaches."""
    return parse_number(content.values[-1][1]) - parse_number(content.values[0][1])


def is_same_entry(drawn_entry: LegendEntry, entry: LegendEntry) -> bool:
    return (
        is_cut_from(drawn_entry.name, entry.name)
        and drawn_entry.color == entry.color
        and drawn_entry.number == entry.number
    )


def is_cut_from(text: str, whole_text: str) -> bool:
    return text == whole_text or (text.endswith("…") and whole_text.startswith(text[:-1]))


def list_axis_faults(card: RandomCard, content: TimeContent) -> Iterator[str]:
    """Yield what is wrong with the axes of a chart, whoever drew it."""
    values = [(place, parse_number(text)) for place, text in content.values]
    if any(later <= earlier for (_, earlier), (_, later) in pairwise(values)):
        yield f"values do not rise: {content.values}"
    lowest, highest = values[0][1], values[-1][1]
    for place, value in values:
        if not isclose(value, lowest + place * (highest - lowest), abs_tol=(highest - lowest) / 100):
            yield f"{value} is not at its place: {content.values}"
    if (card.display.chart in {"bar", "area"} or card.display.axis == "zero") and not lowest <= 0 <= highest:
        yield f"no zero: {content.values}"
    least, greatest = find_value_range(card)
    invisible = (highest - lowest) * 1e-6
    if not lowest - invisible <= least <= greatest <= highest + invisible:
        yield f"values from {least} to {greatest} are outside: {content.values}"
    if content.is_so_far and not has_current_bucket(card):
        yield "so far, but every bucket is over"
    texts = [text for _, text in content.moments]
    if texts not in list_moment_labels(card):
        yield f"moments: {texts}"


def parse_number(text: str) -> float:
    match = re.fullmatch(r"(−?)([\d,]+(?:\.\d+)?)(?:e(−?\d+))?([kMBT]?)", text)
    assert match, text
    sign, digits, exponent, unit = match.groups()
    power = int((exponent or "0").replace("−", "-")) + {"": 0, "k": 3, "M": 6, "B": 9, "T": 12}[unit]
    return float(f"{'-' if sign else ''}{digits.replace(',', '')}e{power}")


def list_points(card: RandomCard) -> list[list[TimePoint]]:
    """Return the points of each series; all of them are at the same moments."""
    match card.result:
        case Timeseries(points=points):
            return [points]
        case Multiseries(series=series):
            return [part.points for part in series]
    return []


def find_value_range(card: RandomCard) -> tuple[float, float]:
    """Return the least and the greatest end of a mark: of stacked series, of their sums up and down."""
    lines = [[point.value for point in points] for points in list_points(card)]
    is_stacked = card.display.chart == "bar" or (
        card.display.chart == "area" and card.display.stack is not False and len(lines) > 1
    )
    buckets = [[value for value in values if value is not None] for values in zip(*lines, strict=True)]
    ends = [
        sum(value for value in values if (value >= 0) == is_up) if is_stacked else value
        for values in buckets
        for is_up in (True, False)
        for value in (values if not is_stacked else [0.0])
    ]
    goals = [] if card.display.goal is None else [card.display.goal]
    return min([*ends, *goals]), max([*ends, *goals])


def has_current_bucket(card: RandomCard) -> bool:
    points = list_points(card)[0]
    return any(point.partial is True and (index or len(points) == 1) for index, point in enumerate(points))


def list_moment_labels(card: RandomCard) -> list[list[str]]:
    """Return the labels that an axis may have, with more room or less (fixtures/charts/moments.json)."""
    seconds = [datetime.fromisoformat(point.t).timestamp() for point in list_points(card)[0]]
    first, last, zone = seconds[0], seconds[-1], ZoneInfo(card.timezone)
    if first == last:
        first, last = first - 1_800, last + 1_800
    choices = [[format_moment(seconds[0], zone).removesuffix(" UTC")]]
    for count in range(1, 13):
        ticks = build_zoned_ticks(first, last, count, zone)
        choices.append([tick.label for tick in ticks])
        if len(ticks) > 2:  # as images/charts/axes.py
            middle = (ticks[0].position + ticks[1].position) / 2
            choices.append([tick.label for tick in build_zoned_ticks(middle, last, len(ticks) - 1, zone)])
    return choices


def compare_rows(picture: Sequence[BarRow], shown: Sequence[BarRow]) -> Iterator[str]:
    """Yield the differences of ranked lists."""
    for drawn_row, row in zip(spread_bars(picture), spread_bars(shown[:MAX_ROWS]), strict=False):
        is_same = is_cut_from(drawn_row.label, row.label) and drawn_row.number == row.number
        if not is_same or any(
            not isclose(one, other, abs_tol=0.01)
            for one, other in ((drawn_row.start, row.start), (drawn_row.end, row.end))
        ):
            yield f"row: {drawn_row} and {row}"
    if len(picture) != min(len(shown), MAX_ROWS):
        yield f"{len(picture)} rows of {len(shown)}"


def spread_bars(rows: Sequence[BarRow]) -> list[BarRow]:
    """Return rows whose bars, where they have any, span the room from 0 to 1: the picture has no more than ten of them."""
    ends = [end for row in rows for end in (row.start, row.end) if row.start < row.end]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    return [
        row._replace(start=(row.start - low) / (high - low), end=(row.end - low) / (high - low))
        if row.start < row.end
        else row
        for row in rows
    ]


def compare_numbers(picture: Sequence[NumberContent], shown: Sequence[NumberContent]) -> Iterator[str]:
    """Yield the differences of numbers next to each other, or of a lone one."""
    for drawn_number, number in zip(picture, shown, strict=True):
        label = drawn_number.label if is_cut_from(drawn_number.label, number.label) else number.label
        if drawn_number != number._replace(label=label):
            yield f"number: {drawn_number} and {number}"


def compare_steps(picture: Sequence[StepContent], shown: Sequence[StepContent]) -> Iterator[str]:
    """Yield the differences of funnels."""
    for drawn_step, step in zip(picture, shown, strict=True):
        words = [(part.label, part.number, part.share, part.outcome) for part in (drawn_step, step)]
        lengths = [(part.reached, part.reachable) for part in (drawn_step, step)]
        if words[0] != words[1] or any(
            not isclose(one, other, abs_tol=0.005) for one, other in zip(*lengths, strict=True)
        ):
            yield f"step: {drawn_step} and {step}"
