"""Pictures come from processes that may take too long, break or be left behind."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from harness.servers.worker_processes import drawing_for
from tallyroom.core.errors import TallyroomError, Unavailable, ValidationFailed
from tallyroom.core.worker import LENGTH_BYTE_COUNT, JobResult
from tallyroom.images.charts.bars import BarChart, BarRow
from tallyroom.images.messages import DiagramJob, Picture, PictureFormat, RenderJob
from tallyroom.images.schemas import DataPoint, GraphRequest
from tallyroom.images.worker_pool import PictureWorkerPool

POINTS = msgspec.json.encode([DataPoint("a", 1_763_000_000 + at, at) for at in range(50)])
SMALL = RenderJob(PictureFormat.PNG, POINTS, GraphRequest([], width=200, height=120))


@pytest.fixture
async def pool() -> AsyncIterator[PictureWorkerPool]:
    made = PictureWorkerPool()
    yield made
    await made.close()


def processes() -> list[int]:
    """The processes that draw for this one."""
    return drawing_for(os.getpid())


@pytest.mark.long
async def test_jobs_at_once_are_drawn_by_two_processes_that_stay(pool: PictureWorkerPool) -> None:
    answers = await asyncio.gather(*(pool.draw(SMALL) for _ in range(6)))
    assert len(set(answers)) == 1
    assert isinstance(answers[0], Picture)
    assert answers[0].body.startswith(b"\x89PNG")
    first = processes()
    assert len(first) == 2
    await pool.draw(SMALL)
    assert processes() == first


async def test_one_process_is_enough_if_no_more_are_wanted() -> None:
    pool = PictureWorkerPool(max_processes=1)
    answers = await asyncio.gather(*(pool.draw(SMALL) for _ in range(3)))
    assert (len(answers), len(processes())) == (3, 1)
    await pool.close()


@pytest.mark.long
@pytest.mark.parametrize("format_", PictureFormat)
async def test_pictures_of_answers_come_from_the_same_processes(
    pool: PictureWorkerPool, format_: PictureFormat
) -> None:
    chart = BarChart(title="T", rows=[BarRow("a", 3), BarRow("b", None)], height=200)
    answer = await pool.draw(DiagramJob(format_, chart, 2))
    assert isinstance(answer, Picture)
    assert answer.format is format_
    assert answer.body.startswith(b"\x89PNG" if format_ is PictureFormat.PNG else b"<svg")
    assert await pool.draw(DiagramJob(format_, chart, 2)) == answer
    assert len(processes()) == 1


async def test_a_refusal_names_the_field(pool: PictureWorkerPool) -> None:
    with pytest.raises(ValidationFailed) as refused:
        await pool.draw(RenderJob(PictureFormat.SVG, b'[{"id":"a","x":"1","y":1}]', GraphRequest([])))
    assert [detail.path for detail in refused.value.details] == [["data_points", 0, "x"]]


@pytest.mark.long
async def test_a_picture_that_takes_too_long_is_given_up_and_the_next_is_drawn(
    pool: PictureWorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    await pool.draw(SMALL)
    (stuck,) = processes()
    os.kill(stuck, signal.SIGSTOP)
    with monkeypatch.context() as soon:
        soon.setattr(pool._process_pool, "_job_seconds", 0.2)
        with pytest.raises(Unavailable):
            await pool.draw(SMALL)
    assert isinstance(await pool.draw(SMALL), Picture)
    assert stuck not in processes()


@pytest.mark.long
async def test_a_fault_of_the_program_fails_its_picture_and_no_process(pool: PictureWorkerPool) -> None:
    await pool.draw(SMALL)
    first = processes()
    with pytest.raises(Unavailable, match="could not be drawn"):
        await pool.draw(RenderJob(PictureFormat.SVG, b"[]", GraphRequest([], width=-1)))  # which no route lets through
    assert isinstance(await pool.draw(SMALL), Picture)
    assert processes() == first


async def test_a_job_waits_for_its_turn_and_not_for_ever() -> None:
    pool = PictureWorkerPool(queue_seconds=0.1)
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


@pytest.mark.long
def test_a_process_ends_with_the_server_that_started_it() -> None:
    command = [sys.executable, "-m", "tallyroom.images.worker"]
    job = msgspec.msgpack.encode(SMALL)
    sent = len(job).to_bytes(LENGTH_BYTE_COUNT, "big") + job
    done = subprocess.run(command, input=sent, capture_output=True, timeout=30, check=True)
    result = msgspec.msgpack.decode(done.stdout[LENGTH_BYTE_COUNT:], type=JobResult)
    assert msgspec.msgpack.decode(result.value, type=Picture).body.startswith(b"\x89PNG")
    assert done.stderr == b""


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TallyroomError, match="gone is not a folder of fonts"):
        PictureWorkerPool([tmp_path / "gone"])
