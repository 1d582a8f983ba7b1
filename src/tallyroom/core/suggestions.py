"""Guesses what a client meant by an unknown name or value (rules/safety#unknown-fields)."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

_MAX_SLIP_LENGTH = 40  # the longest text to search a match for; longer ones cost more than a match could help
_MAX_EXCERPT_LENGTH = 60
_MIN_SIMILARITY = 0.7
_MARK_REMOVAL = str.maketrans("", "", "_-. ")

_SYNONYMS: dict[str, tuple[str, ...]] = {
    # fields of filters and questions
    "property": ("key",),
    "prop": ("key", "property"),
    "propertykey": ("key", "propKey"),
    "field": ("key", "property"),
    "column": ("key", "property"),
    "operator": ("op",),
    "operation": ("op",),
    "comparator": ("op",),
    "aggregation": ("measure",),
    "aggregate": ("measure",),
    "agg": ("measure",),
    "function": ("measure",),
    "metric": ("measure", "type"),
    "groupby": ("breakdown",),
    "splitby": ("breakdown",),
    "range": ("timeRange", "timeFrame"),
    "period": ("timeRange", "timeFrame"),
    "window": ("timeRange", "timeFrame", "windowHours"),
    "env": ("environment",),
    "tz": ("timezone",),
    "search": ("q", "query"),
    "query": ("q",),
    "sort": ("sortBy",),
    "orderby": ("sortBy",),
    "order": ("sortMethod",),
    "direction": ("sortMethod",),
    "skip": ("offset",),
    "size": ("limit",),
    "text": ("label",),
    "username": ("email",),
    "pagesize": ("limit",),
    # fields of events
    "event": ("name",),
    "eventname": ("name", "event"),
    "user": ("_actor", "userId"),
    "userid": ("_actor",),
    "distinctid": ("_actor",),
    "time": ("_timestamp", "timestamp"),
    "ts": ("_timestamp", "timestamp"),
    "date": ("_timestamp", "timestamp"),
    "props": ("properties",),
    "attributes": ("properties",),
    "data": ("properties", "data_points"),
    "payload": ("properties",),
    "title": ("name",),
    "label": ("name", "title"),
    # of external sources and their widgets
    "path": ("valuePath",),
    "jsonpath": ("valuePath",),
    "hostname": ("host",),
    "domain": ("host",),
    "header": ("headerName",),
    # of bots and pictures
    "servers": ("server_count",),
    "guilds": ("server_count",),
    "guildcount": ("server_count",),
    "shards": ("shard_count",),
    "description": ("short_desc",),
    "series": ("id",),
    "points": ("data_points",),
    # values
    "equals": ("eq",),
    "equal": ("eq",),
    "is": ("eq",),
    "=": ("eq",),
    "==": ("eq",),
    "!=": ("neq",),
    "notequals": ("neq",),
    "isnot": ("neq",),
    ">": ("gt",),
    ">=": ("gte",),
    "<": ("lt",),
    "<=": ("lte",),
    "like": ("contains",),
    "average": ("avg",),
    "mean": ("avg",),
    "distinct": ("uniq",),
    "uniqueusers": ("uniq_actors",),
    "1d": ("24h",),
    "day": ("24h", "1d"),
    "week": ("7d",),
    "month": ("30d",),
    "administrator": ("admin",),
    "readonly": ("read", "viewer"),
}
"""Names in other products, without case and marks, with the names for the same thing here, likeliest first."""


def find_nearest(text: str, choices: Iterable[str]) -> str | None:
    """Return the choice probably meant by `text`; None if nothing is close."""
    if len(text) > _MAX_SLIP_LENGTH:
        return None
    choice_by_key = {_normalize(name): name for name in choices}
    key = _normalize(text)
    if key in choice_by_key:
        return choice_by_key[key]
    for synonym in _SYNONYMS.get(key, ()):
        if synonym in choice_by_key.values():
            return synonym
    close_keys = get_close_matches(key, choice_by_key, 1, _MIN_SIMILARITY)
    return choice_by_key[close_keys[0]] if close_keys else None


def did_you_mean(text: str, choices: Iterable[str]) -> str:
    """Return the end of a sentence that refuses `text`; "" if nothing is close."""
    choice = find_nearest(text, choices)
    return f"; did you mean {choice}?" if choice else ""


def must_be_one_of(choices: Sequence[str], text: str) -> str:
    """Return the sentence that refuses the value `text`, shortened if it is long."""
    excerpt = text if len(text) <= _MAX_EXCERPT_LENGTH else text[:_MAX_EXCERPT_LENGTH] + "…"
    return f"must be one of {', '.join(choices)}, not {excerpt!r}{did_you_mean(text, choices)}"


def _normalize(name: str) -> str:
    return name.lower().translate(_MARK_REMOVAL)
