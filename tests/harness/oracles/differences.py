"""What is different about some events in plain Python: the oracle of queries/differences.

Written from rules/questions#differences and #usual-band, not from the SQL.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from fractions import Fraction
from statistics import median
from typing import Any

from harness.oracles.filters import exact_numbers_of, labels_of, present
from harness.stores.questions import Happened

MAX_PROBABILITY = Fraction(1, 1000)

Values = dict[str, set[str]]
"""The labels of a unit, or the only one of an event, by key; an empty set for a key without a value to look at."""


def expected_differences(
    events: Sequence[Happened],
    behind: Collection[Happened],
    *,
    unit_of: Callable[[Happened], Any] = lambda event: event.seq,
    skipped_keys: Collection[str] = (),
    question_events: Sequence[Happened] | None = None,
) -> dict[str, Any]:
    """Counts and all differences, in their order; each event is a unit of its own unless `unit_of` says which.

    `question_events` are all events of the question, if there are others than those of the compared units.
    """
    integer_keys = set(find_integer_keys(events if question_events is None else question_events))
    values_by_unit: dict[Any, Values] = defaultdict(lambda: defaultdict(set))
    for event in events:
        values = values_by_unit[unit_of(event)]
        for key in ["name", "_source", *map(key_of, event.properties)]:
            if key not in skipped_keys and present(key, event):
                values[key] |= _looked_at(key, event, integer_keys)
    behind_units = {unit_of(event) for event in behind}
    differences = _compare(values_by_unit, behind_units)
    return {"events": len(behind_units), "of": len(values_by_unit), "properties": differences}


def find_integer_keys(events: Iterable[Happened]) -> list[str]:
    """The keys of properties whose numbers are all integers, at most 200 different ones."""
    numbers_by_key: dict[str, set[Any]] = defaultdict(set)
    for event in events:
        for key in map(key_of, event.properties):
            numbers_by_key[key] |= {*exact_numbers_of(key, event)}
    return [
        key
        for key, numbers in numbers_by_key.items()
        if len(numbers) <= 200 and all(number == int(number) for number in numbers)
    ]


def key_of(property_key: str) -> str:
    """How a filter names a property."""
    is_own_field = property_key in {"", "name", "_source", "_actor", "_actorLabel", "_group"}
    return f"prop:{property_key}" if is_own_field or property_key.startswith("prop:") else property_key


def exact_probability(total: int, marked: int, drawn: int, hits: int) -> Fraction:
    """Twice the smaller tail of the hypergeometric distribution, at most 1."""

    def ways(count: int) -> int:
        return math.comb(marked, count) * math.comb(total - marked, drawn - count)

    least, most = max(0, drawn + marked - total), min(drawn, marked)
    lower, upper = (sum(map(ways, range(*ends))) for ends in ((least, hits + 1), (hits, most + 1)))
    return min(Fraction(2 * min(lower, upper), math.comb(total, drawn)), Fraction(1))


def expected_band(values: Sequence[float | None], *, is_count: bool) -> dict[str, float] | None:
    """Where a number usually is, from what it was in the weeks before."""
    numbers = [value for value in values if value is not None]
    if len(numbers) < 4:
        return None
    middle = median(numbers)
    spread = median([abs(number - middle) for number in numbers])
    margin = max(3 * 1.4826 * spread, 3 * math.sqrt(max(middle, 1)))
    return {"low": max(0.0, middle - margin) if is_count else middle - margin, "high": middle + margin}


def _looked_at(key: str, event: Happened, integer_keys: Collection[str]) -> set[str]:
    if key in {"name", "_source"}:
        return {*labels_of(key, event)}
    sent = event.properties.get(key.removeprefix("prop:"))
    if isinstance(sent, str | bool) or (isinstance(sent, int | float) and key in integer_keys):
        return {*labels_of(key, event)}
    return set()


def _compare(values_by_unit: dict[Any, Values], behind: Collection[Any]) -> list[dict[str, Any]]:
    with_key: dict[str, set[Any]] = defaultdict(set)
    with_value: dict[tuple[str, str], set[Any]] = defaultdict(set)
    for unit, values in values_by_unit.items():
        for key, labels in values.items():
            with_key[key].add(unit)
            for label in labels:
                with_value[key, label].add(unit)
    differences = []
    for (key, label), units in with_value.items():
        counts = [len(with_key[key]), len(units), len(with_key[key] & {*behind}), len(units & {*behind})]
        total, marked, drawn, hits = counts
        if hits < 5:
            continue
        lift = Fraction(hits * total, drawn * marked)
        if Fraction(4, 5) < lift < Fraction(5, 4):
            continue
        if exact_probability(*counts) * len(with_value) >= MAX_PROBABILITY:
            continue
        found = {"key": key, "value": label, "count": hits, "share": hits / drawn, "everybody": marked / total}
        differences.append((-abs(hits - Fraction(marked * drawn, total)), found | {"lift": float(lift)}))
    differences.sort(key=lambda pair: (pair[0], str(pair[1]["key"]), str(pair[1]["value"]).encode()))
    return [row for _, row in differences]
