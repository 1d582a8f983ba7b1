"""Each chart of a mail is drawn in both themes, as wide as its place (rules/digests#mail-programs)."""

from typing import Any

from tallyroom.dashboards.kind import Kind
from tallyroom.dashboards.kinds.metric.kind import METRIC
from tallyroom.dashboards.mail.contents import BigNumber, MailChart, MailContent, ThemedPicture, WidgetPart
from tallyroom.digests.pictures import AnsweredWidget, Illustrator, PictureSource
from tallyroom.images.charts.colors import ThemeName
from tallyroom.queries.config import Display, Result
from tallyroom.queries.metric_answers import Counter

SOURCE = PictureSource(METRIC, Counter(value=1, previous=None, delta=None), Display())
NUMBER, CHART = BigNumber("", "1", None), MailChart("words")


async def draw(
    kind: Kind[Any], result: Result, display: Display, *, timezone: str, theme: ThemeName, width: int
) -> bytes | None:
    return f"{theme} {width}".encode()


async def draw_nothing(*_answer: Any, **_settings: Any) -> bytes | None:
    return None


def widget(columns: int, *contents: MailContent, source: PictureSource | None = SOURCE) -> AnsweredWidget:
    return AnsweredWidget(WidgetPart("", contents, columns), source)


async def test_a_picture_is_as_wide_as_its_place() -> None:
    widgets = [widget(4, NUMBER), widget(8, CHART), widget(6, CHART), widget(6, NUMBER, CHART), widget(12, CHART)]
    parts, png_by_name = await Illustrator(draw).illustrate(widgets, "UTC")
    assert [png for name, png in png_by_name.items() if "dark" not in name] == [
        b"light 422",
        b"light 314",
        b"light 314",
        b"light 640",
    ]
    assert png_by_name["chart4dark"] == b"dark 640"
    assert parts[3].contents == [NUMBER, CHART._replace(picture=ThemedPicture("chart3", "chart3dark"))]
    assert parts[0] == widgets[0].part


async def test_a_widget_without_an_answer_or_a_picture_has_none() -> None:
    widgets = [widget(12, CHART, source=None)]
    assert await Illustrator(draw).illustrate(widgets, "UTC") == ([widgets[0].part], {})
    widgets = [widget(12, CHART)]
    assert await Illustrator(draw_nothing).illustrate(widgets, "UTC") == ([widgets[0].part], {})
