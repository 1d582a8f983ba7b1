"""Everything in a mail follows the clock of its digest, whatever the workspace's shows (rules/digests#clock).

The oracle walks over the quarters of an hour of the digest's zone (harness.oracles.calendar_walk).
"""

import itertools
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast
from zoneinfo import ZoneInfo

from digests.conftest import Post
from harness.builders.moments import ms
from harness.oracles.calendar_walk import DAY_MS, shown, start_of, start_of_hour
from harness.stores.event_store import EventStore
from harness.stores.questions import Happened, insert
from harness.suite.few import few
from tallyroom.core.ranges import CalendarRange
from tallyroom.dashboards.kind import Kind
from tallyroom.dashboards.mail.contents import BigNumber, MailChart, MailNote, MailTable
from tallyroom.digests.mail.message import RenderedDigest
from tallyroom.digests.pictures import Illustrator
from tallyroom.digests.rendering import DigestRenderer
from tallyroom.images.charts.colors import ThemeName
from tallyroom.queries.answer import QuestionEngine
from tallyroom.queries.config import Display, Result
from tallyroom.queries.external import ExternalReader
from tallyroom.queries.workspace_windows import WindowResolver
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.models import Dashboard, Widget, Workspace

ZONES = ["Asia/Kolkata", "Pacific/Auckland", "America/St_Johns"]
MOMENTS = {
    "usual": ms("2026-11-20T12:00"),
    "Auckland's day of 23 hours is over": ms("2026-09-27T20:30"),
    "Auckland's day of 25 hours is over": ms("2026-04-05T21:30"),
    "St John's day of 25 hours is over": ms("2026-11-02T12:30"),
    "St John's day of 23 hours": ms("2026-03-08T23:30"),
}
WIDGETS = [
    ("Total", "metric", '{"event":"x","measure":"count"}'),
    ("Line", "metric", '{"event":"x","measure":"count","overTime":true,"interval":"day"}'),
    ("Hours", "metric", '{"event":"x","measure":"count","overTime":true,"interval":"hour"}'),
    ("Same day of last week", "metric", '{"event":"x","measure":"count","compare":{"shift":"7d"}}'),
    ("Numbers", "kpi", '{"items":[{"event":"x","measure":"count","label":"X"}]}'),
    ("Newest", "table", '{"event":"x","columns":["time","actor"]}'),
    ("Week", "heatmap", '{"event":"x"}'),
    ("Its own", "heatmap", '{"event":"x","timezone":"Europe/Berlin"}'),
    ("Back", "retention", '{"cohortEvent":"x","periods":6}'),
]
WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


@dataclass
class Made:
    """A mail, and what of it was drawn, with the time zone of the axis."""

    mail: RenderedDigest
    drawn: list[tuple[Any, str]]

    def contents(self, title: str) -> Sequence[Any]:
        [found] = [part.contents for part in self.mail.parts if part.title == title]
        return found

    def result(self, kind: str) -> list[Any]:
        return [result for result, _ in self.drawn if type(result).__name__ == kind]


def happenings(until_ms: int) -> list[Happened]:
    """An event each 37 minutes of six weeks, and some around each local midnight; some are of the time after."""
    usual = [until_ms + DAY_MS - at * 37 * 60_000 for at in range(1700)]
    edges = [
        start_of("day", until_ms - back * DAY_MS, ZoneInfo(zone)) + by
        for zone in ("UTC", *ZONES)
        for back in range(16)
        for by in (-1, 0, 1)
    ]
    return [Happened("x", at, actor=f"a{at % 7}-{at // DAY_MS // 3}") for at in sorted(usual + edges)]


async def made(post: Post, store: EventStore, zones: tuple[str, str], time_range: CalendarRange, until_ms: int) -> Made:
    """The mail of a digest, of a workspace with another clock."""
    of_workspace, of_digest = zones
    digest = await post.make(timezone=of_digest)
    workspace_id = post.founder.workspace_id
    async with post.database.session(write=True) as db:
        workspace, board = await db.get(Workspace, workspace_id), await db.get(Dashboard, digest.dashboard_id)
        assert workspace is not None
        assert board is not None
        workspace.timezone, board.time_range = of_workspace, time_range
        db.add_all([_widget(digest.dashboard_id, *each) for each in enumerate(WIDGETS)])
    drawn: list[tuple[Any, str]] = []

    async def draw(
        kind: Kind[Any], result: Result, display: Display, *, timezone: str, theme: ThemeName, width: int
    ) -> bytes | None:
        if theme == "light":
            drawn.append((result, timezone))
        return None

    windows = WindowResolver(store.reader, post.database)
    engine = QuestionEngine(store.reader, post.database, windows, post.clock, cast("ExternalReader", None))
    renderer = DigestRenderer(post.database, engine, windows, Illustrator(draw), "https://stats.example.com")
    mail = await renderer.render(digest.id, until_ms)
    assert mail is not None
    return Made(mail, drawn)


