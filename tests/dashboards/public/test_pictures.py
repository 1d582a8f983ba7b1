"""Which picture stands for a public widget, and how large it is (rules/pictures#public-widgets)."""

import pytest
from msgspec import UNSET, structs

from harness.oracles.kinds import kind_with
from tallyroom.core.errors import NotFound, ValidationFailed
from tallyroom.core.notices import NOT_UP_TO_DATE
from tallyroom.dashboards.kinds.kpi.question import Kpi, KpiNumber
from tallyroom.dashboards.kinds.note.question import Note
from tallyroom.dashboards.kinds.retention.question import Cohort, Retention
from tallyroom.dashboards.public.pictures import PublicPictureJobs, strip_suffix
from tallyroom.dashboards.public.service import PublicAnswer
from tallyroom.images.messages import PictureFormat
from tallyroom.images.schemas import AnswerLook
from tallyroom.queries.buckets import TimePoint
from tallyroom.queries.config import Display, Result
from tallyroom.queries.metric_answers import Timeseries

LINE = Timeseries(
    interval="day", points=[TimePoint("2026-11-20T00:00:00.000Z", 12.0), TimePoint("2026-11-21T00:00:00.000Z", 9.0)]
)


def published(result: Result, preview: str | None = "w") -> PublicPictureJobs:
    async def answer(slug: str, widget_id: str) -> PublicAnswer:
        assert (slug, widget_id) == ("board", "w")
        return PublicAnswer(kind_with(result), "Title", Display(goods=["up"]), "UTC", result)

    async def chosen(slug: str) -> str | None:
        assert slug == "board"
        return preview

    return PublicPictureJobs(answer, chosen)


@pytest.mark.parametrize("name", ["w", "w.svg", "w.png"])
async def test_the_end_of_the_name_is_the_format(name: str) -> None:
    job = (await published(LINE).build_widget_job("board", name, AnswerLook())).picture
    assert job.format is (PictureFormat.PNG if name.endswith(".png") else PictureFormat.SVG)
    assert (job.diagram.title, job.diagram.width, job.scale) == ("Title", 600, 2)


@pytest.mark.parametrize(("name", "plain"), [("a.svg", "a"), ("a.png.png", "a.png"), ("a.gif", "a.gif"), ("-_", "-_")])
def test_one_suffix_is_taken_off(name: str, plain: str) -> None:
    assert strip_suffix(name) == plain


async def test_the_good_direction_of_each_number_is_kept() -> None:
    result = Kpi(items=[KpiNumber("Sales", 3, 2, 0.5)])
    job = (await published(result).build_widget_job("board", "w", AnswerLook())).picture
    assert job.diagram.numbers[0].good == "up"  # type: ignore[union-attr] # the chart of numbers


async def test_there_is_no_picture_of_a_note() -> None:
    with pytest.raises(NotFound):
        await published(Note(text="x")).build_widget_job("board", "w", AnswerLook())
    with pytest.raises(NotFound):
        await published(LINE, preview=None).build_preview_job("board.png", AnswerLook())


async def test_a_preview_is_twice_as_sharp_unless_it_needs_the_room() -> None:
    job = (await published(LINE).build_preview_job("board.png", AnswerLook())).picture
    assert (job.diagram.width, job.diagram.height, job.scale) == (600, 315, 2)
    cohorts = [Cohort(start="2026-11-01T00:00:00.000Z", size=9, values=[9, 3, 1]) for _ in range(11)]
    retention = published(Retention(granularity="week", unit_kind="actor", cohorts=cohorts))
    high = (await retention.build_preview_job("board.png", AnswerLook())).picture
    assert (high.diagram.width, high.diagram.height, high.scale) == (1200, 630, 1)


async def test_the_notices_of_the_answer_come_with_the_picture() -> None:
    assert (await published(LINE).build_widget_job("board", "w", AnswerLook())).notices is UNSET
    late = structs.replace(LINE, notices=[NOT_UP_TO_DATE])
    assert (await published(late).build_widget_job("board", "w", AnswerLook())).notices == [NOT_UP_TO_DATE]
    assert (await published(late).build_preview_job("board", AnswerLook())).notices == [NOT_UP_TO_DATE]


async def test_a_picture_has_a_bound() -> None:
    with pytest.raises(ValidationFailed):
        await published(LINE).build_widget_job("board", "w.png", AnswerLook(width=2000, height=2000, scale=4))
