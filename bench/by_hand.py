"""The widgets of a dashboard in the SQL that a person would write for the very data of `bench.history`.

It knows what the product cannot know: of which type each property is, and that each event has it; that amounts are
cents, so that 64 bits hold their sum exactly; that there are 25 events in a day and some fifty values of a label at
most; that days and weeks in UTC are all of one length; that no two events of an actor at one millisecond decide a
funnel.
"""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

from bench.span import DAY_MS, Asking, ByHand, JsonRow, Span, instant, labels_of
from tallyroom.core.times import datetime_from_ms, iso_ms

WEEK_MS = 7 * DAY_MS
WEEKS = 8
BUCKETS = 20
AMOUNTS = "sum(toInt64(round(numbers['amount'] * 100))) / 100"
"""The sum of the amounts, the same in any order."""
_STEP_MS = 168 * 3_600_000
_OF_SHARE = "name IN ('event_0', 'event_2')"


def counter(measure: str, condition: str = "name = 'event_0'") -> ByHand:
    """One number of the events that meet a condition, and that of the window before."""

    def ask(span: Span) -> Asking:
        rows = yield (
            f"SELECT {span.is_current} AS current, {measure} AS value FROM events"
            f" {span.where(condition, before=True)} GROUP BY current"
        )
        values = {row["current"]: row["value"] for row in rows}
        empty = None if measure.startswith("quantile") else 0
        return {"value": values.get(1, empty), "previous": values.get(0, empty)}

    return ask


def by_day(measure: str) -> ByHand:
    """A number for each day."""

    def ask(span: Span) -> Asking:
        rows = yield (
            f"SELECT toDate(timestamp) AS day, {measure} AS value FROM events {span.where(_named(0))} GROUP BY day"
        )
        return {"points": _points(span, {row["day"]: row["value"] for row in rows})}

    return ask


def share(span: Span) -> Asking:
    """How many of one event there are for a hundred of another, and in the window before."""
    rows = yield (
        f"SELECT {span.is_current} AS current, countIf({_named(0)}) AS a, countIf({_named(2)}) AS b"
        f" FROM events {span.where(_OF_SHARE, before=True)} GROUP BY current"
    )
    values = {row["current"]: _percent(row) for row in rows}
    return {"value": values.get(1), "previous": values.get(0)}


def share_by_label(label: str) -> ByHand:
    """The same for each label; there are three."""

    def ask(span: Span) -> Asking:
        rows = yield (
            f"SELECT {label} AS label, countIf({_named(0)}) AS a, countIf({_named(2)}) AS b"
            f" FROM events {span.where(_OF_SHARE)} GROUP BY label"
        )
        found = [{"label": row["label"], "value": _percent(row)} for row in rows]
        return {"rows": sorted(found, key=lambda row: -row["value"])}

    return ask


def by_week(measure: str) -> ByHand:
    """A number for each week."""

    def ask(span: Span) -> Asking:
        rows = yield (
            f"SELECT toMonday(timestamp) AS week, {measure} AS value FROM events {span.where(_named(0))} GROUP BY week"
        )
        values = {row["week"]: row["value"] for row in rows}
        first = datetime_from_ms(span.from_ms).date()
        weeks = [first - timedelta(days=first.weekday())]
        while weeks[-1] + timedelta(days=7) <= datetime_from_ms(span.until_ms).date():
            weeks.append(weeks[-1] + timedelta(days=7))
        return {"points": [{"t": f"{week}T00:00:00.000Z", "value": values.get(str(week), 0)} for week in weeks]}

    return ask


def by_label_with_rest(label: str) -> ByHand:
    """The ten labels of most events, and what all others have; every event has a label."""

    def ask(span: Span) -> Asking:
        rows = yield (
            f"SELECT {label} AS label, count() AS value FROM events {span.where(_named(0))}"
            " GROUP BY label ORDER BY value DESC, label"
        )
        other = sum(row["value"] for row in rows[10:])
        rest = [{"label": None, "value": 0, "kind": "none"}, {"label": None, "value": other, "kind": "other"}]
        return {"rows": [*rows[:10], *rest]}

    return ask


def by_label(label: str) -> ByHand:
    """The ten labels of most events."""

    def ask(span: Span) -> Asking:
        rows = yield (
            f"SELECT {label} AS label, count() AS value FROM events {span.where(_named(0))}"
            " GROUP BY label ORDER BY value DESC, label LIMIT 10"
        )
        return {"rows": rows}

    return ask


