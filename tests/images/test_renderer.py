"""What is kept, what is drawn once, and who is sent away (rules/pictures#drawing)."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from tallyroom.core.errors import Unavailable, ValidationFailed
from tallyroom.images.charts.bars import BarChart, BarRow
from tallyroom.images.messages import DiagramJob, Job, Picture, PictureFormat, RenderJob
from tallyroom.images.renderer import Renderer
from tallyroom.images.schemas import GraphRequest
from tallyroom.images.worker_pool import PictureWorkerPool

MOST_WAITING = 64
EMPTY = RenderJob(PictureFormat.SVG, b"[]", GraphRequest([]))


class Counting(PictureWorkerPool):
    """Counts the pictures; none is drawn before it may be."""

    def __init__(self) -> None:
        super().__init__()
        self.drawn = 0
        self.may_draw = asyncio.Event()
        self.all_asked = asyncio.Event()
        self.may_draw.set()

    async def draw(self, job: Job) -> Picture:
        self.drawn += 1
        if self.drawn == MOST_WAITING:
            self.all_asked.set()
        await self.may_draw.wait()
        return await super().draw(job)


@pytest.fixture
async def pool() -> AsyncIterator[Counting]:
    made = Counting()
    yield made
    await made.close()


@pytest.mark.long
async def test_a_picture_is_drawn_once_for_all_who_ask_and_kept(pool: Counting) -> None:
    renderer = Renderer(pool)
    url = ("/custom/graph", b"data_points=[]")
    assert renderer.get_cached(url) is None
    pictures = await asyncio.gather(*(renderer.render(EMPTY, url) for _ in range(5)))
    assert len(set(pictures)) == pool.drawn == 1
    assert renderer.get_cached(url) == await renderer.render(EMPTY, url) == pictures[0]
    assert pool.drawn == 1
    assert renderer.get_cached(("/custom/graph.png", b"data_points=[]")) is None


async def test_a_job_without_a_question_is_kept_by_what_it_says(pool: Counting) -> None:
    renderer = Renderer(pool)
    for name in ("one", "one", "two"):
        await renderer.render(RenderJob(PictureFormat.SVG, b"[]", GraphRequest([], name=name)))
    assert pool.drawn == 2


async def test_the_picture_of_an_answer_is_kept_as_well(pool: Counting) -> None:
    renderer = Renderer(pool)
    charts = [BarChart(title="T", rows=[BarRow("a", value)]) for value in (1, 1, 2)]
    pictures = [await renderer.render(DiagramJob(PictureFormat.SVG, chart)) for chart in charts]
    assert pool.drawn == 2
    assert len({picture.tag for picture in pictures}) == 2


@pytest.mark.long
async def test_a_refusal_is_not_kept(pool: Counting) -> None:
    renderer = Renderer(pool)
    for _ in range(2):
        with pytest.raises(ValidationFailed, match="data_points is not JSON"):
            await renderer.render(RenderJob(PictureFormat.SVG, b"[", GraphRequest([])))
    assert pool.drawn == 2


async def test_more_than_64_who_wait_are_sent_away_after_a_pause(pool: Counting) -> None:
    renderer = Renderer(pool, pause_seconds=0.001)
    async with contextlib.AsyncExitStack() as admissions:
        for _ in range(MOST_WAITING):
            await admissions.enter_async_context(renderer.admit_request())
        with pytest.raises(Unavailable) as refused:
            await admissions.enter_async_context(renderer.admit_request())
    assert 5 <= int(refused.value.headers["retry-after"]) <= 10
    async with renderer.admit_request():
        pass


@pytest.mark.long
async def test_pictures_of_those_who_left_are_given_up(pool: Counting) -> None:
    renderer = Renderer(pool, pause_seconds=0.001)
    pool.may_draw.clear()
    jobs = [RenderJob(PictureFormat.SVG, b"[]", GraphRequest([], name=str(at))) for at in range(MOST_WAITING)]
    left = [asyncio.create_task(renderer.render(job)) for job in jobs]
    stays = asyncio.create_task(renderer.render(jobs[0]))
    await pool.all_asked.wait()
    with pytest.raises(Unavailable):
        await renderer.refuse_if_full()
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)
    await renderer.refuse_if_full()
    pool.may_draw.set()
    assert (await stays).format is PictureFormat.SVG
    assert pool.drawn == MOST_WAITING
