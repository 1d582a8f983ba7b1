"""What is different about a number, in the SQL that a person would write for the very data of `bench.history`.

It knows that each event has the texts `plan` and `server_id`, whose values have nothing in common, and a source; that
all numbers are too many different ones to be compared; and that no property is anything but text or a number.
"""

from collections.abc import Sequence

from bench.span import AnswerGenerator, HandQuestion, JsonRow, Span
from tallyroom.queries.differences.significance import Sample, is_significant

_STEP_WINDOW_MS = 168 * 3_600_000
_IS_STEP = "name IN ('event_0', 'event_1', 'event_2')"


def event_differences(behind: str, condition: str = "name = 'event_0'", *, with_plan: bool) -> HandQuestion:
    """Of the events that meet a condition; without the plan, if the condition is about the plan."""
    texts_sql = "strings.values" if with_plan else "[strings['server_id']]"

    def ask(span: Span) -> AnswerGenerator:
        where_sql = span.build_where(condition)
        rows = yield f"""
SELECT value, count() AS marked, countIf(behind) AS hits
FROM (SELECT {behind} AS behind,
             arrayJoin(arrayConcat({texts_sql}, [CAST(source, 'String'), CAST(name, 'String')])) AS value
      FROM events {where_sql})
GROUP BY value"""
        return _build_answer(rows)

    return ask


def funnel_differences(span: Span) -> AnswerGenerator:
    """Of the actors who reached the second of three steps, beside those who reached the first one."""
    reach = 2 * _STEP_WINDOW_MS + 1
    rows = yield f"""
SELECT value, count() AS marked, countIf(behind) AS hits
FROM (
  SELECT behind, arrayJoin(arrayConcat(values, sources)) AS value
  FROM (
    SELECT arraySort(groupArrayIf(2 * toUInt64(toUnixTimestamp64Milli(timestamp)) + (name = 'event_1'),
                                  name != 'event_2')) AS steps,
           arrayFill(each -> each % 2 = 0, steps) AS last_ones,
           arrayExists((each, one) -> each % 2 = 1 AND one % 2 = 0 AND each - one <= {reach}, steps, last_ones)
             AS behind,
           groupUniqArrayArray(strings.values) AS values, groupUniqArray(source) AS sources
    FROM events {span.build_where(_IS_STEP)}
    GROUP BY actor
    HAVING countIf(name = 'event_0') > 0
  )
)
GROUP BY value"""
    return _build_answer(rows)


def _build_answer(rows: Sequence[JsonRow]) -> JsonRow:
    """The first ten differences; every event and unit has every key."""
    [total] = [row for row in rows if row["value"] == "web"]
    samples = [(row["value"], Sample(total["marked"], row["marked"], total["hits"], row["hits"])) for row in rows]
    differing = [(value, sample) for value, sample in samples if _differs(sample, len(samples))]
    differing.sort(key=lambda pair: (-abs(pair[1].excess), pair[0]))
    properties = [
        {"value": value, "count": sample.hit_count, "share": sample.share} for value, sample in differing[:10]
    ]
    return {"events": total["hits"], "of": total["marked"], "properties": properties}


def _differs(sample: Sample, value_count: int) -> bool:
    is_frequent = sample.hit_count >= 5 and not 0.8 < sample.lift < 1.25
    return is_frequent and is_significant(sample, 0.001 / value_count)