def _widget(dashboard_id: str, position: int, row: tuple[str, str, str]) -> Widget:
    title, type_, config = row
    size = {"width": 6, "height": 4, "position": position, "created_at_ms": 0, "updated_at_ms": 0}
    own = {"title": title, "type": type_, "config": config, "segment_id": None}
    return Widget(id=f"{position:03}", dashboard_id=dashboard_id, **own, **size)


def yesterday(until_ms: int, zone: ZoneInfo) -> tuple[int, int]:
    """From the first millisecond to the last."""
    today = start_of("day", until_ms, zone)
    return start_of("day", today - 1, zone), today - 1


def week_to_date(until_ms: int, zone: ZoneInfo) -> tuple[int, int]:
    return start_of("week", until_ms, zone), until_ms


SPANS: dict[CalendarRange, Callable[[int, ZoneInfo], tuple[int, int]]] = {"yesterday": yesterday, "wtd": week_to_date}


PAIRS = [pair for zone in ZONES for pair in (("UTC", zone), (zone, "UTC"))]


@few(2, ("zones", "moment", "time_range"), itertools.product(PAIRS, MOMENTS, SPANS))
async def test_a_mail_has_one_clock(
    post: Post, event_store: EventStore, zones: tuple[str, str], moment: str, time_range: CalendarRange
) -> None:
    until_ms = MOMENTS[moment]
    events = happenings(until_ms)
    insert(event_store, Scope(post.founder.workspace_id, "production"), events)
    found = await made(post, event_store, zones, time_range, until_ms)
    zone = ZoneInfo(zones[1])
    first, last = SPANS[time_range](until_ms, zone)
    within = [event for event in events if first <= event.at_ms <= last]
    check_numbers(found, events, within, (first, last), zone)
    check_days(found, within, last, zone)
    check_hours(found, within, (first, last), zone)
    check_cohorts(found, events, until_ms, zone)
    check_words(found, (first, last), zones[1])
    assert {timezone for _, timezone in found.drawn} == {zones[1]}


def number(text: str) -> int:
    return int(text.replace(",", ""))


