"""The pictures of answers that mails have (rules/digests#email)."""

from tallyroom.dashboards.answer_pictures import AnswerDrawer
from tallyroom.dashboards.kinds.metric.kind import METRIC
from tallyroom.dashboards.kinds.note.kind import NOTE
from tallyroom.dashboards.kinds.note.question import Note
from tallyroom.images.charts.raster import ResvgRasterizer
from tallyroom.images.messages import DiagramJob, Picture, PictureFormat, RenderJob
from tallyroom.images.renderer import Renderer
from tallyroom.images.worker import draw_picture
from tallyroom.queries.buckets import TimePoint
from tallyroom.queries.config import Display
from tallyroom.queries.metric_answers import Timeseries

POINTS = [TimePoint(f"2026-11-{day}T00:00:00.000Z", value) for day, value in ((20, 12), (21, None), (22, 31.5))]


class NoRenderer(Renderer):
    """Draws nothing, and keeps the orders."""

    def __init__(self) -> None:
        self.jobs: list[RenderJob | DiagramJob] = []

    async def render(self, job: RenderJob | DiagramJob, url: object = None) -> Picture:
        self.jobs.append(job)
        return Picture(PictureFormat.PNG, b"png", "tag")


async def test_pictures_come_from_the_renderer() -> None:
    renderer = NoRenderer()
    answer = Timeseries(interval="day", points=POINTS)
    draw_png = AnswerDrawer(renderer).draw_png
    for width in (314, 640):
        png = await draw_png(METRIC, answer, Display(), timezone="Europe/Berlin", theme="dark", width=width)
        assert png == b"png"
    for job, pixel_width in zip(renderer.jobs, (768, 1200), strict=True):
        assert isinstance(job, DiagramJob)
        assert (job.format, job.diagram.theme) == (PictureFormat.PNG, "dark")
        picture = draw_picture(job, ResvgRasterizer([]))
        assert isinstance(picture, Picture)
        assert picture.body.startswith(b"\x89PNG")
        assert int.from_bytes(picture.body[16:20]) == pixel_width


async def test_there_is_no_picture_of_a_note() -> None:
    renderer = NoRenderer()
    assert (
        await AnswerDrawer(renderer).draw_png(NOTE, Note(text="x"), Display(), timezone="UTC", theme="light", width=640)
        is None
    )
    assert renderer.jobs == []