def by_label_and_day(measure: str) -> ByHand:
    """A number for each plan and day; there are three plans."""

    def ask(span: Span) -> Asking:
        rows = yield (
            f"SELECT strings['plan'] AS label, toDate(timestamp) AS day, {measure} AS value FROM events"
            f" {span.where(_named(0))} GROUP BY label, day"
        )
        series: dict[str, dict[str, Any]] = {}
        for row in rows:
            series.setdefault(row["label"], {})[row["day"]] = row["value"]
        highest = sorted(series.items(), key=lambda each: -sum(each[1].values()))
        return {"series": [{"label": label, "points": _points(span, days)} for label, days in highest]}

    return ask


def kpi(span: Span) -> Asking:
    """Four numbers of three events."""
    wanted = {
        0: ("count()", "uniqExact(actor)"),
        1: (AMOUNTS, "0"),
        2: ("quantileExactInclusive(0.5)(numbers['ms'])", "0"),
    }
    rows = yield "\nUNION ALL\n".join(
        f"SELECT {event} AS event, {span.is_current} AS current, toFloat64({one}) AS one, toFloat64({two}) AS two"
        f" FROM events {span.where(_named(event), before=True)} GROUP BY current"
        for event, (one, two) in wanted.items()
    )
    current = {row["event"]: row for row in rows if row["current"]}
    values = [current[0]["one"], current[0]["two"], current[1]["one"], current[2]["one"]]
    return {"items": [{"value": value} for value in values]}


def table(span: Span) -> Asking:
    """The newest 25 events, and the labels of their actors."""
    since = span.until_ms - DAY_MS
    last_day = span._replace(from_ms=since).where(f"toDate(timestamp) >= toDate({instant(since)})")
    rows = yield (
        "SELECT id, name, actor, toUnixTimestamp64Milli(timestamp) AS at, source, properties"
        f" FROM events {last_day} ORDER BY timestamp DESC, received_at DESC, spool DESC, seq DESC LIMIT 25"
    )
    labels = yield labels_of(span, {row["actor"] for row in rows})
    names = {row["actor"]: row["label"] for row in labels}
    events = [
        {"id": row["id"], "name": row["name"], "timestamp": iso_ms(row["at"]), "actorLabel": names[row["actor"]]}
        for row in rows
    ]
    return {"rows": [{"event": event} for event in events]}


def funnel(unit: str, *, exclude: int | None = None, label: str = "") -> ByHand:
    """Three steps, each within a week of the one before. An event is its time and, in two bits, its step.

    With `exclude`, an event of that number between the first two steps breaks the chain; its bits are a fourth step.
    With `label`, of which a unit has one, each label has a series of its own.
    """
    reach = 4 * _STEP_MS + 1
    excluded = f"{_named(exclude)}" if exclude is not None else "0"
    first_or_excluded = "bitAnd(each, 3) IN (0, 3)" if exclude is not None else "bitAnd(each, 3) = 0"

    labelled, of_label, by_label = (
        (f", any({label}) AS label", ", label", " GROUP BY label WITH ROLLUP") if label else ("", "", "")
    )

    def ask(span: Span) -> Asking:
        three = span.where(f"(name IN ('event_0', 'event_1', 'event_2') OR {excluded})")
        rows = yield f"""
SELECT count() AS ones, countIf(two > 0) AS twos, countIf(three > 0) AS threes,
       quantileExactInclusiveIf(0.5)(two_took, two > 0) AS two_took_half,
       quantileExactInclusiveIf(0.5)(three_took, three > 0) AS three_took_half{of_label}
FROM (
  SELECT arrayFirstIndex(each -> each > 0, twos) AS two,
         arrayFirstIndex(each -> each > 0, threes) AS three,
         bitShiftRight(steps[two], 2) - bitShiftRight(last_ones[two], 2) AS two_took,
         bitShiftRight(steps[three], 2) - bitShiftRight(last_twos[three], 2) AS three_took{of_label}
  FROM (
    SELECT arraySort(groupArray(4 * toUInt64(toUnixTimestamp64Milli(timestamp))
                                + (name = 'event_1') + 2 * (name = 'event_2')
                                + 3 * ({excluded}))) AS steps,
           arrayFill(each -> {first_or_excluded}, steps) AS last_ones,
           arrayMap((each, one) -> if(bitAnd(each, 3) = 1 AND bitAnd(one, 3) = 0 AND each - one <= {reach}, each, 0),
                    steps, last_ones) AS twos,
           arrayFill(each -> each > 0, twos) AS last_twos,
           arrayMap((each, two) -> if(bitAnd(each, 3) = 2 AND two > 0 AND each - two <= {reach}, each, 0),
                    steps, last_twos) AS threes{labelled}
    FROM events {three}
    GROUP BY {unit}
    HAVING arrayExists(each -> bitAnd(each, 3) = 0, steps)
  )
){by_label}"""
        found = {row.get("label", ""): _steps(row) for row in sorted(rows, key=lambda row: -row["ones"])}
        series = [{"label": name, "steps": steps} for name, steps in found.items() if name]
        return {"steps": found[""], **({"series": series} if label else {})}

    return ask


