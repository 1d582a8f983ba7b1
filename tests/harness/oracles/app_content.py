"""What the web app's charts say, read from their HTML."""

import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from harness.oracles.chart_content import BarRow, LegendEntry, NumberContent, StepContent, TimeContent, heights_by_color

_STYLE = re.compile(r"([\w-]+):\s*([^;]+)")
_POINT = re.compile(r"[ML]\S+ ([-\d.]+)")
_COLOR = re.compile(r"var\(--(?:s(\d)|(rest))\)")


def parse_html(html: str) -> ET.Element:
    """Return the HTML of a component as a tree; React writes it as XML would be written."""
    return ET.fromstring(f"<div>{html}</div>")


def read_time_chart(chart: ET.Element) -> TimeContent:
    """Return what a chart over time says."""
    lines = [line for line in chart.iter("div") if line.get("data-line")]
    goal = chart.find(".//div[@data-kind='goal']/b")
    paths = [(_color_of(group), path) for group in chart.iter("g") for path in group.iter("path") if path.get("d")]
    return TimeContent(
        _read_legend(chart),
        0,
        [(1 - _share(line, "top"), _text(line)) for line in lines],
        [
            (_share(label, "left") if label.get("data-moment") == "middle" else None, _text(label))
            for label in chart.iter("span")
            if label.get("data-moment")
        ],
        {color for color, path in paths if not path.get("data-partial")},
        {color for color, path in paths if path.get("data-partial")}
        | {_color_of(ring) for ring in chart.iter("i") if ring.get("data-partial")},
        heights_by_color(_iterate_heights(chart)),
        any(word.text == "so far" and word.get("aria-hidden") for word in chart.iter("span")),
        any(mark.get("data-cut") for mark in chart.iter("svg")),
        None if goal is None else _text(goal),
    )


def _iterate_heights(chart: ET.Element) -> Iterator[tuple[str, float]]:
    """Yield the color and the height of each point of a line and of each ring."""
    plot = next(svg for svg in chart.iter("svg") if svg.get("preserveAspectRatio"))
    plot_height = float(plot.get("viewBox", "").split()[3])
    for group in plot.iter("g"):
        for line in group.iter("path"):
            if line.get("data-line"):
                for height in _POINT.findall(line.get("d", "")):
                    yield _color_of(group), 1 - float(height) / plot_height
    for ring in chart.iter("i"):
        if ring.get("data-partial"):
            yield _color_of(ring), 1 - _share(ring, "top")


def _read_legend(chart: ET.Element) -> list[LegendEntry]:
    legend = chart.find(".//ul[@aria-label='Legend']")
    entries = []
    for entry in [] if legend is None else legend:
        sample = next(part for part in entry.iter() if part.tag in {"i", "path"})
        name, number = entry.find(".//em"), entry.find(".//b")
        entries.append(LegendEntry(_text(name), _color_of(sample), "" if number is None else _text(number)))
    return entries


def read_rank_bars(chart: ET.Element) -> list[BarRow]:
    """Return the rows of a ranked list."""
    rows = []
    for row in chart.iter("li"):
        reach, number = row.find("span"), row.find("b")
        assert reach is not None
        bar, label = reach.find("i"), reach.find("span")
        start, length = (_share(bar, "left"), _share(bar, "width")) if bar is not None else (0.0, 0.0)
        rows.append(BarRow(_text(label), _text(number), start, start + length))
    return rows


def read_big_numbers(chart: ET.Element) -> list[NumberContent]:
    """Return the numbers of a card with one number or several."""
    return [_read_number(part) for part in chart.iter("div") if any(_is_big_number(child) for child in part)]


def _is_big_number(part: ET.Element) -> bool:
    return part.tag in {"div", "button"} and [child.tag for child in part] in (["span"], ["span", "small"])


def _read_number(part: ET.Element) -> NumberContent:
    """Return a number, which has its label above it, and its change and the number before below it."""
    children = list(part)
    position = next(index for index, child in enumerate(children) if _is_big_number(child))
    words = list(children[position + 1])
    delta = next((word for word in words if not _text(word).startswith("from ")), None)
    previous = next((_text(word).removeprefix("from ") for word in words if _text(word).startswith("from ")), "")
    goal = part.find(".//p")
    return NumberContent(
        _text(children[0]) if position else "",
        "\u2009".join(_text(child) for child in children[position]),
        "" if delta is None else _text(delta).replace("up ", "").replace("down ", ""),
        "" if delta is None else delta.get("data-tone", "").replace("neutral", ""),
        previous,
        "" if goal is None else _reorder_goal(_text(goal)),
    )


def _reorder_goal(text: str) -> str:
    """Return a goal as pictures have it: what its state means comes last."""
    state, numbers = text.split(": ")
    return numbers if state == "Goal" else f"{numbers}, {state.lower()}"


def read_funnel_bars(chart: ET.Element) -> list[StepContent]:
    """Return the steps of a funnel."""
    steps = []
    for step in chart.iter("li"):
        words, track, *drop = step
        label, count, rate = words
        _, reachable, reached = track
        outcome = " ".join(text for part in (drop[0] if drop else []) if (text := _text(part)))
        steps.append(
            StepContent(
                _text(label)[1:],
                _text(count),
                _text(rate),
                _share(reached, "width"),
                _share(reachable, "width"),
                outcome,
            )
        )
    return steps


def _share(element: ET.Element, name: str) -> float:
    """Return a percentage of an element's style as a share."""
    return float(dict(_STYLE.findall(element.get("style", ""))).get(name, "0").removesuffix("%")) / 100


def _color_of(element: ET.Element) -> str:
    match = _COLOR.search(element.get("style", ""))
    assert match, element.attrib
    return match[1] or match[2]


def _text(element: ET.Element | None) -> str:
    assert element is not None
    return "".join(element.itertext())
