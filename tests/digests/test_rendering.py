"""A mail is made although a widget or a picture fails (rules/digests#email)."""

from typing import Any, cast

import msgspec
import pytest

from digests.conftest import Post
from harness.builders.answers import series
from tallyroom.core.errors import TallyroomError, Unavailable, ValidationFailed
from tallyroom.dashboards.answer_pictures import DrawPng
from tallyroom.dashboards.kind import Kind
from tallyroom.dashboards.mail.contents import MailChart, MailNote, ThemedPicture
from tallyroom.digests.pictures import MAX_CHARTS, Illustrator
from tallyroom.digests.rendering import MAX_WIDGETS, DigestRenderer
from tallyroom.digests.schemas import DigestOut
from tallyroom.images.charts.colors import ThemeName
from tallyroom.queries.answer import QuestionEngine, WidgetQuestion
from tallyroom.queries.buckets import TimePoint
from tallyroom.queries.config import Display, Result
from tallyroom.queries.metric_answers import Multiseries, Timeseries
from tallyroom.queries.value_colors import assign_colors
from tallyroom.queries.workspace_windows import WindowResolver
from tallyroom.storage.event_store.errors import QuestionTooCostly
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.metadata.models import Widget

UNTIL = 1_795_176_000_000
CHART = '{"event":"x","measure":"count","overTime":true}'


class OneAnswer(QuestionEngine):
    """Answers every question alike, or fails as told."""

    def __init__(self) -> None:
        self.asked: list[WidgetQuestion] = []
        self.failures: list[Exception] = []
        self.result: Result = Timeseries(interval="day", points=[TimePoint("2026-11-20T00:00:00.000Z", 7)])

    async def answer(self, widget_question: WidgetQuestion) -> Result:
        self.asked.append(widget_question)
        if self.failures:
            raise self.failures.pop(0)
        return self.result


async def draw(
    kind: Kind[Any], result: Result, display: Display, *, timezone: str, theme: ThemeName, width: int
) -> bytes | None:
    return f"{theme} {width} {timezone}".encode()


async def add_widgets(post: Post, digest: DigestOut, count: int, type_: str = "metric", config: str = CHART) -> None:
    async with post.database.session(write=True) as db:
        rows: list[Any] = [
            Widget(
                id=f"{number:03}",
                dashboard_id=digest.dashboard_id,
                title=f"Widget {number}",
                type=type_,
                config=config,
                segment_id=None,
                width=6,
                height=4,
                position=number,
                created_at_ms=0,
                updated_at_ms=0,
            )
            for number in range(count)
        ]
        db.add_all(rows)


def renderer(post: Post, engine: QuestionEngine, drawing: DrawPng = draw) -> DigestRenderer:
    windows = WindowResolver(cast("EventReader", None), post.database)
    return DigestRenderer(post.database, engine, windows, Illustrator(drawing), "https://stats.example.com")


async def test_the_questions_end_at_the_due_time(post: Post) -> None:
    digest, engine = await post.make(name="Weekly"), OneAnswer()
    await add_widgets(post, digest, 2)
    mail = await renderer(post, engine).render(digest.id, UNTIL)
    assert mail is not None
    assert [(question.asked_ms, question.time_range) for question in engine.asked] == [(UNTIL, "7d")] * 2
    assert mail.subject == "Weekly: 13 – 20 Nov 2026"
    assert (mail.head.title, mail.head.dashboard_name) == ("Weekly", "Shop")
    assert mail.head.dashboard_url == f"https://stats.example.com/d/{digest.dashboard_id}?w={post.founder.workspace_id}"
    assert mail.png_by_name == {
        "chart1": b"light 314 UTC",
        "chart1dark": b"dark 314 UTC",
        "chart2": b"light 314 UTC",
        "chart2dark": b"dark 314 UTC",
    }
    chart = MailChart("Widget 1 per day: 7 to 7, last 7", ThemedPicture("chart2", "chart2dark"))
    assert (mail.parts[1].contents, mail.parts[1].column_count) == ([chart], 6)


