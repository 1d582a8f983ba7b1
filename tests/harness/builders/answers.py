"""Answers of every kind of widget, as an engine would give them: usual ones, and ones at the edge."""

import math
from collections.abc import Collection, Sequence
from random import Random

from msgspec import UNSET

from harness.builders.graphs import DAY, HOUR, T0
from tallyroom.core.times import iso_ms
from tallyroom.dashboards.kinds.funnel.answer import Funnel, FunnelStep
from tallyroom.dashboards.kinds.heatmap.question import Heatmap
from tallyroom.dashboards.kinds.histogram.question import Histogram
from tallyroom.dashboards.kinds.kpi.question import Kpi, KpiNumber
from tallyroom.dashboards.kinds.retention.question import Cohort, Retention
from tallyroom.queries.breakdown import LabelRow
from tallyroom.queries.buckets import Interval, TimePoint
from tallyroom.queries.config import Config, Result
from tallyroom.queries.label_colors import color_labels
from tallyroom.queries.metric_answers import Categorical, Counter, Multiseries, Series, Timeseries
from tallyroom.queries.values import Bucket, Value

MIDNIGHT = T0 // DAY * DAY
EVERY = {"minute": 60, "hour": HOUR, "day": DAY}


def points(
    values: list[Value], interval: Interval = "day", since: int = MIDNIGHT, partial: Collection[int] = ()
) -> list[TimePoint]:
    """A bucket for each value, some of which the window has only in part."""
    return [
        TimePoint(iso_ms((since + at * EVERY[interval]) * 1000), value, at in partial or UNSET)
        for at, value in enumerate(values)
    ]


def week(seed: int, count: int, size: float, per_day: int = 1) -> list[Value]:
    """Counts that rise and fall with the days of the week, and by day if there are several a day."""
    chance = Random(seed)
    days = [1 + 0.35 * math.sin(at / per_day * 2 * math.pi / 7) for at in range(count)]
    hours = [1 + 0.6 * math.sin(at / per_day * 2 * math.pi - 2) if per_day > 1 else 1 for at in range(count)]
    return [round(size * day * hour * chance.uniform(0.85, 1.15)) for day, hour in zip(days, hours, strict=True)]


def funnel(*counts: int, names: list[str] | None = None, waiting: Sequence[int] = ()) -> Funnel:
    """A funnel through which so many went; `waiting` have still time after each step."""
    names = names or ["bot.invited", "voice.join", "track.play", "queue.add", "e", "f", "g", "h"]
    steps = [
        FunnelStep(
            event=names[at],
            count=count,
            rate=count / max(counts[0], 1),
            step_rate=count / max(counts[max(at - 1, 0)], 1),
            waiting=waiting[at] if at < len(waiting) else 0,
            median_seconds_from_previous=None if not at or not count else 7.0**at,
        )
        for at, count in enumerate(counts)
    ]
    return Funnel(unit_kind="actor", steps=steps)


def retention(periods: int, size: int = 450, seed: int = 1) -> Retention:
    """Cohorts of about one size, of which fewer and fewer come back."""
    chance, cohorts = Random(seed), []
    for at in range(periods):
        many = round(size * chance.uniform(0.8, 1.2))
        back = [round(many * chance.uniform(0.45, 0.62) / (1 + period * 0.33)) for period in range(periods - at - 1)]
        start = iso_ms((MIDNIGHT - (periods - at) * 7 * DAY) * 1000)
        cohorts.append(Cohort(start=start, size=many, values=[many, *back]))
    return Retention(granularity="week", unit_kind="group", cohorts=cohorts)


def heatmap(seed: int = 1, size: float = 4000) -> Heatmap:
    """Much in the evenings, and most at the weekend."""
    chance = Random(seed)
    return Heatmap(
        cells=[
            [
                round(size * (1.3 if day > 3 else 1) * math.exp(-(((hour - 20) / 5) ** 2)) * chance.uniform(0.8, 1.2))
                for hour in range(24)
            ]
            for day in range(7)
        ]
    )


