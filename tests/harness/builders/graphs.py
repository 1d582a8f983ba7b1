"""Graphs that pictures are compared by: what people send, and what nobody should."""

import math
from random import Random
from typing import Any

from tallyroom.images.charts.colors import Color
from tallyroom.images.charts.graph import Graph, GraphPoint, Series, sort_points

T0 = 1_763_000_000
HOUR, DAY = 3_600, 86_400


def walk(seed: int, count: int, start: float, step: float, every: int = DAY, since: float = T0) -> list[GraphPoint]:
    """Values that wander upwards a little."""
    chance, value, points = Random(seed), start, []
    for at in range(count):
        value += chance.uniform(-step, step * 1.2)
        points.append((since + at * every, round(value, 6)))
    return points


def wave(count: int, size: float, every: int = 30 * DAY) -> list[GraphPoint]:
    """Values around zero."""
    return [(T0 + at * every, math.sin(at / 3) * size) for at in range(count)]


_SMALL: dict[str, Any] = {"width": 480, "height": 240}

CASES: dict[str, Graph] = {
    "one": Graph("Servers of Umbrella", [Series("Umbrella", walk(1, 90, 12_000, 150))]),
    "three": Graph(
        "Monthly votes",
        [
            Series("Teapot", walk(2, 100, 400, 30, HOUR)),
            Series("Timetable", walk(3, 100, 300, 20, HOUR)),
            Series("Umbrella", walk(4, 100, 80, 20, HOUR)),
        ],
    ),
    "three-dark": Graph(
        "Monthly votes",
        [Series("Teapot", walk(2, 100, 400, 30, HOUR)), Series("Timetable", walk(3, 100, 300, 20, HOUR))],
        theme="dark",
    ),
    "auto": Graph("As the viewer likes it", [Series("a", walk(5, 30, 10, 2))], theme="auto", **_SMALL),
    "ten": Graph("Ten lines", [Series(f"Series {at}", walk(at, 300, 1000 * at, 60, 600)) for at in range(10)]),
    "crowd": Graph(
        "More names than room",
        [Series(f"A rather long name, number {at}", walk(at, 20, 10 * at, 3)) for at in range(24)],
        **_SMALL,
    ),
    "point": Graph("One point", [Series("a", [(T0, 42)])], **_SMALL),
    "flat": Graph("Nothing changes", [Series("a", [(T0 + 60 * at, 42) for at in range(30)])], **_SMALL),
    "zero": Graph("Nothing at all", [Series("a", [(T0 + 60 * at, 0) for at in range(30)])], **_SMALL),
    "negative": Graph("Around zero", [Series("a", wave(40, 120))], **_SMALL),
    "below": Graph("Below zero", [Series("a", [(T0 + DAY * at, -500 - 7 * at) for at in range(20)])], **_SMALL),
    "tiny": Graph("Tiny", [Series("a", wave(40, 1e-7))], **_SMALL),
    "huge": Graph("Huge", [Series("a", wave(40, 1.7e308))], **_SMALL),
    "gap": Graph("Silence", [Series("a", walk(6, 20, 100, 9) + walk(7, 20, 160, 9, since=T0 + 60 * DAY))], **_SMALL),
    "gap-first": Graph(
        "Silence at first", [Series("a", walk(6, 40, 100, 9))], time_range=(T0 - 20 * DAY, T0 + 39 * DAY), **_SMALL
    ),
    "gap-told": Graph(
        "Silence where it is told to be",
        [
            Series(
                "a",
                walk(6, 3, 100, 9) + walk(7, 30, 160, 9, since=T0 + 6 * DAY),
                moments_after_gaps=frozenset([T0 + 6 * DAY]),
            )
        ],
        **_SMALL,
    ),
    "ended": Graph(
        "Ended long ago",
        [Series("a", walk(6, 40, 100, 9), moments_after_gaps=frozenset())],
        time_range=(T0 - 5 * DAY, T0 + 80 * DAY),
        **_SMALL,
    ),
    "one-ended": Graph(
        "One of two ended", [Series("a", walk(4, 60, 120, 9)), Series("b", walk(5, 25, 150, 9))], **_SMALL
    ),
    "points": Graph("A point each", [Series(f"n{at}", [(T0 + at % 3 * DAY, 10 + at)]) for at in range(11)], **_SMALL),
    "magnified": Graph("Magnified", [Series("a", walk(4, 60, 12_000, 20))], **_SMALL),
    "magnified-below": Graph("Below", [Series("a", [(at, -value) for at, value in walk(4, 60, 12_000, 20)])], **_SMALL),
    "precise": Graph(
        "Thousandths", [Series("a", [(T0 + HOUR * at, 1000.001 + at % 3 / 1000) for at in range(30)])], **_SMALL
    ),
    "precise-huge": Graph("Of 1e15", [Series("a", [(T0 + HOUR * at, 1e15 + at % 8) for at in range(30)])], **_SMALL),
    "precise-narrow": Graph(
        "Of 1e15", [Series("a", [(T0 + HOUR * at, 1e15 + at % 8) for at in range(30)])], width=200, height=130
    ),
    "unordered": Graph(
        "Any order", [Series("a", sort_points([(T0 + DAY * (at * 7 % 30), at) for at in range(45)]))], **_SMALL
    ),
    "none": Graph("No data yet", [], **_SMALL),
    "spark": Graph("Not shown", [Series("a", walk(8, 40, 100, 9))], width=160, height=48),
    "small-dark": Graph(
        "Servers",
        [Series("A", walk(9, 30, 1200, 9)), Series("B", walk(10, 30, 1250, 9))],
        theme="dark",
        width=360,
        height=200,
    ),
    "years": Graph("Five years", [Series("a", walk(11, 1826, 100, 30))]),
    "seconds": Graph("Half a minute", [Series("a", walk(12, 31, 5, 1, 1))], **_SMALL),
    "numbers": Graph("No times", [Series("a", [(1e18 + at * 1e17, at * at) for at in range(20)])], **_SMALL),
    "colors": Graph(
        "Own colors",
        [
            Series("red", walk(13, 30, 10, 2), Color("#e11d48")),
            Series("half", walk(14, 30, 14, 2), Color("#0ea5e9", 0.5)),
        ],
        background=Color("#000000", 0.0),
        fill=True,
        **_SMALL,
    ),
    "emoji": Graph(
        "🚀 Launches 🎉 of a bot ❤️",
        [
            Series("🇩🇪 Germany", walk(1, 30, 50, 4)),
            Series("👩🏽‍💻 devs 1️⃣", walk(2, 30, 60, 4)),
            Series("😀😀😀", walk(3, 30, 70, 4)),
            Series("👩‍👩‍👧 ☕️ © ©️", walk(5, 30, 80, 4)),
        ],
        **_SMALL,
    ),
    "words": Graph(
        'Übersicht <b> & "Жук" Ωμέγα 日本 😀', [Series("<script>alert(1)</script>", walk(15, 9, 3, 1))], **_SMALL
    ),
}
