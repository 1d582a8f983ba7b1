"""Words beside the ends of lines and above marked moments: all inside, none on another (rules/pictures#race)."""

from random import Random
from typing import Any

import pytest

from harness.builders.diagrams import Place, places
from harness.builders.graphs import DAY, T0, walk
from tallyroom.images.charts.drawing import Drawing, Swatch, Text
from tallyroom.images.charts.graph import Flag, Graph, LineEnd, Series
from tallyroom.images.charts.layout import draw_graph

NAMES = ["Encore", "Quill", "A rather long name that nobody can read in full", "Жук", "Tamber", "W" * 100]


def race(count: int = 3, flags: int = 1, **more: Any) -> Graph:
    chance = Random(count)
    series = [
        Series(
            NAMES[at % len(NAMES)],
            walk(at, 90, 1000, 30),
            palette_key=str(at % 8),
            moments_after_gaps=frozenset(),
            end=LineEnd(f"+{chance.uniform(0, 900):.1f}\u2009%", f"{chance.randrange(10**7):,}"),
        )
        for at in range(count)
    ]
    marked = [Flag(T0 + chance.randrange(90) * DAY, f"Encore passes Quill, {at} Nov") for at in range(flags)]
    return Graph("Monthly votes", series, sign="percent", flags=marked, **more)


def texts(drawing: Drawing) -> list[Text]:
    return [mark for mark in drawing.marks if isinstance(mark, Text)]


@pytest.mark.parametrize("count", [1, 2, 3, 6, 10])
@pytest.mark.parametrize("flags", [0, 1, 5, 40])
@pytest.mark.parametrize(
    ("width", "height"), [(1000, 400), (480, 200), (479, 240), (2000, 1000), (600, 120), (200, 120)]
)
def test_every_text_is_inside_and_touches_no_other(count: int, flags: int, width: int, height: int) -> None:
    drawing = draw_graph(race(count, flags, width=width, height=height))
    found: list[Place] = []
    for place in places(drawing):
        if place.text:
            assert -0.5 <= place.left <= place.right <= width + 0.5, place
            assert -0.5 <= place.top <= place.bottom <= height + 0.5, place
            assert not any(place.touches(other) for other in found), (place, found)
            found.append(place)


def test_names_and_values_stand_at_the_heights_of_their_ends_and_there_is_no_legend() -> None:
    flat = [
        Series(name, [(T0, value), (T0 + DAY, value)], end=LineEnd(f"+{value}", f"{value}00"))
        for name, value in (("Low", 0), ("High", 100))
    ]
    drawing = draw_graph(Graph("", flat, sign="difference"))
    assert not any(isinstance(mark, Swatch) for mark in drawing.marks)
    shown = {text.text: text for text in texts(drawing)}
    assert {"Low +0", "000", "High +100", "10000"} <= set(shown)
    assert shown["High +100"].bold
    assert shown["High +100"].y < shown["10000"].y < shown["Low +0"].y < shown["000"].y
    assert shown["High +100"].x > 800
    assert {"+100", "0"} <= set(shown), "the axis has signs"


def test_a_small_picture_has_a_legend_with_the_same_values() -> None:
    drawing = draw_graph(race(2, width=400))
    assert sum(isinstance(mark, Swatch) for mark in drawing.marks) == 2
    assert any(text.text.startswith("+") and text.bold for text in texts(drawing))


def test_many_lines_have_no_room_for_a_second_value() -> None:
    bold = [text for text in texts(draw_graph(race(10, height=300))) if text.bold and "%" in text.text]
    assert len(bold) == 10
    assert not any(text.text.replace(",", "").isdigit() for text in texts(draw_graph(race(10, height=300))))


def test_a_flag_whose_words_have_no_room_beside_a_later_one_is_left_out() -> None:
    flags = [Flag(T0 + 80 * DAY, "later"), Flag(T0 + 79 * DAY, "earlier and too near to it")]
    graph = Graph("", [Series("a", walk(1, 90, 10, 1), end=LineEnd("1"))], flags=flags)
    shown = [text.text for text in texts(draw_graph(graph))]
    assert "later" in shown
    assert "earlier and too near to it" not in shown


def test_the_description_says_the_ends_and_the_flags() -> None:
    drawing = draw_graph(race(1))
    assert drawing.description.endswith("Encore passes Quill, 0 Nov.")
    assert "Encore ends at +" in drawing.description
