"""The mail of a board with every kind of widget, with its pictures, and without a server."""

from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

import msgspec

from harness.builders.answers import RESULTS, folded, funnel, heatmap, points, retention, week
from harness.builders.digest_mails import HEAD
from tallyroom.dashboards.answer_pictures import AnswerDrawer
from tallyroom.dashboards.kinds.kpi.question import Kpi, KpiNumber
from tallyroom.dashboards.kinds.note.question import Note
from tallyroom.dashboards.kinds.table.question import Table, TableRow
from tallyroom.dashboards.widgets.configs import find_kind, read_stored_config
from tallyroom.digests.mail.message import RenderedDigest
from tallyroom.digests.mail.parts import build_mail_widget, build_part
from tallyroom.digests.mail.subject import build_subject
from tallyroom.digests.pictures import AnsweredWidget, Illustrator, PictureSource
from tallyroom.images.charts.raster import ResvgRasterizer
from tallyroom.images.messages import Job, Picture
from tallyroom.images.renderer import Renderer
from tallyroom.images.worker import draw_picture
from tallyroom.queries.breakdown import LabelRow
from tallyroom.queries.config import Result
from tallyroom.queries.metric_answers import Categorical, Counter, Timeseries

T = TypeVar("T")
COUNT = {"event": "play", "measure": "count"}
CITIES = [LabelRow(city, value) for city, value in (("Berlin", 5_412), ("Kraków", 2_208), ("Porto", 96), ("Oslo", 0))]
COLUMNS = ["time", "actor", "prop:city", "prop:total"]
ORDERS = [
    TableRow(
        str(number),
        {
            "time": f"2026-11-{20 - number}T09:30:00.000Z",
            "actor": f"customer-{number}",
            "prop:city": msgspec.Raw(b'"Porto"'),
            "prop:total": msgspec.Raw(str(1234.5 * number).encode()),
        },
    )
    for number in range(12)
]
NOTE = "Numbers of the *shop* in Porto.\nAsk Ana about refunds."
DAYS = Timeseries(interval="day", points=points(week(1, 30, 600), partial=[29]), total=10_363, compared_total=9_193)
NUMBERS = Kpi(
    items=[
        KpiNumber("Listeners", 48_213, 44_102, 0.0932),
        KpiNumber("Active servers", 3_907, 3_753, 0.041),
        KpiNumber("Tracks played", 1_940_221, 1_720_540, 0.127),
        KpiNumber("Skipped", 18, 198, -0.9),
    ]
)
ITEMS = [COUNT | {"label": item.label, "good": "up", "goal": 50_000} for item in NUMBERS.items]
CARDS: list[tuple[int, str, str, dict[str, Any], Result]] = [
    (4, "metric", "Plays", COUNT | {"good": "up"}, Counter(value=10_363, previous=9_193, delta=0.127)),
    (4, "metric", "Errors", COUNT | {"good": "down"}, Counter(value=1_608, previous=201, delta=7)),
    (4, "metric", "Revenue", COUNT | {"display": {"unit": "EUR"}}, Counter(value=31_222.35, previous=0, delta=None)),
    (12, "metric", "Plays per day", COUNT | {"overTime": True, "compare": True, "good": "up"}, DAYS),
    (6, "metric", "Cities", COUNT | {"breakdown": "city"}, Categorical(rows=CITIES)),
    (6, "metric", "Commands", COUNT | {"overTime": True, "breakdown": "name"}, folded("/play", "/skip", "/queue")),
    (12, "kpi", "This week", {"items": ITEMS}, NUMBERS),
    (
        6,
        "funnel",
        "From the invite to a queue",
        {"steps": [{"event": "play"}, {"event": "queue"}]},
        funnel(1942, 1588, 846, waiting=[30]),
    ),
    (6, "heatmap", "Busy hours", {"event": "play"}, heatmap()),
    (4, "metric", "Open tickets", COUNT, Counter(value=12, previous=None, delta=None)),
    (8, "histogram", "Lengths", {"event": "play", "property": "seconds"}, RESULTS["histogram"]),
    (12, "table", "Newest orders", {"columns": COLUMNS}, Table(columns=COLUMNS, rows=ORDERS)),
    (12, "retention", "Who came back", {"cohortEvent": "play"}, retention(8)),
    (12, "note", "", {"text": NOTE}, Note(text=NOTE)),
]
"""Columns, kind, title and config of the widgets, and their answers."""


class _DrawsAtOnce(Renderer):
    """Draws in this process."""

    def __init__(self) -> None:
        self._rasterizer = ResvgRasterizer()

    async def render(self, job: Job, url: object = None) -> Picture:
        """Return the picture of a job."""
        return draw_picture(job, self._rasterizer)


def build_rich_digest(cards: Sequence[tuple[int, str, str, dict[str, Any], Result]] = CARDS) -> RenderedDigest:
    """Return the mail of a board with these cards."""
    widgets = [_answer(*card) for card in cards]
    illustrator = Illustrator(AnswerDrawer(_DrawsAtOnce()).draw_png)
    parts, png_by_name = _run_at_once(illustrator.illustrate(widgets, "UTC"))
    head = HEAD._replace(title="Encore weekly", dashboard_name="🎧 Encore", left_out_count=2)
    return RenderedDigest(build_subject(head.title, parts, "13 – 20 Nov 2026"), head, parts, png_by_name)


def _answer(columns: int, type_: str, title: str, config: dict[str, Any], result: Result) -> AnsweredWidget:
    kind = find_kind(type_)
    stored_config = read_stored_config(kind, msgspec.json.encode(config).decode())
    part = build_part(kind, build_mail_widget(kind, title, stored_config, "UTC"), result)
    source = PictureSource(kind, result, kind.build_display(stored_config))
    return AnsweredWidget(part._replace(column_count=columns), source)


def _run_at_once(coroutine: Coroutine[Any, Any, T]) -> T:
    """Return the result of a coroutine that waits for nothing; another loop may be running."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    raise AssertionError("it waits")
