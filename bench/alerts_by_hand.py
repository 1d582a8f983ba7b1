"""What 500 alerts see at a beat, in the one statement that a person would write for the very data of `bench.history`.

It knows what the product cannot know: of which type each property is, that each event has it, and that amounts are
cents, so that 64 bits hold their sum exactly.
"""

from collections.abc import Sequence

from bench.span import DAY_MS, instant
from tallyroom.alerts.rule import AlertRule
from tallyroom.storage.event_store.scope import Scope

MINUTE_MS = 60_000

_VALUES = {
    "count": "count{}({})",
    "uniq_actors": "uniqExact{}(actor, {})",
    "sum": "sum{}(toInt64(round(numbers['amount'] * 100)), {}) / 100",
    "p95": "quantileExactInclusive{}(0.95)(numbers['ms'], {})",
}


def seen_by_hand(rules: Sequence[AlertRule], scope: Scope, beat_ms: int) -> str:
    """Return the statement; its rows have the number of a part and of a window, and the values of its rules."""
    return "\nUNION ALL\n".join(
        _part(number, [rules[index] for index in indices], scope, beat_ms)
        for number, indices in enumerate(parts_of(rules))
    )


def parts_of(rules: Sequence[AlertRule]) -> list[list[int]]:
    """Return the indices of the rules, grouped by event and windows."""
    parts: dict[tuple[str | None, int, bool, bool], list[int]] = {}
    for index, rule in enumerate(rules):
        key = (rule.event, rule.window_minutes, rule.condition == "anomaly", rule.condition in {"rises", "drops"})
        parts.setdefault(key, []).append(index)
    return list(parts.values())


def preview_by_hand(event: str, value: str, scope: Scope, until_ms: int) -> str:
    """Return a statement for one metric of the past 30 days by minute."""
    return f"""
SELECT groupArray((minute, value)) AS minutes FROM (
SELECT toStartOfMinute(timestamp) AS minute, {value} AS value FROM events
WHERE workspace_id = '{scope.workspace_id}' AND environment = '{scope.environment}' AND name = '{event}'
  AND timestamp > {instant(until_ms - 30 * DAY_MS)} AND timestamp <= {instant(until_ms)}
GROUP BY minute) GROUP BY toDate(minute)"""


def _part(number: int, rules: Sequence[AlertRule], scope: Scope, beat_ms: int) -> str:
    first = rules[0]
    length = first.window_minutes * MINUTE_MS
    step, windows = (DAY_MS, 15) if first.condition == "anomaly" else (length, 1)
    if first.condition in {"rises", "drops"}:
        windows = 2
    age = f"({beat_ms} - toUnixTimestamp64Milli(timestamp))"
    since = beat_ms - (windows - 1) * step - length
    values = ", ".join(f"toFloat64({_value(rule)})" for rule in rules)
    return f"""
SELECT {number} AS part, intDiv({age}, {step}) AS window, [{values}] AS values
FROM events
WHERE workspace_id = '{scope.workspace_id}' AND environment = '{scope.environment}' AND name = '{first.event}'
  AND toDate(timestamp) >= toDate({instant(since)}) AND toDate(timestamp) <= toDate({instant(beat_ms)})
  AND timestamp > {instant(since)} AND timestamp <= {instant(beat_ms)} AND {age} % {step} < {length}
GROUP BY window""".strip()


def _value(rule: AlertRule) -> str:
    filters = [_filter(str(each.key), each.value) for each in rule.filters]
    return _VALUES[rule.measure or "count"].format("If", " AND ".join(filters) or "1")


def _filter(key: str, value: object) -> str:
    if isinstance(value, list):
        texts = ", ".join(f"'{each}'" for each in value)
        return f"strings['{key}'] IN ({texts})"
    return f"strings['{key}'] = '{value}'"
