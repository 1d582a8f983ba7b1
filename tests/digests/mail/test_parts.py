"""What is shown of each kind of answer (rules/digests#email)."""

from typing import Any, NamedTuple

import msgspec
import pytest

from tallyroom.dashboards.kind import Kind
from tallyroom.dashboards.kinds.external.question import External
from tallyroom.dashboards.kinds.funnel.answer import Funnel, FunnelStep
from tallyroom.dashboards.kinds.heatmap.question import Heatmap
from tallyroom.dashboards.kinds.histogram.question import Histogram
from tallyroom.dashboards.kinds.kpi.question import Kpi, KpiNumber
from tallyroom.dashboards.kinds.note.question import Note
from tallyroom.dashboards.kinds.retention.question import Cohort, Retention
from tallyroom.dashboards.kinds.table.question import Table, TableRow
from tallyroom.dashboards.mail.contents import BigNumber, MailChart, MailNote, MailTable, MailWidget, WidgetPart
from tallyroom.dashboards.mail.numbers import NumberChange
from tallyroom.dashboards.widgets.configs import find_kind, read_stored_config
from tallyroom.digests.mail import parts as mail_parts
from tallyroom.digests.mail.parts import build_mail_widget
from tallyroom.images.charts.goals import GoalProgress
from tallyroom.queries.breakdown import LabelRow
from tallyroom.queries.buckets import TimePoint
from tallyroom.queries.config import Result
from tallyroom.queries.metric_answers import Categorical, Counter, Multiseries, Series, Timeseries
from tallyroom.queries.values import Bucket


class ShownWidget(NamedTuple):
    """A widget of a mail, and its kind."""

    kind: Kind[Any]
    detail: MailWidget


def widget(type_: str, title: str = "", **config: Any) -> ShownWidget:
    kind = find_kind(type_)
    stored = read_stored_config(kind, msgspec.json.encode(config).decode())
    return ShownWidget(kind, build_mail_widget(kind, title, stored, "Europe/Berlin"))


def build_part(shown: ShownWidget, result: Result) -> WidgetPart:
    return mail_parts.build_part(shown.kind, shown.detail, result)


def points(*values: float | None) -> list[TimePoint]:
    return [TimePoint(f"2026-11-{day:02}T00:00:00.000Z", value) for day, value in enumerate(values, 1)]


def unfinished(*values: float | None) -> list[TimePoint]:
    """Points of which the last with a value is of a day that is not over."""
    days = points(*values)
    next(point for point in reversed(days) if point.value is not None).partial = True
    return days


def cut_off(*values: float) -> list[TimePoint]:
    """Points of which the last is of a day within which the time range has ended."""
    days = unfinished(*values)
    days[-1].cut = True
    return days


METRIC = {"event": "sale", "measure": "sum", "property": "total"}


def test_a_number_with_its_change_and_goal() -> None:
    detail = widget("metric", **METRIC, goal=1000, good="up")
    part = build_part(detail, Counter(value=840, previous=800, delta=0.05))
    assert part.title == "sale: sum of total"
    change = NumberChange(840, 800, "↑", "5.0\N{THIN SPACE}%", "800", "good")
    assert part.contents == [BigNumber("", "840", change, GoalProgress("open", 0.84, "840 of 1,000"))]


def test_a_formula_is_named_after_what_it_computes() -> None:
    parts: dict[str, Any] = {
        "a": {"event": "refund", "measure": "count"},
        "b": {"events": ["sale", "trial"], "measure": "uniq_actors"},
    }
    detail = widget("formula", **parts, expression="a / b * 1e2", display={"goal": 5, "good": "down"})
    part = build_part(detail, Counter(value=4, previous=5, delta=-0.2))
    assert part.title == "refund / (Unique actors of sale, trial) * 1e2"
    change = NumberChange(4, 5, "↓", "20.0\N{THIN SPACE}%", "5", "good")
    assert part.contents == [BigNumber("", "4", change, GoalProgress("met", 0.8, "4 of 5"))]
    detail = widget("formula", **parts, expression="a / b", breakdown="plan")
    part = build_part(detail, Categorical(rows=[LabelRow("pro", 0.5), LabelRow("free", None)]))
    assert part.title == "refund / (Unique actors of sale, trial), by plan"
    [table] = part.contents
    assert isinstance(table, MailTable)
    assert (table.column_names, list(table.rows[1])) == (("plan", "Value"), ["free", "–"])


def test_several_numbers() -> None:
    items = [
        {"event": "sale", "measure": "count", "label": "Sales"},
        {"event": "x", "measure": "count", "good": "down"},
    ]
    answer = Kpi(items=[KpiNumber("Sales", 3, 0, None), KpiNumber("x", None, None, None)])
    assert build_part(widget("kpi", "This week", items=items), answer).contents == [
        BigNumber("Sales", "3", NumberChange(3, 0, "", "", "0", "neutral")),
        BigNumber("x", "–", None),
    ]


