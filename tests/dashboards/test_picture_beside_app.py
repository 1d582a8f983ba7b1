"""The web app and the server's pictures show the same answer alike (rules/questions#in-the-app-and-in-pictures).

Random answers are drawn by both: the same colors, totals, axes and words.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from harness.builders.answers import funnel, series
from harness.builders.random_answers import RandomCard, random_card
from harness.oracles.app_content import parse_html, read_big_numbers, read_funnel_bars, read_rank_bars, read_time_chart
from harness.oracles.chart_differences import compare_numbers, compare_over_time, compare_rows, compare_steps
from harness.oracles.kinds import kind_with
from harness.oracles.picture_content import (
    count_value_labels,
    is_without_data,
    read_bars_picture,
    read_funnel_picture,
    read_numbers_picture,
    read_time_picture,
)
from harness.servers.app_code import AppCode
from tallyroom.dashboards.kinds.funnel.answer import Funnel
from tallyroom.dashboards.picture import build_picture_job
from tallyroom.images.charts.diagrams import draw_diagram
from tallyroom.images.charts.drawing import Drawing
from tallyroom.images.messages import PictureFormat
from tallyroom.queries.breakdown import LabelRow
from tallyroom.queries.config import Display, DisplayOptions
from tallyroom.queries.metric_answers import Categorical, Counter, Multiseries, Timeseries

WIDTH = 2_000  # of pictures: nothing is cut for want of room, except where many series share a legend
TIME_HEIGHT = 200  # at which the axis of a picture has no more labels than one in the app
SHORT, LONG = 60, 5_000


def draw_picture(card: RandomCard) -> Drawing:
    job = build_picture_job(
        kind_with(card.result),
        card.public_result,
        title="",
        timezone=card.timezone,
        display=card.display,
        format=PictureFormat.SVG,
        width=WIDTH,
        height=TIME_HEIGHT if isinstance(card.result, Timeseries | Multiseries) else None,
    )
    assert job is not None
    return draw_diagram(job.diagram)


def draw_in_app(card: RandomCard, app_code: AppCode, value_label_count: int = 4) -> Any:
    """Return the chart as the public sees it, with room for so many labels of values."""
    size = (900, 30 * value_label_count - 15)
    return parse_html(app_code.draw(card.public_widget, size=size, timezone=card.timezone))


def draw_for_member(card: RandomCard, app_code: AppCode) -> Any:
    """Return the chart of a metric as members see it, who have the saved colors in place of those of the answer."""
    display = {name: getattr(card.display, name) for name in DisplayOptions.__struct_fields__ if name != "colors"}
    config = {"event": "visit", "measure": "count", "display": display | {"colors": card.colors}}
    widget = card.public_widget | {"config": config, "result": card.result}
    return parse_html(app_code.draw(widget, size=(900, 200), timezone=card.timezone))


def compare(card: RandomCard, app_code: AppCode) -> list[str]:
    """Return what the app and the picture show differently."""
    return [*find_differences(draw_picture(card), card, app_code)]


def find_differences(drawing: Drawing, card: RandomCard, app_code: AppCode) -> Iterator[str]:
    shown = draw_in_app(card, app_code, count_value_labels(drawing))
    if is_without_data(drawing):
        if "No data" not in "".join(shown.itertext()):
            yield "the picture is without data"
        return
    match card.result:
        case Timeseries() | Multiseries():
            yield from compare_lines(card, drawing, shown, app_code)
        case Categorical():
            yield from compare_rows(read_bars_picture(drawing), read_rank_bars(shown))
        case _ if card.type == "funnel":
            yield from compare_steps(read_funnel_picture(drawing), read_funnel_bars(shown))
        case _:
            yield from compare_numbers(read_numbers_picture(drawing), read_big_numbers(shown))


def compare_lines(card: RandomCard, drawing: Drawing, shown: Any, app_code: AppCode) -> Iterator[str]:
    picture, chart = read_time_picture(drawing), read_time_chart(shown)
    yield from compare_over_time(card, picture, chart)
    if [text for _, text in picture.values] != [text for _, text in chart.values]:
        yield f"values: {picture.values} and {chart.values}"
    member_legend = read_time_chart(draw_for_member(card, app_code)).legend
    if isinstance(card.result, Multiseries) and member_legend != chart.legend:
        yield f"a member's legend: {member_legend} and {chart.legend}"


@pytest.mark.parametrize("number", range(SHORT))
def test_app_and_picture_show_the_same(number: int, app_code: AppCode) -> None:
    assert compare(random_card(number), app_code) == []


@pytest.mark.parametrize(
    ("result", "other_result"),
    [
        (series("Free", "Plus"), series("Free", "Studio")),
        (series("Free"), series("Free", count=60)),
        (Categorical(rows=[LabelRow("JFK", 3)]), Categorical(rows=[LabelRow("JFK", 4)])),
        (Counter(value=3, previous=2, delta=0.5), Counter(value=3, previous=4, delta=-0.25)),
        (funnel(9, 5), funnel(9, 5, waiting=[2])),
    ],
    ids=lambda result: result.__class__.__name__,
)
def test_a_difference_is_noticed(result: Any, other_result: Any, app_code: AppCode) -> None:
    type_: Any = "funnel" if isinstance(result, Funnel) else "metric"
    card = RandomCard(0, type_, result, Display(), "UTC", {})
    assert [*find_differences(draw_picture(card), card, app_code)] == []
    assert [*find_differences(draw_picture(card._replace(result=other_result)), card, app_code)] != []


@pytest.mark.long
def test_app_and_picture_show_the_same_at_length(app_code: AppCode) -> None:
    faults = {number: faults for number in range(LONG) if (faults := compare(random_card(number), app_code))}
    assert faults == {}
