"""What somebody may have meant who wrote a name or a value that nobody knows (rules/safety#unknown-fields)."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

_LONGEST = 40
"""Characters of a slip; looking for what is near to a longer text costs more than it could help."""

_LONGEST_SHOWN = 60
_NEAR = 0.7
_MARKS = str.maketrans("", "", "_-. ")

_MISNAMED: dict[str, tuple[str, ...]] = {
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
"""Names that other products have for the same, without case and marks: what they are here, the likeliest first."""


def nearest(given: str, known: Iterable[str]) -> str | None:
    """The one of `known` that `given` may have meant; None where nothing is near."""
    if len(given) > _LONGEST:
        return None
    names = {_plain(name): name for name in known}
    wanted = _plain(given)
    if wanted in names:
        return names[wanted]
    for other in _MISNAMED.get(wanted, ()):
        if other in names.values():
            return other
    close = get_close_matches(wanted, names, 1, _NEAR)
    return names[close[0]] if close else None


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """The end of a sentence that refuses `given`; empty where nothing is near."""
    found = nearest(given, known)
    return f"; did you mean {found}?" if found else ""


def must_be_one_of(known: Sequence[str], given: str) -> str:
    """The sentence that refuses the value `given`, of which no more is shown than a line holds."""
    shown = given if len(given) <= _LONGEST_SHOWN else given[:_LONGEST_SHOWN] + "…"
    return f"must be one of {', '.join(known)}, not {shown!r}{did_you_mean(given, known)}"


def _plain(name: str) -> str:
    return name.lower().translate(_MARKS)
