"""A race as a graph: its lines, their ends in words, and the crossings (rules/pictures#race)."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import structs

from tallyroom.bots.pictures.race_reader import PublishedRace
from tallyroom.bots.pictures.service import METRIC_TITLES
from tallyroom.bots.race import Line, RaceView, align_points, compute_gap, compute_growth, find_crossings
from tallyroom.bots.race_colors import assign_race_colors
from tallyroom.core.times import HOUR_MS, datetime_from_ms
from tallyroom.images.charts.graph import Flag, Graph, LineEnd, Series
from tallyroom.images.charts.number_form import format_exact
from tallyroom.images.charts.signed_numbers import Sign, format_signed
from tallyroom.images.request import ColorChoice, build_graph, parse_color_choices
from tallyroom.images.schemas import GraphRequest

_MAX_BUCKETS_WITH_HOURS = 72  # with more, the hour of a date does not matter


class _View(NamedTuple):
    lines: Sequence[Line]
    sign: Sign
    subtitle: str


def build_race_graph(race: PublishedRace, view_name: RaceView, parameters: GraphRequest) -> Graph:
    """Return the graph of a race in the look of a request; raise `ValidationFailed` as `build_graph` does."""
    names = list(race.name_by_id.values())
    times_ms, value_lines = align_points(race.points_by_id)
    view = _view_lines(view_name, times_ms, value_lines, race)
    parameters.name = parameters.name or METRIC_TITLES[race.metric] + view.subtitle
    return structs.replace(
        build_graph(parameters, "color"),
        series=[
            _build_series(name, times_ms, line, values, color, view.sign)
            for name, line, values, color in zip(
                names, view.lines, value_lines, _choose_colors(list(race.name_by_id), parameters.colors), strict=True
            )
            if any(value is not None for value in line)
        ],
        time_range=_find_time_range(race, times_ms),
        sign=view.sign,
        flags=[
            Flag(
                times_ms[crossing.bucket] / 1000,
                f"{names[crossing.passer]} passes {names[crossing.passed]}, {_write_day(times_ms[crossing.bucket])}",
            )
            for crossing in find_crossings(value_lines)
        ],
    )


def _view_lines(
    view_name: RaceView, times_ms: Sequence[int], value_lines: Sequence[Line], race: PublishedRace
) -> _View:
    if view_name == "growth":
        growth = compute_growth(value_lines)
        since = "" if growth.base_index is None else f" since {_write_moment(times_ms[growth.base_index], race)}"
        return _View(growth.lines, "percent", f", growth{since}")
    if view_name == "gap":
        gap = compute_gap(value_lines)
        leader = "" if gap.leader_index is None else f" to {list(race.name_by_id.values())[gap.leader_index]}"
        return _View(gap.lines, "difference", f", gap{leader}")
    return _View(value_lines, "none", "")


def _build_series(
    name: str, times_ms: Sequence[int], line: Line, values: Line, color: ColorChoice, sign: Sign
) -> Series:
    points = [(time_ms / 1000, value) for time_ms, value in zip(times_ms, line, strict=True) if value is not None]
    last_value = next(value for value in reversed(values) if value is not None)
    detail = "" if sign == "none" else format_exact(last_value)
    return Series(
        name,
        points,
        color.color,
        frozenset(),
        palette_key=color.palette_key,
        end=LineEnd(format_signed(points[-1][1], sign), detail),
    )


def _choose_colors(bot_ids: Sequence[str], color_texts: Sequence[str]) -> list[ColorChoice]:
    """Return the requested colors in the order of the bots; the other bots have those of the race."""
    color_by_id = assign_race_colors(bot_ids, {})
    race_colors = [ColorChoice(palette_key=str(color_by_id[bot_id] - 1)) for bot_id in bot_ids]
    requested_colors = parse_color_choices(color_texts, "color")[: len(bot_ids)]
    return [*requested_colors, *race_colors[len(requested_colors) :]]


def _find_time_range(race: PublishedRace, times_ms: Sequence[int]) -> tuple[float, float] | None:
    if not times_ms:
        return None
    start_ms = times_ms[0] if race.grid.bucket_count is None else race.grid.first_bucket_ms
    return min(start_ms, times_ms[0]) / 1000, times_ms[-1] / 1000


def _write_moment(time_ms: int, race: PublishedRace) -> str:
    """Return the day of a moment with its year; in a graph of a few hours, also its time."""
    moment = datetime_from_ms(time_ms)
    date = f"{_write_day(time_ms)} {moment.year}"
    is_short = race.grid.step_ms == HOUR_MS and (race.grid.bucket_count or 0) <= _MAX_BUCKETS_WITH_HOURS
    return f"{date}, {moment:%H:%M}" if is_short else date


def _write_day(time_ms: int) -> str:
    moment = datetime_from_ms(time_ms)
    return f"{moment.day} {moment:%b}"
