"""The widgets of a dashboard in the SQL that a person would write for the very data of `bench.history`.

It knows what the product cannot know: of which type each property is, and that each event has it; that amounts are
cents, so that 64 bits hold their sum exactly; that there are 25 events in a day and some fifty values of a label at
most; that days and weeks in UTC are all of one length; that no two events of an actor at one millisecond decide a
funnel.
"""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

from bench.span import DAY_MS, AnswerGenerator, HandQuestion, JsonRow, Span, build_labels_sql, instant_sql
from tallyroom.core.times import datetime_from_ms, iso_ms

WEEK_MS = 7 * DAY_MS
WEEK_COUNT = 8
BUCKET_COUNT = 20
AMOUNT_SUM_SQL = "sum(toInt64(round(numbers['amount'] * 100))) / 100"
"""The sum of the amounts, the same in any order."""
_STEP_WINDOW_MS = 168 * 3_600_000
_SHARE_CONDITION = "name IN ('event_0', 'event_2')"


def counter(measure: str, condition: str = "name = 'event_0'") -> HandQuestion:
    """One number of the events that meet a condition, and that of the window before."""

    def ask(span: Span) -> AnswerGenerator:
        rows = yield (
            f"SELECT {span.is_current_sql} AS current, {measure} AS value FROM events"
            f" {span.build_where(condition, with_window_before=True)} GROUP BY current"
        )
        value_by_is_current = {row["current"]: row["value"] for row in rows}
        value_without_events = None if measure.startswith(("quantile", "avg")) else 0
        return {
            "value": value_by_is_current.get(1, value_without_events),
            "previous": value_by_is_current.get(0, value_without_events),
        }

    return ask


def by_day(measure: str) -> HandQuestion:
    """A number for each day."""

    def ask(span: Span) -> AnswerGenerator:
        rows = yield (
            f"SELECT toDate(timestamp) AS day, {measure} AS value"
            f" FROM events {span.build_where(_is_event(0))} GROUP BY day"
        )
        return {"points": _points(span, {row["day"]: row["value"] for row in rows})}

    return ask


def share(span: Span) -> AnswerGenerator:
    """How many of one event there are for a hundred of another, and in the window before."""
    rows = yield (
        f"SELECT {span.is_current_sql} AS current, countIf({_is_event(0)}) AS a, countIf({_is_event(2)}) AS b"
        f" FROM events {span.build_where(_SHARE_CONDITION, with_window_before=True)} GROUP BY current"
    )
    share_by_is_current = {row["current"]: _percent(row) for row in rows}
    return {"value": share_by_is_current.get(1), "previous": share_by_is_current.get(0)}


def share_by_label(label: str) -> HandQuestion:
    """The same for each label; there are three."""

    def ask(span: Span) -> AnswerGenerator:
        rows = yield (
            f"SELECT {label} AS label, countIf({_is_event(0)}) AS a, countIf({_is_event(2)}) AS b"
            f" FROM events {span.build_where(_SHARE_CONDITION)} GROUP BY label"
        )
        label_shares = [{"label": row["label"], "value": _percent(row)} for row in rows]
        return {"rows": sorted(label_shares, key=lambda row: -row["value"])}

    return ask


def by_week(measure: str) -> HandQuestion:
    """A number for each week."""

    def ask(span: Span) -> AnswerGenerator:
        rows = yield (
            f"SELECT toMonday(timestamp) AS week, {measure} AS value"
            f" FROM events {span.build_where(_is_event(0))} GROUP BY week"
        )
        value_by_week = {row["week"]: row["value"] for row in rows}
        first_day = datetime_from_ms(span.from_ms).date()
        weeks = [first_day - timedelta(days=first_day.weekday())]
        while weeks[-1] + timedelta(days=7) <= datetime_from_ms(span.until_ms).date():
            weeks.append(weeks[-1] + timedelta(days=7))
        return {"points": [{"t": f"{week}T00:00:00.000Z", "value": value_by_week.get(str(week), 0)} for week in weeks]}

    return ask


