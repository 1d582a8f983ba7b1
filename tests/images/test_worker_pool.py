"""images.worker_pool: pictures come from processes that may take too long, break or be left behind."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from harness.pictures import drawing_for
from tallyroom.charts.bars import BarChart, BarRow
from tallyroom.core.errors import TallyroomError, Unavailable
from tallyroom.images.messages import LENGTH_BYTES, REPLY, DiagramJob, Format, Picture, RenderJob, RenderRefusal, framed
from tallyroom.images.schemas import DataPoint, GraphRequest
from tallyroom.images.worker_pool import WorkerPool

POINTS = msgspec.json.encode([DataPoint("a", 1_763_000_000 + at, at) for at in range(50)])
SMALL = RenderJob(Format.PNG, POINTS, GraphRequest([], width=200, height=120))
LARGE = RenderJob(
    Format.PNG,
    msgspec.json.encode([DataPoint(str(at % 40), at, at * 7919 % 101) for at in range(8_000)]),
    GraphRequest([], width=2000, height=1000, scale=1),
)


@pytest.fixture
async def pool() -> AsyncIterator[WorkerPool]:
    made = WorkerPool()
    yield made
    await made.close()


def processes() -> list[int]:
    """The processes that draw for this one."""
    return drawing_for(os.getpid())


async def test_jobs_at_once_are_drawn_by_two_processes_that_stay(pool: WorkerPool) -> None:
    answers = await asyncio.gather(*(pool.draw(SMALL) for _ in range(6)))
    assert len(set(answers)) == 1
    assert isinstance(answers[0], Picture)
    assert answers[0].body.startswith(b"\x89PNG")
    first = processes()
    assert len(first) == 2
    await pool.draw(SMALL)
    assert processes() == first


async def test_one_after_the_other_needs_one_process(pool: WorkerPool) -> None:
    for _ in range(3):
        await pool.draw(SMALL)
    assert len(processes()) == 1


@pytest.mark.parametrize("format_", Format)
async def test_pictures_of_answers_come_from_the_same_processes(pool: WorkerPool, format_: Format) -> None:
    chart = BarChart(title="T", rows=[BarRow("a", 3), BarRow("b", None)], height=200)
    answer = await pool.draw(DiagramJob(format_, chart, 2))
    assert isinstance(answer, Picture)
    assert answer.format is format_
    assert answer.body.startswith(b"\x89PNG" if format_ is Format.PNG else b"<svg")
    assert await pool.draw(DiagramJob(format_, chart, 2)) == answer
    assert len(processes()) == 1


async def test_a_refusal_names_the_field(pool: WorkerPool) -> None:
    answer = await pool.draw(RenderJob(Format.SVG, b'[{"id":"a","x":"1","y":1}]', GraphRequest([])))
    assert isinstance(answer, RenderRefusal)
    assert [detail.path for detail in answer.details] == [["data_points", 0, "x"]]


async def test_a_picture_that_takes_too_long_is_given_up_and_the_next_is_drawn() -> None:
    pool = WorkerPool(seconds=2)
    await pool.draw(SMALL)
    (stuck,) = processes()
    os.kill(stuck, signal.SIGSTOP)
    with pytest.raises(Unavailable):
        await pool.draw(SMALL)
    assert isinstance(await pool.draw(SMALL), Picture)
    assert stuck not in processes()
    await pool.close()


async def test_a_process_that_breaks_fails_its_picture_and_no_other(pool: WorkerPool) -> None:
    await pool.draw(SMALL)
    (process,) = processes()
    drawing = asyncio.create_task(pool.draw(LARGE))
    await asyncio.sleep(0.01)
    os.kill(process, signal.SIGKILL)
    with pytest.raises(Unavailable):
        await drawing
    assert isinstance(await pool.draw(SMALL), Picture)


async def test_one_that_broke_while_idle_is_replaced(pool: WorkerPool) -> None:
    await pool.draw(SMALL)
    (broken,) = processes()
    os.kill(broken, signal.SIGKILL)
    await asyncio.sleep(0.3)  # until this process is told
    assert isinstance(await pool.draw(SMALL), Picture)


async def test_a_fault_of_the_program_fails_its_picture_and_no_process(pool: WorkerPool) -> None:
    await pool.draw(SMALL)
    first = processes()
    with pytest.raises(Unavailable, match="could not be drawn"):
        await pool.draw(RenderJob(Format.SVG, b"[]", GraphRequest([], width=-1)))  # which no route lets through
    assert isinstance(await pool.draw(SMALL), Picture)
    assert processes() == first


async def test_a_job_waits_for_its_turn_and_not_for_ever() -> None:
    pool = WorkerPool(queue_seconds=0.1)
    await asyncio.gather(pool.draw(SMALL), pool.draw(SMALL))
    for process in processes():
        os.kill(process, signal.SIGSTOP)
    stuck = [asyncio.create_task(pool.draw(SMALL)) for _ in range(2)]
    await asyncio.sleep(0.01)
    with pytest.raises(Unavailable, match="Too many"):
        await pool.draw(SMALL)
    await pool.close()
    for end in await asyncio.gather(*stuck, return_exceptions=True):
        assert isinstance(end, Unavailable)


async def test_nobody_gets_the_answer_of_one_who_left(pool: WorkerPool) -> None:
    await pool.draw(SMALL)
    left = asyncio.create_task(pool.draw(LARGE))
    await asyncio.sleep(0.01)
    left.cancel()
    expected = await pool.draw(RenderJob(Format.SVG, POINTS, GraphRequest([])))
    assert isinstance(expected, Picture)
    assert expected.format is Format.SVG


async def test_closing_ends_them_all() -> None:
    pool = WorkerPool()
    drawing = asyncio.create_task(pool.draw(LARGE))
    await pool.draw(SMALL)
    await pool.close()
    with pytest.raises(Unavailable):
        await drawing
    assert processes() == []


def test_a_process_ends_with_the_server_that_started_it() -> None:
    command = [sys.executable, "-m", "tallyroom.images.worker"]
    done = subprocess.run(command, input=framed(SMALL), capture_output=True, timeout=30, check=True)
    answer = REPLY.decode(done.stdout[LENGTH_BYTES:])
    assert isinstance(answer, Picture)
    assert done.stderr == b""


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TallyroomError, match="gone is not a folder of typefaces"):
        WorkerPool([tmp_path / "gone"])