async def test_there_are_not_more_widgets_and_pictures_than_a_mail_bears(post: Post) -> None:
    digest, engine = await post.make(), OneAnswer()
    await add_widgets(post, digest, MAX_WIDGETS + 3)
    mail = await renderer(post, engine).render(digest.id, UNTIL)
    assert mail is not None
    assert (len(mail.parts), mail.head.left_out_count, len(mail.png_by_name)) == (
        MAX_WIDGETS,
        3,
        2 * MAX_CHARTS,
    )


@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (QuestionTooCostly("too long"), "This widget took too long to load. It may load on the dashboard."),
        (ValidationFailed.at(["config", "segmentId"], "is gone"), "This widget no longer works."),
    ],
)
async def test_a_widget_that_fails_says_so(post: Post, failure: TallyroomError, words: str) -> None:
    digest, engine = await post.make(), OneAnswer()
    engine.failures = [failure]
    await add_widgets(post, digest, 2)
    mail = await renderer(post, engine).render(digest.id, UNTIL)
    assert mail is not None
    [note] = mail.parts[0].contents
    assert isinstance(note, MailNote)
    assert note.text.startswith(words)
    assert list(mail.png_by_name) == ["chart1", "chart1dark"]


async def test_an_event_store_that_is_away_ends_it(post: Post) -> None:
    digest, engine = await post.make(), OneAnswer()
    engine.failures = [Unavailable("away")]
    await add_widgets(post, digest, 2)
    with pytest.raises(Unavailable):
        await renderer(post, engine).render(digest.id, UNTIL)


async def test_a_picture_that_fails_leaves_its_words(post: Post, caplog: pytest.LogCaptureFixture) -> None:
    async def fail(*_answer: Any, theme: ThemeName, **_settings: Any) -> bytes | None:
        if theme == "dark":
            raise Unavailable("too many")
        return b"png"

    digest, engine = await post.make(), OneAnswer()
    await add_widgets(post, digest, 1)
    mail = await renderer(post, engine, fail).render(digest.id, UNTIL)
    assert mail is not None
    assert mail.parts[0].contents == [MailChart("Widget 0 per day: 7 to 7, last 7", None)]
    assert mail.png_by_name == {}
    assert [record.message for record in caplog.records if record.name.startswith("tallyroom")] == [
        "a picture of a digest could not be drawn"
    ]


async def test_a_dashboard_without_widgets_and_one_that_is_gone(post: Post) -> None:
    digest = await post.make()
    mail = await renderer(post, OneAnswer()).render(digest.id, UNTIL)
    assert mail is not None
    assert mail.parts == []
    assert await renderer(post, OneAnswer()).render("none", UNTIL) is None


async def test_a_mail_has_the_colors_of_the_labels_it_shows_and_names_no_others(post: Post) -> None:
    digest, engine, drawn = await post.make(), OneAnswer(), []
    engine.result = Multiseries(interval="day", series=series("JFK", "LGA").series)
    chosen_colors = {"JFK": 3, "a value that is not in the answer": 2}
    config = msgspec.json.decode(CHART) | {"breakdown": "origin", "display": {"colors": chosen_colors}}
    await add_widgets(post, digest, 1, config=msgspec.json.encode(config).decode())

    async def draw_colors(*answer: Any, **_settings: Any) -> bytes:
        _kind, result, display = answer
        drawn.append((result, display))
        return b"png"

    mail = await renderer(post, engine, draw_colors).render(digest.id, UNTIL)
    (result, display), in_dark = drawn
    assert in_dark == (result, display)
    assert isinstance(result, Multiseries)
    assert {entry.label: entry.color for entry in result.series} == assign_colors(["JFK", "LGA"], chosen_colors)
    assert engine.asked[0].folds_series
    assert "a value that is not in the answer" not in f"{mail} {result} {display}"
