"""What filters, breakdowns and measures read of an event, in plain Python: the oracle of queries/filters and queries/keys.

Written from rules/questions#filters and rules/events#kinds-of-values, not from the engine: an event's own field is
absent when it is empty, a property when it is null or a list of nothing but nulls. The elements of a list, booleans and
objects read as text.
"""

import json
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any

import re2

from harness.stores.questions import Happened

_COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "gt": operator.gt,
    "gte": operator.ge,
    "lt": operator.lt,
    "lte": operator.le,
}
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")


def matching(events: Iterable[Happened], filters: Iterable[Mapping[str, Any]]) -> list[Happened]:
    """The events that match all of `filters`, as a config holds them."""
    wanted = list(filters)
    return [each for each in events if all(matches(one, each) for one in wanted)]


def matches(filter_: Mapping[str, Any], event: Happened) -> bool:
    """Whether one filter, or one of several alternatives, as a config holds it, is true for an event."""
    return any(_matches(each, event) for each in filter_.get("any", [filter_]))


def _matches(filter_: Mapping[str, Any], event: Happened) -> bool:
    key, op = filter_["key"], filter_["op"]
    value: Any = filter_.get("value")
    if op in {"exists", "not_exists"}:
        return bool(present(key, event) == (op == "exists"))
    if op in {"neq", "not_in"}:
        return present(key, event) and not _equals(key, event, value)
    if op in {"eq", "in"}:
        return _equals(key, event, value)
    if op in _COMPARED:
        return any(_COMPARED[op](number, as_number(value)) for number in numbers_of(key, event))
    if op == "has":
        return isinstance(_sent(key, event), list) and spelled(value) in texts_of(key, event)
    return any(_looks_like(op, text, value) for text in texts_of(key, event))


def present(key: str, event: Happened) -> bool:
    """Whether an event has what `key` names."""
    return bool(texts_of(key, event) or numbers_of(key, event))


def texts_of(key: str, event: Happened) -> list[str]:
    """The different texts that `key` has in an event: one of a text, boolean or object, those of a list's elements."""
    sent = _sent(key, event)
    if sent is None or _is_number(sent):
        return []
    elements = sent if isinstance(sent, list) else [sent]
    return list(dict.fromkeys(spelled(each) for each in elements if each is not None))


def labels_of(key: str, event: Happened) -> list[str]:
    """The different labels that `key` has in an event: its texts, or its number as JSON writes it."""
    return texts_of(key, event) or [_spelled_exactly(number) for number in exact_numbers_of(key, event)]


def numbers_of(key: str, event: Happened) -> list[float]:
    """The number that `key` is in an event, or nothing: the elements of a list are none."""
    sent = _sent(key, event)
    return [float(sent)] if _is_number(sent) else []


def exact_numbers_of(key: str, event: Happened) -> list[Decimal]:
    """The number that `key` is in an event, as the decimal that JSON writes."""
    sent = _sent(key, event)
    return [_exact(sent)] if _is_number(sent) else []


def spelled(value: Any) -> str:
    """A JSON value as the text that it is as an element of a list."""
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return _spelled_number(value)
    return _compact(value)


def as_number(value: Any) -> float | None:
    """The number that the value of a filter is or reads as."""
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        value = float(value)
    if not _is_number(value):
        return None
    return None if abs(value) > 1.7976931348623157e308 else float(value)


def _sent(key: str, event: Happened) -> Any:
    own = {"_actor": event.actor, "_actorLabel": event.label, "_source": event.source, "name": event.name}
    if key in own:
        return own[key] or None
    return event.properties.get(key.removeprefix("prop:"))


def _equals(key: str, event: Happened, value: Any) -> bool:
    """Whether it is that value, or one of those; a list is none."""
    if isinstance(_sent(key, event), list):
        return False
    wanted = value if isinstance(value, list) else [value]
    texts, numbers = texts_of(key, event), exact_numbers_of(key, event)
    return any(spelled(each) in texts or _as_exact_number(each) in numbers for each in wanted)


def _as_exact_number(value: Any) -> Decimal | None:
    if as_number(value) is None:
        return None
    return Decimal(value) if isinstance(value, str) else _exact(value)


def _exact(number: float) -> Decimal:
    """The decimal that JSON writes."""
    return Decimal(number) if isinstance(number, int) else Decimal(repr(number))


def _spelled_exactly(number: Decimal) -> str:
    """As the double is spelled, if that is the same value, else with all digits."""
    double = float(number)
    return _spelled_number(double) if Decimal(repr(double)) == number else format(number, "f")


def _looks_like(op: str, text: str, value: str) -> bool:
    if op == "contains":
        return value.casefold() in text.casefold()
    if op == "starts_with":
        return text.startswith(value)
    options = re2.Options()
    options.dot_nl = True
    return re2.compile(value, options).search(text) is not None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _compact(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{_compact(key)}:{_compact(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_compact, value)) + "]"
    return _spelled_number(value) if isinstance(value, float) else json.dumps(value, ensure_ascii=False)


def _spelled_number(value: float) -> str:
    """Digits without an exponent from a millionth up to 10^21, and no point in a whole number."""
    if value == 0:
        return "0"
    if 1e-6 <= abs(value) < 1e21:
        return format(Decimal(repr(value)), "f").removesuffix(".0")
    return repr(value).replace("e+", "e").replace("e-0", "e-").replace(".0e", "e")