def test_numbers_have_their_own_goals() -> None:
    items = [{"event": "x", "measure": "count", "goal": 5}, {"event": "y", "measure": "count", "goal": 5, "good": "up"}]
    answer = Kpi(items=[KpiNumber("x", 8, None, None), KpiNumber("y", 2, None, None)])
    contents = build_part(widget("kpi", "", items=items, display={"good": "down"}), answer).contents
    assert contents == [
        BigNumber("x", "8", None, GoalProgress("missed", 1.0, "8 of 5")),
        BigNumber("y", "2", None, GoalProgress("open", 0.4, "2 of 5")),
    ]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Timeseries(interval="day", points=points(12, 48, None, 31)), "sale per day: 12 to 48, last 31"),
        (Timeseries(interval="hour", points=points(1.5, None)), "sale per hour: 1.5 to 1.5, last –"),
        (Timeseries(interval="day", points=points(None)), "sale per day: no data"),
        (Timeseries(interval="day", points=unfinished(12, 48, 5, None)), "sale per day: 12 to 48, last 5 so far"),
        (Timeseries(interval="day", points=unfinished(5)), "sale per day: last 5 so far"),
        (Timeseries(interval="day", points=cut_off(12, 48, 5)), "sale per day: 12 to 48, last 5, partial"),
        (Multiseries(interval="day", series=[]), "sale per day: no data"),
        (
            Multiseries(interval="day", series=[Series(name, points(1, 2)) for name in "abcd"]),
            "sale per day: a 1 to 2, last 2; b 1 to 2, last 2; c 1 to 2, last 2; and 1 more",
        ),
    ],
)
def test_a_chart_in_words(answer: Result, words: str) -> None:
    assert build_part(widget("metric", event="sale", measure="count"), answer).contents == [MailChart(words)]


def test_the_words_of_a_chart_name_its_buckets_once() -> None:
    detail = widget("metric", "Sales per day", event="sale", measure="count")
    answer = Timeseries(interval="day", points=points(1))
    assert build_part(detail, answer).contents == [MailChart("Sales per day: 1 to 1, last 1")]


def test_a_chart_has_its_total_above_it_with_its_change() -> None:
    detail = widget("metric", event="sale", measure="count", overTime=True, compare=True, good="up")
    answer = Timeseries(interval="day", points=points(12, 48), total=60, compared_total=50)
    number, chart = build_part(detail, answer).contents
    assert number == BigNumber("", "60", NumberChange(60, 50, "↑", "20.0\N{THIN SPACE}%", "50", "good"))
    assert chart == MailChart("sale per day: 12 to 48, last 48")
    uncompared = Timeseries(interval="day", points=points(12, 48), total=60)
    assert build_part(detail, uncompared).contents[0] == BigNumber("", "60", None)


@pytest.mark.parametrize(
    ("config", "rows", "shares"),
    [
        ({}, [LabelRow("a", 3), LabelRow("b", 1)], ["75.0", "25.0"]),
        ({"limit": 2}, [LabelRow("a", 3), LabelRow("b", 1)], []),
        ({"limit": 2}, [LabelRow("a", 3), LabelRow(None, 1, "other")], ["75.0", "25.0"]),
        ({"measure": "uniq_actors"}, [LabelRow("a", 3), LabelRow("b", 1)], []),
        ({}, [LabelRow("a", 3), LabelRow("b", -1)], []),
        ({}, [LabelRow("a", 0), LabelRow("b", 0)], []),
    ],
)
def test_labels_have_shares_if_they_are_parts_of_a_whole(
    config: dict[str, Any], rows: list[LabelRow], shares: list[str]
) -> None:
    fields = {"event": "sale", "measure": "count", "breakdown": "prop:plan"} | config
    [table] = build_part(widget("metric", **fields), Categorical(rows=rows)).contents
    assert isinstance(table, MailTable)
    assert [text.removesuffix("\N{THIN SPACE}%") for row in table.rows for text in row[2:]] == shares
    assert len(table.column_names) == len(table.is_number_by_column) == len(table.rows[0])


def test_a_breakdown_has_ten_rows_with_bars() -> None:
    detail = widget("metric", event="sale", measure="count", breakdown="prop:plan", limit=12)
    answer = Categorical(rows=[LabelRow(f"plan {number}", 120 - number * 10) for number in range(12)])
    part = build_part(detail, answer)
    assert part.title == "sale, by plan"
    [table] = part.contents
    assert isinstance(table, MailTable)
    assert table.column_names == ("plan", "Count")
    assert list(table.rows[0]) == ["plan 0", "120"]
    assert (len(table.rows), table.bar_lengths[0], table.bar_lengths[6], table.left_out_note) == (
        10,
        1.0,
        0.5,
        "2 more rows",
    )
    assert build_part(detail, Categorical(rows=[])).contents == [MailNote("No data in this time range.")]