def histogram(count: int = 20, least: float = 12.5, greatest: float = 1240.0, size: int = 4000) -> Histogram:
    """A distribution with a long tail."""
    edges = [least * (1 - at / count) + greatest * (at / count) for at in range(count + 1)]
    counts = [round(size * 7 * (at / count + 0.02) * math.exp(-8 * at / count)) for at in range(count)]
    return Histogram(buckets=[Bucket(*each) for each in zip(edges, edges[1:], counts, strict=False)])


def series(*names: str, count: int = 30, interval: Interval = "day") -> Multiseries:
    """A series for each name, each smaller than the one before."""
    values = [week(at, count, 20_000 * 0.6**at) for at in range(len(names))]
    return Multiseries(
        interval=interval,
        series=[
            Series(name, points(own, interval), total=sum(each or 0 for each in own))
            for name, own in zip(names, values, strict=True)
        ],
    )


def folded(*names: str) -> Multiseries:
    """The same in the colors of the names, and a series for all other names."""
    answer = series(*names, "")
    answer.series[-1].label, answer.series[-1].kind = None, "other"
    colored = color_labels(Config(), answer)
    assert isinstance(colored, Multiseries)
    return colored


SOURCES = ["YouTube Music", "Spotify", "SoundCloud", "Apple Music", "Direct URL", "Bandcamp", "Radio stream"]
VALUES = [742_180, 561_904, 248_311, 161_207, 119_833, 64_120, 42_915]

