"""images.answer_pictures: what is drawn of the answers of widgets (rules/digests#mail)."""

import msgspec
import pytest

from tallyroom.charts.raster import ResvgRasterizer
from tallyroom.engine.buckets import Point
from tallyroom.engine.config import Result
from tallyroom.engine.kinds.metric import Multiseries, Series, Timeseries
from tallyroom.engine.kinds.note import Note
from tallyroom.images.answer_pictures import AnswerPictures, job_of_answer
from tallyroom.images.messages import Format, Picture, RenderJob
from tallyroom.images.renderer import Renderer
from tallyroom.images.schemas import DataPoint
from tallyroom.images.worker import answered

POINTS = [Point("2026-11-20T00:00:00.000Z", 12), Point("2026-11-21T00:00:00.000Z", None)]
POINTS += [Point("2026-11-22T00:00:00.000Z", 31.5)]
FIRST = 1_795_132_800.0


class NoRenderer(Renderer):
    """Draws nothing, and keeps the orders."""

    def __init__(self) -> None:
        self.jobs: list[RenderJob] = []

    async def picture(self, job: RenderJob, url: object = None) -> Picture:
        self.jobs.append(job)
        return Picture(Format.PNG, b"png", "tag")


def drawn(result: Result, title: str = "Sales") -> list[DataPoint]:
    job = job_of_answer(result, title)
    assert job is not None
    return msgspec.json.decode(job.data, type=list[DataPoint])


def test_a_line_has_the_buckets_with_a_value() -> None:
    found = drawn(Timeseries(interval="day", points=POINTS))
    assert found == [DataPoint("Sales", FIRST, 12), DataPoint("Sales", FIRST + 2 * 86_400, 31.5)]


def test_each_label_is_a_line() -> None:
    series = [Series(label, POINTS) for label in ("<img>", "=?utf-8?q?x?=")]
    assert [point.id for point in drawn(Multiseries(interval="day", series=series))] == ["<img>"] * 2 + [
        "=?utf-8?q?x?="
    ] * 2


def test_a_worker_draws_it() -> None:
    job = job_of_answer(Timeseries(interval="day", points=POINTS), "Sales")
    assert job is not None
    picture = answered(job, ResvgRasterizer([]))
    assert isinstance(picture, Picture)
    assert picture.body.startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "result",
    [Note(text="x"), Timeseries(interval="day", points=[]), Multiseries(interval="day", series=[])],
    ids=["note", "no points", "no series"],
)
async def test_there_is_no_picture_of_other_answers(result: Result) -> None:
    renderer = NoRenderer()
    assert await AnswerPictures(renderer).png(result, "x") is None
    assert renderer.jobs == []


async def test_pictures_come_from_the_renderer() -> None:
    renderer = NoRenderer()
    assert await AnswerPictures(renderer).png(Timeseries(interval="day", points=POINTS), "Sales") == b"png"
    assert [job.format for job in renderer.jobs] == [Format.PNG]