def test_the_rest_of_a_breakdown_is_named() -> None:
    detail = widget("metric", event="sale", measure="count", breakdown="_group", rest="both")
    rows = [LabelRow("acme", 3), LabelRow(None, 2, "none"), LabelRow(None, 1, "other")]
    part = build_part(detail, Categorical(rows=rows))
    assert part.title == "sale, by Group"
    [table] = part.contents
    assert isinstance(table, MailTable)
    assert [row[0] for row in table.rows] == ["acme", "(none)", "(other)"]
    series = [Series("acme", points(1, 2)), Series(None, points(3, 4), kind="other")]
    answer = Multiseries(interval="day", series=series)
    words = "sale, by Group per day: acme 1 to 2, last 2; (other) 3 to 4, last 4"
    assert build_part(detail, answer).contents == [MailChart(words)]


def test_ids_are_written_as_they_were_sent() -> None:
    """rules/boards#ids-in-tables."""
    columns = ["prop:user_id", "prop:chatId", "prop:paid"]
    values = dict(zip(columns, map(msgspec.Raw, (b"205680187394752513", b"-1001234", b"12345")), strict=True))
    part = build_part(widget("table", columns=columns), Table(columns=columns, rows=[TableRow("1", values)]))
    [table] = part.contents
    assert isinstance(table, MailTable)
    assert table.rows == [["205680187394752513", "-1001234", "12,345"]]
    newest = {"event": "sale", "measure": "max", "property": "order_id"}
    number = build_part(widget("metric", **newest), Counter(value=12345, previous=12344, delta=0.0001)).contents[0]
    assert isinstance(number, BigNumber)
    assert number.value == "12345"
    assert number.change is not None
    assert (number.change.short_text, number.change.previous_text) == ("↑ <0.1\N{THIN SPACE}%", "12344")
    [spread] = build_part(
        widget("histogram", event="sale", property="id"), Histogram(buckets=[Bucket(1000.0, 2000.0, 3)])
    ).contents
    assert isinstance(spread, MailTable)
    assert spread.rows == [["1000 to 2000", "3"]]


def test_a_table_shows_what_fits() -> None:
    columns = ["time", "actor", "prop:total", "prop:tags", "prop:more"]
    values = {"time": "2026-11-20T23:30:00.000Z", "actor": None, "prop:total": msgspec.Raw(b"12345.5")}
    values |= {"prop:tags": msgspec.Raw(b'["a","b"]'), "prop:more": msgspec.Raw(b"1")}
    answer = Table(columns=columns, rows=[TableRow(str(number), values) for number in range(12)])
    part = build_part(widget("table", columns=columns), answer)
    assert part.title == "Newest events"
    [table] = part.contents
    assert isinstance(table, MailTable)
    assert table.column_names == ["Time", "Actor", "total", "tags"]
    assert table.rows[0] == ["21 Nov 00:30", "–", "12,345.5", '["a","b"]']
    assert list(table.is_number_by_column) == [False, False, True, False]
    assert (len(table.rows), table.left_out_note) == (10, "2 more rows, 1 more column")


def test_a_funnel_has_its_conversion() -> None:
    steps = [
        FunnelStep(event="a", count=400, rate=1, step_rate=1, waiting=14, median_seconds_from_previous=None),
        FunnelStep(event="b", count=100, rate=0.25, step_rate=0.25, waiting=0, median_seconds_from_previous=90.0),
    ]
    part = build_part(widget("funnel", steps=[{"event": "a"}, {"event": "b"}]), Funnel(unit_kind="actor", steps=steps))
    assert part.title == "a → b"
    [table] = part.contents
    assert isinstance(table, MailTable)
    assert table.column_names == ("Step", "Actors", "Of all")
    assert table.rows == [("1. a", "400", "100\N{THIN SPACE}%"), ("2. b", "100", "25.0\N{THIN SPACE}%")]
    assert table.bar_lengths == [1, 0.25]
    loss = "−71.5\N{THIN SPACE}% · 286 stopped · 14 still have time · median 90\N{NO-BREAK SPACE}s"
    assert table.row_notes == [loss, ""]