def by_label_with_rest(label: str) -> HandQuestion:
    """The ten labels of most events, and what all others have; every event has a label."""

    def ask(span: Span) -> AnswerGenerator:
        rows = yield (
            f"SELECT {label} AS label, count() AS value FROM events {span.build_where(_is_event(0))}"
            " GROUP BY label ORDER BY value DESC, label"
        )
        other_count = sum(row["value"] for row in rows[10:])
        rest_rows = [
            {"label": None, "value": 0, "kind": "none"},
            {"label": None, "value": other_count, "kind": "other"},
        ]
        return {"rows": [*rows[:10], *rest_rows]}

    return ask


def by_label(label: str) -> HandQuestion:
    """The ten labels of most events."""

    def ask(span: Span) -> AnswerGenerator:
        rows = yield (
            f"SELECT {label} AS label, count() AS value FROM events {span.build_where(_is_event(0))}"
            " GROUP BY label ORDER BY value DESC, label LIMIT 10"
        )
        return {"rows": rows}

    return ask


def by_label_and_day(measure: str) -> HandQuestion:
    """A number for each plan and day; there are three plans."""

    def ask(span: Span) -> AnswerGenerator:
        rows = yield (
            f"SELECT strings['plan'] AS label, toDate(timestamp) AS day, {measure} AS value FROM events"
            f" {span.build_where(_is_event(0))} GROUP BY label, day"
        )
        value_by_day_by_label: dict[str, dict[str, Any]] = {}
        for row in rows:
            value_by_day_by_label.setdefault(row["label"], {})[row["day"]] = row["value"]
        sorted_labels = sorted(value_by_day_by_label.items(), key=lambda item: -sum(item[1].values()))
        return {
            "series": [{"label": label, "points": _points(span, value_by_day)} for label, value_by_day in sorted_labels]
        }

    return ask


def kpi(span: Span) -> AnswerGenerator:
    """Four numbers of three events."""
    measures_by_event = {
        0: ("count()", "uniqExact(actor)"),
        1: (AMOUNT_SUM_SQL, "0"),
        2: ("quantileExactInclusive(0.5)(numbers['ms'])", "0"),
    }
    rows = yield "\nUNION ALL\n".join(
        f"SELECT {event} AS event, {span.is_current_sql} AS current,"
        f" toFloat64({first}) AS one, toFloat64({second}) AS two"
        f" FROM events {span.build_where(_is_event(event), with_window_before=True)} GROUP BY current"
        for event, (first, second) in measures_by_event.items()
    )
    current_row_by_event = {row["event"]: row for row in rows if row["current"]}
    values = [
        current_row_by_event[0]["one"],
        current_row_by_event[0]["two"],
        current_row_by_event[1]["one"],
        current_row_by_event[2]["one"],
    ]
    return {"items": [{"value": value} for value in values]}


def table(span: Span) -> AnswerGenerator:
    """The newest 25 events, and the labels of their actors."""
    last_day_start_ms = span.until_ms - DAY_MS
    last_day_where = span._replace(from_ms=last_day_start_ms).build_where(
        f"toDate(timestamp) >= toDate({instant_sql(last_day_start_ms)})"
    )
    rows = yield (
        "SELECT id, name, actor, toUnixTimestamp64Milli(timestamp) AS at, source, properties"
        f" FROM events {last_day_where} ORDER BY timestamp DESC, received_at DESC, spool DESC, seq DESC LIMIT 25"
    )
    label_rows = yield build_labels_sql(span, {row["actor"] for row in rows})
    label_by_actor = {row["actor"]: row["label"] for row in label_rows}
    events = [
        {
            "id": row["id"],
            "name": row["name"],
            "timestamp": iso_ms(row["at"]),
            "actorLabel": label_by_actor[row["actor"]],
        }
        for row in rows
    ]
    return {"rows": [{"event": event} for event in events]}