def retention(unit: str) -> ByHand:
    """Eight weeks; a unit's returns are one bit a week, and units with the same bits are counted together."""

    def ask(span: Span) -> Asking:
        start = _monday(span.until_ms)
        week = f"intDiv(toUnixTimestamp64Milli(timestamp) - {start}, {WEEK_MS})"
        is_return = f"name = 'event_1' AND timestamp >= {instant(start)}"
        rows = yield f"""
SELECT intDiv(first_ms - {start}, {WEEK_MS}) AS cohort, returns, count() AS units
FROM (
  SELECT minIf(toUnixTimestamp64Milli(timestamp), name = 'event_0') AS first_ms,
         groupBitOrIf(bitShiftLeft(toUInt8(1), greatest(0, {week})), {is_return}) AS returns
  FROM events
  WHERE {span.scope} AND timestamp <= {instant(span.until_ms)} AND (name = 'event_0' OR {is_return})
  GROUP BY {unit}
)
WHERE first_ms >= {start}
GROUP BY cohort, returns"""
        grid = [[0] * (WEEKS - cohort) for cohort in range(WEEKS)]
        for row in rows:
            grid[row["cohort"]][0] += row["units"]
            for later in range(1, WEEKS - row["cohort"]):
                grid[row["cohort"]][later] += row["units"] * (row["returns"] >> (row["cohort"] + later) & 1)
        starts = [iso_ms(start + cohort * WEEK_MS) for cohort in range(WEEKS)]
        return {"cohorts": [{"start": at, "values": values} for at, values in zip(starts, grid, strict=True)]}

    return ask


def histogram(span: Span) -> Asking:
    """Amounts have two decimals, so there are some 10,000 of them, which are counted in one pass."""
    edge = f"least * (1 - step / {BUCKETS}) + greatest * (step / {BUCKETS})"
    [row] = yield f"""
SELECT arrayMap(step -> {edge}, range({BUCKETS} + 1)) AS edges,
       arrayMap(step -> arraySum((amount, counted) -> counted * (amount >= edges[step]
                                   AND (amount < edges[step + 1] OR step = {BUCKETS})), amounts, counts),
                range(1, {BUCKETS} + 1)) AS buckets
FROM (
  SELECT groupArray(amount) AS amounts, groupArray(counted) AS counts, min(amount) AS least, max(amount) AS greatest
  FROM (SELECT numbers['amount'] AS amount, count() AS counted FROM events {span.where(_named(0))} GROUP BY amount)
)"""
    spans = zip(pairwise(row["edges"]), row["buckets"], strict=True)
    return {"buckets": [{"from": start, "to": end, "count": count} for (start, end), count in spans]}


def heatmap(span: Span) -> Asking:
    """Days of the week and hours, in UTC."""
    rows = yield (
        f"SELECT toDayOfWeek(timestamp, 1) AS day, toHour(timestamp) AS hour, count() AS counted"
        f" FROM events {span.where(_named(0))} GROUP BY day, hour"
    )
    cells = [[0] * 24 for _ in range(7)]
    for row in rows:
        cells[row["day"]][row["hour"]] = row["counted"]
    return {"cells": cells}


def _steps(row: JsonRow) -> list[JsonRow]:
    found = [{"count": row["ones"]}]
    for count, half in ((row["twos"], row["two_took_half"]), (row["threes"], row["three_took_half"])):
        found.append({"count": count, "medianSecondsFromPrevious": None if half is None else half / 1000})
    return found


def _percent(row: JsonRow) -> float | None:
    return float(f"{row['b'] / row['a'] * 100:.15g}") if row["a"] else None


def _named(number: int) -> str:
    return f"name = 'event_{number}'"


def _points(span: Span, values: dict[str, Any]) -> list[JsonRow]:
    return [{"t": iso_ms(day), "value": values.get(iso_ms(day)[:10], 0)} for day in span.days()]


def _monday(until_ms: int) -> int:
    today = datetime_from_ms(until_ms).date()
    monday = today - timedelta(days=today.weekday(), weeks=WEEKS - 1)
    return int(datetime(monday.year, monday.month, monday.day, tzinfo=UTC).timestamp() * 1000)