def test_retention_shows_the_first_periods() -> None:
    cohorts = [
        Cohort(start=f"2026-11-{day:02}T00:00:00.000Z", size=10, values=[10, *[5] * (12 - day)]) for day in range(1, 13)
    ]
    detail = widget("retention", cohortEvent="sale")
    [chart] = build_part(detail, Retention(granularity="day", unit_kind="actor", cohorts=cohorts)).contents
    assert isinstance(chart, MailChart)
    assert chart.description == "Retention of sale: 50.0\N{THIN SPACE}% came back the next day"
    table = chart.table
    assert table is not None
    assert table.column_names == ["Day", "New", "+1", "+2", "+3", "+4"]
    assert table.rows[0] == [
        "3 Nov",
        "10",
        "50.0\N{THIN SPACE}%",
        "50.0\N{THIN SPACE}%",
        "50.0\N{THIN SPACE}%",
        "50.0\N{THIN SPACE}%",
    ]
    assert table.rows[-1] == ["12 Nov", "10", "", "", "", ""]
    assert table.left_out_note == "2 older on the dashboard"
    nobody = [Cohort(start="2026-11-01T00:00:00.000Z", size=0, values=[0, 0])]
    answer = Retention(granularity="day", unit_kind="actor", cohorts=nobody)
    assert build_part(detail, answer).contents == [MailNote("No one joined a cohort before the last period.")]


def test_a_histogram_has_ten_rows_at_most() -> None:
    detail = widget("histogram", event="sale", property="ms")
    answer = Histogram(buckets=[Bucket(float(edge), edge + 1.0, 2) for edge in range(15)])
    [table] = build_part(detail, answer).contents
    assert isinstance(table, MailTable)
    assert [list(row) for row in table.rows] == [
        *[[f"{edge} to {edge + 2}", "4"] for edge in range(0, 14, 2)],
        ["14 to 15", "2"],
    ]
    assert build_part(detail, Histogram(buckets=[])).contents == [MailNote("No values in this time range.")]


def test_a_heatmap_names_the_busiest_hour() -> None:
    cells: list[list[int | None]] = [[0] * 24 for _ in range(7)]
    cells[1][9], cells[6][23] = 5, 5
    detail = widget("heatmap", event="sale")
    note, chart = build_part(detail, Heatmap(cells=cells)).contents
    assert note == MailNote("Busiest: Tuesday, 09:00 to 10:00, with 5.")
    assert isinstance(chart, MailChart)
    assert chart.description == "sale by the hour of the week: Tuesday at 09:00 is the busiest hour"
    assert chart.table is not None
    assert list(chart.table.rows[6]) == ["Sunday", "5"]
    assert build_part(detail, Heatmap(cells=[[0] * 24] * 7)).contents == [MailNote("No events in this time range.")]


def test_a_fetched_value_is_a_number_or_a_text() -> None:
    detail = widget("external", sourceId="s", url="https://example.com/x", valuePath="a", valueType="number")
    at = "2026-11-20T12:00:00.000Z"
    assert build_part(detail, External(value=1234, fetched_at=at, error=None)).contents == [
        BigNumber("", "1,234", None)
    ]
    old = build_part(detail, External(value="<b>", fetched_at=at, error="HTTP 500")).contents
    assert old == [BigNumber("", "<b>", None, note="It could not be fetched; this is the last known value.")]
    none = build_part(detail, External(value=None, fetched_at=None, error="HTTP 500")).contents
    assert none == [MailNote("The value could not be fetched.")]


def test_a_note_is_its_text() -> None:
    assert build_part(widget("note", "T", text="a\n**b**"), Note(text="a\n**b**")).contents == [MailNote("a\n**b**")]


@pytest.mark.parametrize(
    ("type_", "config", "title"),
    [
        ("funnel", {"steps": [{"event": "a"}, {"events": ["b", "c"]}, {"events": "all"}]}, "a → b, c → all events"),
        ("heatmap", {"events": ["a", "b"]}, "a, b by the hour of the week"),
        ("histogram", {"events": "all", "property": "total"}, "total of all events"),
        ("retention", {"cohortEvent": "a"}, "Retention of a"),
        ("table", {"columns": ["time"]}, "Newest events"),
        ("table", {"columns": ["time"], "events": ["a", "b"]}, "Newest a, b"),
        ("kpi", {"items": [{"event": "a", "measure": "count"}]}, ""),
        ("note", {"text": "Hello"}, ""),
    ],
)
def test_a_widget_without_a_title_is_called_what_it_is_about(type_: str, config: dict[str, Any], title: str) -> None:
    assert widget(type_, **config).detail.name == title
    assert widget(type_, " T ", **config).detail.name == " T "


def test_a_widget_without_an_answer_says_so() -> None:
    part = mail_parts.build_problem_part(widget("metric", **METRIC).detail, "It took too long.")
    assert (part.title, part.contents) == ("sale: sum of total", [MailNote("It took too long.")])