def funnel(unit: str, *, exclude: int | None = None, label: str = "", condition: str = "1") -> HandQuestion:
    """Three steps, each within a week of the one before. An event is its time and, in two bits, its step.

    With `exclude`, an event of that number between the first two steps breaks the chain; its bits are a fourth step.
    With `label`, of which a unit has one, each label has a series of its own. `condition` holds for each event.
    """
    reach = 4 * _STEP_WINDOW_MS + 1
    excluded_condition = f"{_is_event(exclude)}" if exclude is not None else "0"
    first_or_excluded = "bitAnd(each, 3) IN (0, 3)" if exclude is not None else "bitAnd(each, 3) = 0"

    any_label_sql, label_column_sql, group_by_label_sql = (
        (f", any({label}) AS label", ", label", " GROUP BY label WITH ROLLUP") if label else ("", "", "")
    )

    def ask(span: Span) -> AnswerGenerator:
        steps_where = span.build_where(
            f"(name IN ('event_0', 'event_1', 'event_2') OR {excluded_condition})", condition
        )
        rows = yield f"""
SELECT count() AS ones, countIf(two > 0) AS twos, countIf(three > 0) AS threes,
       quantileExactInclusiveIf(0.5)(two_took, two > 0) AS two_took_half,
       quantileExactInclusiveIf(0.5)(three_took, three > 0) AS three_took_half{label_column_sql}
FROM (
  SELECT arrayFirstIndex(each -> each > 0, twos) AS two,
         arrayFirstIndex(each -> each > 0, threes) AS three,
         bitShiftRight(steps[two], 2) - bitShiftRight(last_ones[two], 2) AS two_took,
         bitShiftRight(steps[three], 2) - bitShiftRight(last_twos[three], 2) AS three_took{label_column_sql}
  FROM (
    SELECT arraySort(groupArray(4 * toUInt64(toUnixTimestamp64Milli(timestamp))
                                + (name = 'event_1') + 2 * (name = 'event_2')
                                + 3 * ({excluded_condition}))) AS steps,
           arrayFill(each -> {first_or_excluded}, steps) AS last_ones,
           arrayMap((each, one) -> if(bitAnd(each, 3) = 1 AND bitAnd(one, 3) = 0 AND each - one <= {reach}, each, 0),
                    steps, last_ones) AS twos,
           arrayFill(each -> each > 0, twos) AS last_twos,
           arrayMap((each, two) -> if(bitAnd(each, 3) = 2 AND two > 0 AND each - two <= {reach}, each, 0),
                    steps, last_twos) AS threes{any_label_sql}
    FROM events {steps_where}
    GROUP BY {unit}
    HAVING arrayExists(each -> bitAnd(each, 3) = 0, steps)
  )
){group_by_label_sql}"""
        steps_by_label = {row.get("label", ""): _steps(row) for row in sorted(rows, key=lambda row: -row["ones"])}
        series = [
            {"label": label_value, "steps": steps} for label_value, steps in steps_by_label.items() if label_value
        ]
        return {"steps": steps_by_label[""], **({"series": series} if label else {})}

    return ask


