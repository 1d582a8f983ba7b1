"""What the server's pictures say, read from their drawings."""

import re
from collections.abc import Iterator, Sequence

from harness.oracles.chart_content import BarRow, LegendEntry, NumberContent, StepContent, TimeContent, heights_by_color
from tallyroom.images.charts.axes import LABEL_SIZE
from tallyroom.images.charts.drawing import (
    Area,
    AxisLine,
    Box,
    Dot,
    Drawing,
    Layer,
    Mark,
    Ring,
    Shape,
    Stroke,
    Swatch,
    Text,
)

SO_FAR = "so far"
_WORDS_SIZE = 13.0  # of labels and changes, which no number has
_STEP_HEIGHT, _STEP_ABOVE = 62.0, 20.0  # of a step of a funnel, and the part of it above its bar
_POINT = re.compile(r"[ML]\S+ ([-\d.]+)")
_MORE = re.compile(r"\+(\d+) more\Z")


def is_without_data(drawing: Drawing) -> bool:
    """Return True if a picture has only the words that there is no data."""
    return drawing.description == "No data."


def read_time_picture(drawing: Drawing) -> TimeContent:
    """Return what a picture over time says."""
    marks = drawing.marks
    value_labels = _list_value_labels(drawing)
    first_label = marks.index(value_labels[0]) - 1  # after its line
    legend, unnamed_count = _read_legend(marks[:first_label])
    bottom, top = value_labels[0].y, value_labels[-1].y
    plot_marks = marks[first_label:]
    return TimeContent(
        legend,
        unnamed_count,
        [((bottom - mark.y) / (bottom - top), mark.text) for mark in value_labels],
        [(None, label.text) for label in _list_axis_labels(plot_marks, "middle")],
        {_color_of(mark.paint) for mark in plot_marks if _is_whole(mark)},
        {_color_of(mark.paint) for mark in plot_marks if isinstance(mark, Ring | Shape) and not _is_whole(mark)},
        heights_by_color(_iterate_heights(plot_marks, *_plot_bounds(value_labels))),
        any(isinstance(mark, Text) and mark.text == SO_FAR for mark in plot_marks),
        any(isinstance(mark, AxisLine) and mark.x1 != mark.x2 and mark.y1 != mark.y2 for mark in plot_marks),
        next((mark.text for mark in plot_marks if isinstance(mark, Text) and mark.text.startswith("Goal ")), None),
    )


def count_value_labels(drawing: Drawing) -> int:
    """Return how many labels of values a picture has room for (images/charts/axes.py); 0 without a plot."""
    value_labels = _list_value_labels(drawing)
    if not value_labels:
        return 0
    return min(max(int((value_labels[0].y - value_labels[-1].y) / 24) + 1, 2), 7)


def _list_value_labels(drawing: Drawing) -> list[Text]:
    return [label for label in _list_axis_labels(drawing.marks, "end") if label.text != SO_FAR]


def _list_axis_labels(marks: Sequence[Mark], anchor: str) -> list[Text]:
    texts = [mark for mark in marks if isinstance(mark, Text)]
    return [text for text in texts if (text.anchor, text.size, text.paint) == (anchor, LABEL_SIZE, "muted")]


def _plot_bounds(value_labels: Sequence[Text]) -> tuple[float, float]:
    """Return the bottom and the top of a plot in pixels: labels are a little below their values."""
    offset = LABEL_SIZE * 0.35
    return value_labels[0].y - offset, value_labels[-1].y - offset


def _iterate_heights(marks: Sequence[Mark], bottom: float, top: float) -> Iterator[tuple[str, float]]:
    """Yield the color and the height of each point of a line and of each ring."""
    for mark in marks:
        match mark:
            case Stroke(is_faint=False, path=path, paint=paint):
                for y in _POINT.findall(path):
                    yield _color_of(paint), (bottom - float(y)) / (bottom - top)
            case Dot(y=y, paint=paint) | Ring(y=y, paint=paint):
                yield _color_of(paint), (bottom - y) / (bottom - top)


def _is_whole(mark: Mark) -> bool:
    return isinstance(mark, Stroke | Area | Layer | Dot | Shape) and not (isinstance(mark, Shape) and mark.is_faint)


def _color_of(paint: str) -> str:
    key = paint[1:]
    return key if key == "rest" else str(int(key) % 8 + 1)


def _read_legend(marks: Sequence[Mark]) -> tuple[list[LegendEntry], int]:
    entries: list[LegendEntry] = []
    for index, mark in enumerate(marks):
        if not isinstance(mark, Swatch | Stroke):
            continue
        name, *rest = marks[index + 1 : index + 3]
        number = next((text.text for text in rest if isinstance(text, Text) and text.bold), "")
        assert isinstance(name, Text)
        entries.append(LegendEntry(name.text, _color_of(mark.paint), number))
    more = _MORE.match(marks[-1].text) if entries and isinstance(marks[-1], Text) and not marks[-1].bold else None
    is_name = more is not None and isinstance(marks[-2], Swatch | Stroke)
    return entries, int(more[1]) if more and not is_name else 0


def read_bars_picture(drawing: Drawing) -> list[BarRow]:
    """Return the rows of a ranked list, with their bars in pixels."""
    labels_numbers_bars: list[tuple[str, str, Box | None]] = []
    label, bar = "", None
    for mark in drawing.marks:
        match mark:
            case Box():
                bar = mark
            case Text(tabular=True):
                labels_numbers_bars.append((label, mark.text, bar))
                bar = None
            case Text():
                label = mark.text
    return [
        BarRow(label, number, *((0.0, 0.0) if bar is None else (bar.x, bar.x + bar.width)))
        for label, number, bar in labels_numbers_bars
    ]


def read_numbers_picture(drawing: Drawing) -> list[NumberContent]:
    """Return the numbers; those next to each other have labels, a lone one has none and may have a goal."""
    contents: list[NumberContent] = []
    label = ""
    for mark in drawing.marks:
        match mark:
            case Text(bold=True, size=size) if size != _WORDS_SIZE:
                contents.append(NumberContent(label, mark.text, "", "", "", ""))
                label = ""
            case Text(bold=True):
                mood = mark.paint if mark.paint in {"better", "worse"} else ""
                contents[-1] = contents[-1]._replace(change=mark.text, mood=mood)
            case Text() if mark.text.startswith("from "):
                contents[-1] = contents[-1]._replace(previous=mark.text.removeprefix("from "))
            case Text() if " of " in mark.text and contents and not contents[-1].label:
                contents[-1] = contents[-1]._replace(goal=mark.text)
            case Text():
                label = mark.text
    return contents


def read_funnel_picture(drawing: Drawing) -> list[StepContent]:
    """Return the steps of a funnel, and the shares of the track that their bars take."""
    tracks = [mark for mark in drawing.marks if isinstance(mark, Box) and mark.paint == "track"]
    texts = [mark for mark in drawing.marks if isinstance(mark, Text)]
    steps = []
    for track in tracks:
        bars = {mark.paint: mark for mark in drawing.marks if isinstance(mark, Box) and mark.y == track.y}
        reached = bars["p0"].width / track.width if "p0" in bars else 0.0
        reachable = bars["bar"].width / track.width if "bar" in bars else reached
        _, label, count, rate, *rest = (text for text in texts if 0 < text.y - track.y + _STEP_ABOVE < _STEP_HEIGHT)
        steps.append(StepContent(label.text, count.text, rate.text, reached, reachable, rest[0].text if rest else ""))
    return steps
