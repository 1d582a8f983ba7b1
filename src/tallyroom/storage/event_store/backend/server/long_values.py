"""Writes the long ones among the values of a query into its text.

Values travel in the URL, whose length is limited, or in a form, whose fields are; the text of a query may be as long as
a setting allows.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import quote

from clickhouse_connect.driver.binding import format_bind_value

from tallyroom.storage.event_store.backend.settings import Settings
from tallyroom.storage.event_store.backend.sql_text import literal

_MOST_CHARACTERS = 4000  # of all values in a URL; with a few more, the client would send a form
_TEXT_BYTES = 262_144  # ClickHouse's own limit of a query's text, which holds for the rest of it
_PLACE = re.compile(r"\{(\w+):([^{}]+)\}")


class SentQuery(NamedTuple):
    """A query as it is sent: its text, the values that travel beside it, and the settings that its text needs."""

    sql: str
    values: dict[str, Any]
    settings: Settings


def written_into(sql: str, values: Mapping[str, Any]) -> SentQuery:
    """Return the query with its longest values in the text, so that the others fit beside it."""
    texts = {name: str(format_bind_value(value)) for name, value in values.items()}
    sizes = {name: _size(name, text) for name, text in texts.items()}
    beside = dict(values)
    left = sum(sizes.values())
    for name in sorted(sizes, key=lambda name: -sizes[name]):
        if left <= _MOST_CHARACTERS:
            break
        left -= sizes[name]
        del beside[name]
    if len(beside) == len(values):
        return SentQuery(sql, beside, {})

    def place(match: "re.Match[str]") -> str:
        name, kind = match.groups()
        return match[0] if name in beside or name not in values else _cast(values[name], texts[name], kind)

    text = _PLACE.sub(place, sql)
    growth = len(text.encode()) - len(sql.encode())
    return SentQuery(text, beside, {"max_query_size": _TEXT_BYTES + max(0, growth)})


def _size(name: str, text: str) -> int:
    """Return how much of a URL a value takes; of one that is too long in any case, no more than is needed."""
    return len(name) + len("&param_=") + len(quote(text[: _MOST_CHARACTERS + 1]))


def _cast(value: object, text: str, kind: str) -> str:
    """Return a value as a constant; a text stands for itself, and is formatted only to be a parameter."""
    return f"CAST({literal(value if isinstance(value, str) else text)}, {literal(kind)})"
