"""What 500 alerts see at a beat, in the one statement that a person would write for the very data of `bench.history`.

It knows what the product cannot know: of which type each property is, that each event has it, and that amounts are
cents, so that 64 bits hold their sum exactly.
"""

from collections.abc import Sequence

from bench.span import DAY_MS, instant_sql
from tallyroom.alerts.rule import AlertRule
from tallyroom.storage.event_store.scope import Scope

MINUTE_MS = 60_000

_SQL_BY_MEASURE = {
    "count": "count{}({})",
    "uniq_actors": "uniqExact{}(actor, {})",
    "sum": "sum{}(toInt64(round(numbers['amount'] * 100)), {}) / 100",
    "p95": "quantileExactInclusive{}(0.95)(numbers['ms'], {})",
}


def build_statement(rules: Sequence[AlertRule], scope: Scope, beat_ms: int) -> str:
    """Return the statement; its rows have the number of a part and of a window, and the values of its rules."""
    return "\nUNION ALL\n".join(
        _part(number, [rules[index] for index in indices], scope, beat_ms)
        for number, indices in enumerate(group_rules(rules))
    )


def group_rules(rules: Sequence[AlertRule]) -> list[list[int]]:
    """Return the indices of the rules, grouped by event and windows."""
    indices_by_key: dict[tuple[str | None, int, bool, bool], list[int]] = {}
    for index, rule in enumerate(rules):
        key = (rule.event, rule.window_minutes, rule.condition == "anomaly", rule.condition in {"rises", "drops"})
        indices_by_key.setdefault(key, []).append(index)
    return list(indices_by_key.values())


def build_preview_statement(event: str, value: str, scope: Scope, until_ms: int) -> str:
    """Return a statement for one metric of the past 30 days by minute."""
    return f"""
SELECT groupArray((minute, value)) AS minutes FROM (
SELECT toStartOfMinute(timestamp) AS minute, {value} AS value FROM events
WHERE workspace_id = '{scope.workspace_id}' AND environment = '{scope.environment}' AND name = '{event}'
  AND timestamp > {instant_sql(until_ms - 30 * DAY_MS)} AND timestamp <= {instant_sql(until_ms)}
GROUP BY minute) GROUP BY toDate(minute)"""


def _part(number: int, rules: Sequence[AlertRule], scope: Scope, beat_ms: int) -> str:
    first_rule = rules[0]
    window_ms = first_rule.window_minutes * MINUTE_MS
    step_ms, window_count = (DAY_MS, 15) if first_rule.condition == "anomaly" else (window_ms, 1)
    if first_rule.condition in {"rises", "drops"}:
        window_count = 2
    age_sql = f"({beat_ms} - toUnixTimestamp64Milli(timestamp))"
    since_ms = beat_ms - (window_count - 1) * step_ms - window_ms
    values = ", ".join(f"toFloat64({_value(rule)})" for rule in rules)
    return f"""
SELECT {number} AS part, intDiv({age_sql}, {step_ms}) AS window, [{values}] AS values
FROM events
WHERE workspace_id = '{scope.workspace_id}' AND environment = '{scope.environment}' AND name = '{first_rule.event}'
  AND toDate(timestamp) >= toDate({instant_sql(since_ms)}) AND toDate(timestamp) <= toDate({instant_sql(beat_ms)})
  AND timestamp > {instant_sql(since_ms)} AND timestamp <= {instant_sql(beat_ms)}
  AND {age_sql} % {step_ms} < {window_ms}
GROUP BY window""".strip()


def _value(rule: AlertRule) -> str:
    filters = [_filter(str(each.key), each.value) for each in rule.filters]
    return _SQL_BY_MEASURE[rule.measure or "count"].format("If", " AND ".join(filters) or "1")


def _filter(key: str, value: object) -> str:
    if isinstance(value, list):
        texts = ", ".join(f"'{each}'" for each in value)
        return f"strings['{key}'] IN ({texts})"
    return f"strings['{key}'] = '{value}'"