RESULTS: dict[str, Result] = {
    "line": Timeseries(interval="day", points=points(week(1, 30, 60_000), partial=[29])),
    "line-hours": Timeseries(interval="hour", points=points(week(2, 168, 900, 24), "hour")),
    "line-gaps": Timeseries(
        interval="minute",
        points=points([None if 9 < at % 25 < 17 else 120 + at % 7 * 9.25 for at in range(60)], "minute"),
    ),
    "line-lone": Timeseries(interval="day", points=points([None, None, 41, None, None])),
    "line-one": Timeseries(interval="day", points=points([41])),
    "line-zero": Timeseries(interval="day", points=points([0] * 30)),
    "line-few": Timeseries(interval="hour", points=points([0, 1, 0, 2, 1, 0, 0, 1] * 3, "hour")),
    "line-huge": Timeseries(interval="day", points=points([1.7e308, -1.7e308, 5e307, 0])),
    "line-negative": Timeseries(interval="day", points=points([-1200, -340, 560, 980, -120, 60, 1400])),
    "line-empty": Timeseries(interval="day", points=points([None] * 30)),
    "lines": series("Free", "Plus", "Studio", "Partner"),
    "lines-folded": folded(*(f"/command-{at}" for at in range(8))),
    "lines-long": series(
        "a rather long name of a series that nobody reads", "第二系列はとても長い名前です", "😀 emoji 🎉"
    ),
    "lines-empty": Multiseries(interval="day", series=[]),
    "bars": Categorical(rows=[LabelRow(*each) for each in zip(SOURCES, VALUES, strict=True)]),
    "bars-one": Categorical(rows=[LabelRow("only one", 3)]),
    "bars-many": Categorical(rows=[LabelRow(f"/command-{at}", round(9e5 * 0.8**at)) for at in range(23)]),
    "bars-negative": Categorical(
        rows=[LabelRow("gain", 512), LabelRow("small", 3), LabelRow("none", None), LabelRow("loss", -280)]
    ),
    "bars-huge": Categorical(rows=[LabelRow("huge", 1.7e308), LabelRow("less", -1.7e308), LabelRow("tiny", 1e-9)]),
    "bars-zero": Categorical(rows=[LabelRow("a", 0), LabelRow("b", 0)]),
    "bars-hostile": Categorical(
        rows=[
            LabelRow("<script>alert(1)</script>", 900),
            LabelRow("a very long label " * 9, 812.25),
            LabelRow("שלום עולם", 700),
            LabelRow("مرحبا بالعالم", 650),
            LabelRow("日本語のとても長いラベルで、切られるはずのもの、まだまだ続く、まだまだ続く", 600),
            LabelRow("👩‍👩‍👧 family 🇩🇪", 500),
            LabelRow("", 400),
            LabelRow("\u202eevil\x00", 300),
        ]
    ),
    "bars-empty": Categorical(rows=[]),
    "funnel": funnel(1942, 1588, 1391, 846),
    "funnel-eight": funnel(98_123_456, 51_234_567, 30_000_000, 29_999_999, 400_000, 3_000, 12, 0),
    "funnel-two": funnel(12, 12),
    "funnel-zero": funnel(0, 0, 0),
    "funnel-long": funnel(900, 20, 0, names=["an event with a very long name " * 4, "😀" * 30, "日本" * 40]),
    "cohorts": retention(8),
    "cohorts-twelve": retention(12, 128_000),
    "cohorts-two": retention(2, 3),
    "cohorts-gaps": Retention(
        granularity="month",
        unit_kind="actor",
        cohorts=[
            Cohort(start="2025-11-01T00:00:00.000Z", size=3, values=[3, 3, 0, 1]),
            Cohort(start="2025-12-01T00:00:00.000Z", size=0, values=[0, 0, 0]),
            Cohort(start="2026-01-01T00:00:00.000Z", size=1_000, values=[1_000, 2]),
            Cohort(start="2026-02-01T00:00:00.000Z", size=12, values=[12]),
        ],
    ),
    "cohorts-zero": Retention(
        granularity="day", unit_kind="actor", cohorts=[Cohort(start="2026-02-01T00:00:00.000Z", size=0, values=[0])]
    ),
    "heat": heatmap(),
    "heat-one": Heatmap(cells=[[1 if (day, hour) == (2, 9) else 0 for hour in range(24)] for day in range(7)]),
    "heat-huge": heatmap(2, 3e12),
    "heat-zero": Heatmap(cells=[[0] * 24 for _ in range(7)]),
    "histogram": histogram(),
    "histogram-fifty": histogram(50, -3e6, 9e6, 90),
    "histogram-one": Histogram(buckets=[Bucket(42.0, 42.0, 7)]),
    "histogram-huge": histogram(9, -1.7e308, 1.7e308),
    "histogram-empty": Histogram(buckets=[]),
    "counter": Counter(value=48_213, previous=44_102, delta=0.0932),
    "counter-alone": Counter(value=1_940_000_000, previous=None, delta=None),
    "counter-none": Counter(value=None, previous=3, delta=None),
    "counter-worse": Counter(value=-12.75, previous=3.2, delta=-4.98),
    "counter-zero": Counter(value=0, previous=0, delta=None),
    "counter-huge": Counter(value=-1.7e308, previous=1e-9, delta=1e300),
    "kpi": Kpi(
        items=[
            KpiNumber("Listeners", 48_213, 44_102, 0.0932),
            KpiNumber("Active servers", 3_907, 3_753, 0.041),
            KpiNumber("Tracks played", 1_940_221, 1_720_540, 0.127),
            KpiNumber("Skip rate", 18.2, 19.8, -0.0808),
            KpiNumber("Time to first sound, 95th percentile of everything", 842, 949, -0.113),
            KpiNumber("Playback errors", 2_118, 1_607, 0.318),
        ]
    ),
    "kpi-two": Kpi(items=[KpiNumber("Sign-ups", 0, 0, None), KpiNumber("Revenue", 1.7e308, -3, 9e99)]),
    "kpi-four": Kpi(items=[KpiNumber(name, 12.5, 12.5, 0.0) for name in ("a", "b", "c", "<&>")]),
}