def check_numbers(
    found: Made, events: list[Happened], within: list[Happened], window: tuple[int, int], zone: ZoneInfo
) -> None:
    [total], [kpi], [shifted] = (found.contents(each) for each in ("Total", "Numbers", "Same day of last week"))
    assert isinstance(total, BigNumber)
    assert {number(each.value) for each in (total, kpi, shifted)} == {len(within)}
    first = start_of("day", window[0] - 7 * DAY_MS + DAY_MS // 2, zone)  # local midnight a week before
    week_before = [e for e in events if first <= e.at_ms and clock(e.at_ms, zone, 7) <= shown(window[1], zone)]
    week_before = [e for e in week_before if e.at_ms < window[0]]
    assert before(shifted) == len(week_before)
    if zone_day(window, zone):
        start = start_of("day", window[0] - 1, zone)
        assert before(total) == before(kpi) == sum(start <= event.at_ms < window[0] for event in events)


def before(number: BigNumber) -> int:
    """The number of the other window."""
    assert number.change is not None
    return int(number.change.previous_text.replace(",", ""))


def zone_day(window: tuple[int, int], zone: ZoneInfo) -> bool:
    """Whether a window is one whole day."""
    return start_of("day", window[1], zone) == window[0] and start_of("day", window[1] + 1, zone) == window[1] + 1


def clock(at_ms: int, zone: ZoneInfo, days: int) -> datetime:
    """What clocks show so many days of the calendar later."""
    local = shown(at_ms, zone)
    return local.fromordinal(local.toordinal() + days).replace(
        hour=local.hour, minute=local.minute, second=local.second, microsecond=local.microsecond
    )


def check_days(found: Made, within: list[Happened], last_ms: int, zone: ZoneInfo) -> None:
    """The points of the chart are the days of the digest, and so are its words and the times of the table."""
    counted = Counter(start_of("day", event.at_ms, zone) for event in within)
    line, _ = found.result("Timeseries")
    assert counted_by_start(line) == counted
    _total, chart = found.contents("Line")
    assert isinstance(chart, MailChart)
    values = [counted[start] for start in sorted(counted)]
    is_over = start_of("day", last_ms + 1, zone) != max(counted)
    whole_days = values if is_over else values[:-1]
    last_words = f"last {values[-1]}{'' if is_over else ' so far'}"
    assert chart.description == f"Line per day: {min(whole_days)} to {max(whole_days)}, {last_words}"
    [table] = found.contents("Newest")
    assert isinstance(table, MailTable)
    newest = sorted((event.at_ms for event in within), reverse=True)[: len(table.rows)]
    assert [row[0] for row in table.rows] == [f"{shown(at, zone):%-d %b %H:%M}" for at in newest]


def counted_by_start(line: Any) -> Counter[int]:
    """The values of a chart; a bucket without events equals one that is not there."""
    return Counter({ms(point.t.removesuffix("Z")): point.value for point in line.points})


def check_hours(found: Made, within: list[Happened], span: tuple[int, int], zone: ZoneInfo) -> None:
    """The hours of charts and of heat maps, even of one whose config names another zone."""
    _, line = found.result("Timeseries")
    assert counted_by_start(line) == Counter(start_of_hour(event.at_ms, zone) for event in within)
    times = [shown(event.at_ms, zone) for event in within]
    cells = Counter((time.weekday(), time.hour) for time in times)
    moments = (shown(at_ms, zone) for at_ms in range(span[0], span[1] + 1, 15 * 60_000))
    hours_in_span = {(moment.weekday(), moment.hour) for moment in moments}
    days = Counter(WEEKDAYS[time.weekday()] for time in times)
    for title, heatmap in zip(("Week", "Its own"), found.result("Heatmap"), strict=True):
        assert heatmap.cells == [
            [cells[day, hour] if (day, hour) in hours_in_span else None for hour in range(24)] for day in range(7)
        ]
        busiest, chart = found.contents(title)
        assert isinstance(busiest, MailNote)
        (day, hour), most = min(cells.items(), key=lambda cell: (-cell[1], cell[0]))
        assert busiest.text == f"Busiest: {WEEKDAYS[day]}, {hour:02}:00 to {hour + 1:02}:00, with {most}."
        days_in_span = [WEEKDAYS[day] for day in sorted({day for day, _ in hours_in_span})]
        assert {row[0]: number(row[1]) for row in chart.table.rows} == {day: days[day] for day in days_in_span}


def check_cohorts(found: Made, events: list[Happened], until_ms: int, zone: ZoneInfo) -> None:
    """The newest six days: who came first on which, and who came back the day after."""
    days: dict[str, set[int]] = {}
    for event in events:
        if event.at_ms <= until_ms:
            days.setdefault(event.actor, set()).add(start_of("day", event.at_ms, zone))
    starts = [start_of("day", until_ms, zone)]
    while len(starts) < 6:
        starts.insert(0, start_of("day", starts[0] - 1, zone))
    sizes = [sum(min(theirs) == start for theirs in days.values()) for start in starts]
    [retention] = found.result("Retention")
    assert [ms(cohort.start.removesuffix("Z")) for cohort in retention.cohorts] == starts
    assert [cohort.size for cohort in retention.cohorts] == sizes
    [chart] = found.contents("Back")
    assert [row[0] for row in chart.table.rows] == [f"{shown(start, zone):%-d %b}" for start in starts]
    back = [
        sum(min(theirs) == start and after in theirs for theirs in days.values())
        for start, after in itertools.pairwise(starts)
    ]
    assert [cohort.values[1] for cohort in retention.cohorts[:-1]] == back


def check_words(found: Made, window: tuple[int, int], zone_name: str) -> None:
    """The subject and the period, and the name of the zone in the HTML and in the text."""
    first, last = (shown(end, ZoneInfo(zone_name)) for end in window)
    assert found.mail.subject.endswith(f"{last:%-d %b %Y}")
    period = f"{first:%-d %b %Y, %H:%M} \u2013 {last:%-d %b %Y, %H:%M} ({zone_name})"
    for shown_text in (
        found.mail.render_page("https://example.com/u"),
        found.mail.render_text("https://example.com/u"),
    ):
        assert period in shown_text
