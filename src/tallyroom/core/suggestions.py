"""Guesses what somebody meant by an unknown name or value (rules/safety#unknown-fields)."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

_MAX_LENGTH = 40
"""The longest text that may be a slip; searching for a match for a longer one costs more than it could help."""

_MAX_EXCERPT = 60
_NEAR = 0.7
_MARKS = str.maketrans("", "", "_-. ")

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
"""Names that other products use, without case and marks, and the names for the same thing here, likeliest first."""


def nearest(text: str, choices: Iterable[str]) -> str | None:
    """Return which of `choices` was probably meant by `text`; None if nothing is close."""
    if len(text) > _MAX_LENGTH:
        return None
    names = {_plain(name): name for name in choices}
    key = _plain(text)
    if key in names:
        return names[key]
    for other in _SYNONYMS.get(key, ()):
        if other in names.values():
            return other
    close = get_close_matches(key, names, 1, _NEAR)
    return names[close[0]] if close else None


def did_you_mean(text: str, choices: Iterable[str]) -> str:
    """Return the end of a sentence that refuses `text`; empty if nothing is close."""
    choice = nearest(text, choices)
    return f"; did you mean {choice}?" if choice else ""


def must_be_one_of(choices: Sequence[str], text: str) -> str:
    """Return the sentence that refuses the value `text`, shortening the value if it is long."""
    excerpt = text if len(text) <= _MAX_EXCERPT else text[:_MAX_EXCERPT] + "…"
    return f"must be one of {', '.join(choices)}, not {excerpt!r}{did_you_mean(text, choices)}"


def _plain(name: str) -> str:
    return name.lower().translate(_MARKS)
