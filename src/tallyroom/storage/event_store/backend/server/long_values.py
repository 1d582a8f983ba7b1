"""Moves long values of a query into its text, because URLs and form fields are limited and the text is not."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import quote

from clickhouse_connect.driver.binding import format_bind_value

from tallyroom.storage.event_store.backend.settings import EngineSettings
from tallyroom.storage.event_store.backend.sql_text import quote_literal

_MAX_URL_CHARACTERS = 4000  # of all values in a URL; with a few more, the client would send a form
_DEFAULT_QUERY_BYTES = 262_144  # ClickHouse's own limit of a query's text, which still applies to the rest
_PARAMETER_PATTERN = re.compile(r"\{(\w+):([^{}]+)\}")


class SentQuery(NamedTuple):
    """A query as sent: its text, the values sent separately, and the settings that its text needs."""

    sql: str
    values: dict[str, Any]
    settings: EngineSettings


def inline_long_values(sql: str, values: Mapping[str, Any]) -> SentQuery:
    """Return the query with its longest values in the text, so that the others fit into the URL."""
    text_by_name = {name: str(format_bind_value(value)) for name, value in values.items()}
    length_by_name = {name: _url_length(name, text) for name, text in text_by_name.items()}
    kept_values = dict(values)
    url_length = sum(length_by_name.values())
    for name in sorted(length_by_name, key=lambda name: -length_by_name[name]):
        if url_length <= _MAX_URL_CHARACTERS:
            break
        url_length -= length_by_name[name]
        del kept_values[name]
    if len(kept_values) == len(values):
        return SentQuery(sql, kept_values, {})

    def replace_parameter(match: "re.Match[str]") -> str:
        name, type_name = match.groups()
        if name in kept_values or name not in values:
            return match[0]
        return _cast(values[name], text_by_name[name], type_name)

    inlined_sql = _PARAMETER_PATTERN.sub(replace_parameter, sql)
    growth_bytes = len(inlined_sql.encode()) - len(sql.encode())
    return SentQuery(inlined_sql, kept_values, {"max_query_size": _DEFAULT_QUERY_BYTES + max(0, growth_bytes)})


def _url_length(name: str, text: str) -> int:
    """Return the length of a value in a URL; a value that is too long anyway is not measured to its end."""
    return len(name) + len("&param_=") + len(quote(text[: _MAX_URL_CHARACTERS + 1]))


def _cast(value: object, text: str, type_name: str) -> str:
    """Return a value as a constant; a string is used directly, because only parameters need formatting."""
    return f"CAST({quote_literal(value if isinstance(value, str) else text)}, {quote_literal(type_name)})"