def retention(unit: str) -> HandQuestion:
    """Eight weeks; a unit's returns are one bit a week, and units with the same bits are counted together."""

    def ask(span: Span) -> AnswerGenerator:
        start_ms = _first_monday_ms(span.until_ms)
        week_sql = f"intDiv(toUnixTimestamp64Milli(timestamp) - {start_ms}, {WEEK_MS})"
        is_return_sql = f"name = 'event_1' AND timestamp >= {instant_sql(start_ms)}"
        rows = yield f"""
SELECT intDiv(first_ms - {start_ms}, {WEEK_MS}) AS cohort, returns, count() AS units
FROM (
  SELECT minIf(toUnixTimestamp64Milli(timestamp), name = 'event_0') AS first_ms,
         groupBitOrIf(bitShiftLeft(toUInt8(1), greatest(0, {week_sql})), {is_return_sql}) AS returns
  FROM events
  WHERE {span.scope_sql} AND timestamp <= {instant_sql(span.until_ms)} AND (name = 'event_0' OR {is_return_sql})
  GROUP BY {unit}
)
WHERE first_ms >= {start_ms}
GROUP BY cohort, returns"""
        grid = [[0] * (WEEK_COUNT - cohort) for cohort in range(WEEK_COUNT)]
        for row in rows:
            grid[row["cohort"]][0] += row["units"]
            for later in range(1, WEEK_COUNT - row["cohort"]):
                grid[row["cohort"]][later] += row["units"] * (row["returns"] >> (row["cohort"] + later) & 1)
        cohort_starts = [iso_ms(start_ms + cohort * WEEK_MS) for cohort in range(WEEK_COUNT)]
        return {
            "cohorts": [
                {"start": cohort_start, "values": values}
                for cohort_start, values in zip(cohort_starts, grid, strict=True)
            ]
        }

    return ask


def histogram(span: Span) -> AnswerGenerator:
    """Amounts have two decimals, so there are some 10,000 of them, which are counted in one pass."""
    edge_sql = f"least * (1 - step / {BUCKET_COUNT}) + greatest * (step / {BUCKET_COUNT})"
    [row] = yield f"""
SELECT arrayMap(step -> {edge_sql}, range({BUCKET_COUNT} + 1)) AS edges,
       arrayMap(step -> arraySum((amount, counted) -> counted * (amount >= edges[step]
                                   AND (amount < edges[step + 1] OR step = {BUCKET_COUNT})), amounts, counts),
                range(1, {BUCKET_COUNT} + 1)) AS buckets
FROM (
  SELECT groupArray(amount) AS amounts, groupArray(counted) AS counts, min(amount) AS least, max(amount) AS greatest
  FROM (SELECT numbers['amount'] AS amount, count() AS counted
        FROM events {span.build_where(_is_event(0))} GROUP BY amount)
)"""
    ranges_and_counts = zip(pairwise(row["edges"]), row["buckets"], strict=True)
    return {"buckets": [{"from": start, "to": end, "count": count} for (start, end), count in ranges_and_counts]}


def heatmap(span: Span) -> AnswerGenerator:
    """Days of the week and hours, in UTC."""
    rows = yield (
        f"SELECT toDayOfWeek(timestamp, 1) AS day, toHour(timestamp) AS hour, count() AS counted"
        f" FROM events {span.build_where(_is_event(0))} GROUP BY day, hour"
    )
    cells = [[0] * 24 for _ in range(7)]
    for row in rows:
        cells[row["day"]][row["hour"]] = row["counted"]
    return {"cells": cells}


def _steps(row: JsonRow) -> list[JsonRow]:
    steps = [{"count": row["ones"]}]
    for count, median_ms in ((row["twos"], row["two_took_half"]), (row["threes"], row["three_took_half"])):
        steps.append({"count": count, "medianSecondsFromPrevious": None if median_ms is None else median_ms / 1000})
    return steps


def _percent(row: JsonRow) -> float | None:
    return float(f"{row['b'] / row['a'] * 100:.15g}") if row["a"] else None


def _is_event(number: int) -> str:
    return f"name = 'event_{number}'"


def _points(span: Span, value_by_day: dict[str, Any]) -> list[JsonRow]:
    return [
        {"t": iso_ms(day_start_ms), "value": value_by_day.get(iso_ms(day_start_ms)[:10], 0)}
        for day_start_ms in span.list_day_starts_ms()
    ]


def _first_monday_ms(until_ms: int) -> int:
    today = datetime_from_ms(until_ms).date()
    monday = today - timedelta(days=today.weekday(), weeks=WEEK_COUNT - 1)
    return int(datetime(monday.year, monday.month, monday.day, tzinfo=UTC).timestamp() * 1000)
