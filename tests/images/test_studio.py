"""images.studio: what is kept, what is drawn once, and who is sent away (rules/pictures#drawing)."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from tallyroom.core.errors import Unavailable, ValidationFailed
from tallyroom.images.drawers import Drawers
from tallyroom.images.orders import Drawn, Format, Order, Refused
from tallyroom.images.schemas import GraphRequest
from tallyroom.images.studio import Studio

PLACES = 64
EMPTY = Order(Format.SVG, b"[]", GraphRequest([]))


class Counting(Drawers):
    """Counts the pictures; none is drawn before it may be."""

    def __init__(self) -> None:
        super().__init__()
        self.drawn = 0
        self.may_draw = asyncio.Event()
        self.all_asked = asyncio.Event()
        self.may_draw.set()

    async def draw(self, order: Order) -> Drawn | Refused:
        self.drawn += 1
        if self.drawn == PLACES:
            self.all_asked.set()
        await self.may_draw.wait()
        return await super().draw(order)


@pytest.fixture
async def drawers() -> AsyncIterator[Counting]:
    made = Counting()
    yield made
    await made.close()


async def test_a_picture_is_drawn_once_for_all_who_ask_and_kept(drawers: Counting) -> None:
    studio = Studio(drawers)
    question = ("/custom/graph", b"data_points=[]")
    assert studio.kept(question) is None
    pictures = await asyncio.gather(*(studio.picture(EMPTY, question) for _ in range(5)))
    assert len(set(pictures)) == drawers.drawn == 1
    assert studio.kept(question) == await studio.picture(EMPTY, question) == pictures[0]
    assert drawers.drawn == 1
    assert studio.kept(("/custom/graph.png", b"data_points=[]")) is None


async def test_an_order_without_a_question_is_kept_by_what_it_says(drawers: Counting) -> None:
    studio = Studio(drawers)
    for name in ("one", "one", "two"):
        await studio.picture(Order(Format.SVG, b"[]", GraphRequest([], name=name)))
    assert drawers.drawn == 2


async def test_a_refusal_is_not_kept(drawers: Counting) -> None:
    studio = Studio(drawers)
    for _ in range(2):
        with pytest.raises(ValidationFailed, match="data_points is not JSON"):
            await studio.picture(Order(Format.SVG, b"[", GraphRequest([])))
    assert drawers.drawn == 2


async def test_more_than_64_who_wait_are_sent_away_after_a_pause(drawers: Counting) -> None:
    studio = Studio(drawers, pause_seconds=0.001)
    async with contextlib.AsyncExitStack() as places:
        for _ in range(PLACES):
            await places.enter_async_context(studio.place())
        with pytest.raises(Unavailable) as refused:
            await places.enter_async_context(studio.place())
    assert 5 <= int(refused.value.headers["retry-after"]) <= 10
    async with studio.place():
        pass


async def test_pictures_of_those_who_left_are_given_up(drawers: Counting) -> None:
    studio = Studio(drawers, pause_seconds=0.001)
    drawers.may_draw.clear()
    orders = [Order(Format.SVG, b"[]", GraphRequest([], name=str(at))) for at in range(PLACES)]
    left = [asyncio.create_task(studio.picture(order)) for order in orders]
    stays = asyncio.create_task(studio.picture(orders[0]))
    await drawers.all_asked.wait()
    with pytest.raises(Unavailable):
        await studio.check_room()
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)
    await studio.check_room()
    drawers.may_draw.set()
    assert (await stays).format is Format.SVG
    assert drawers.drawn == PLACES
