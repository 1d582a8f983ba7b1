"""Compiles the workspace into a query, and refuses text that could read outside it.

This program's authors write its SQL and bind the values, so these refusals should never occur. They are a second safety
net: the engine runs in this process, so a mistake in a query could read another workspace, or a file of the host.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import msgspec

from tallyroom.core.errors import Internal
from tallyroom.storage.event_store.tables import ACTOR_LABELS, EVENT_TABLES, EVENTS, LISTING_TABLES, SCOPED_TABLES

_SCOPE = "{scope}"
_SCOPE_WITH_HIDDEN = "{scope_with_hidden}"  # for the one list that shows hidden events
_LISTING = "{listing}"
_PLACEHOLDERS = {_SCOPE, _SCOPE_WITH_HIDDEN, _LISTING}
_PLACEHOLDERS_BY_TABLE = dict.fromkeys(EVENT_TABLES, (_SCOPE, _SCOPE_WITH_HIDDEN)) | dict.fromkeys(
    LISTING_TABLES, (_LISTING,)
)
_LISTING_SQL = "workspace_id = {workspace_id:UUID}"
_SCOPE_SQL = "workspace_id = {workspace_id:UUID} AND environment = {environment:String}"

_NOT_HIDDEN_SQL = f"""{_SCOPE_SQL}
  AND (timestamp, spool, seq) NOT IN (SELECT timestamp, spool, seq FROM hidden_events WHERE {_SCOPE_SQL})"""

_ACTORS_TO_RELABEL_SQL = f"SELECT actor FROM hidden_events WHERE {_SCOPE_SQL} AND labelled"

# For actors with a hidden label, the newest label that is not hidden.
_VISIBLE_LABELS_SQL = f"""(
  SELECT workspace_id, environment, actor, newest
  FROM actor_labels
  WHERE {_SCOPE_SQL} AND actor NOT IN ({_ACTORS_TO_RELABEL_SQL})
  UNION ALL
  SELECT workspace_id, environment, actor,
         max((events.timestamp, events.received_at, spool, seq, actor_label)) AS newest
  FROM events
  WHERE {_NOT_HIDDEN_SQL} AND actor IN ({_ACTORS_TO_RELABEL_SQL}) AND actor_label != ''
  GROUP BY workspace_id, environment, actor
) WHERE {_SCOPE_SQL}"""

_EVENTS_READ_PATTERN = re.compile(rf"\b{EVENTS}(?P<alias>\s+AS\s+\w+)?\s+WHERE\s+{{scope}}", re.IGNORECASE)
_LABELS_READ_PATTERN = re.compile(rf"\b{ACTOR_LABELS}\s+WHERE\s+{{scope}}", re.IGNORECASE)

# Nothing else - comments, other quotes, semicolons - belongs in a query of this program.
_TOKEN_PATTERN = re.compile(
    r"""\s+
      | (?P<text>'(?:[^'\\]|\\.)*')
      | (?P<slot>\{\w+(?::[\w(), ]+)?\})
      | (?P<word>[A-Za-z_]\w*)
      | (?P<sign>[0-9][\w.]*|->|<=|>=|!=|-(?!-)|/(?!\*)|[+*%=<>(),.\[\]])""",
    re.VERBOSE,
)
_FIRST_WORDS = {"SELECT", "WITH"}
_BANNED_WORDS = {"INTO", "OUTFILE", "INSERT", "SETTINGS", "SET", "USE", "FORMAT", "SYSTEM", "PREWHERE", "KILL", "SHOW"}
_BANNED_FUNCTIONS = {
    *("file", "url", "s3", "remote", "remotesecure", "cluster"),
    *("merge", "input", "executable", "loop", "view"),
}
_WORDS_AFTER_SCOPE = {"AND", "GROUP", "ORDER", "LIMIT", "HAVING", "UNION", ")", ""}
_CONDITION_END_WORDS = {"GROUP", "ORDER", "LIMIT", "HAVING", "UNION"}


class Scope(msgspec.Struct, frozen=True):
    """Whose events a query may see; it comes from the principal alone (rules/safety#workspace-isolation)."""

    workspace_id: str
    environment: str


class ListingScope(msgspec.Struct, frozen=True):
    """Whose bots a query may see; it comes from the principal alone (rules/statistics#listing)."""

    workspace_id: str


AnyScope = Scope | ListingScope


class UnscopedQuery(Internal):
    """A query of this program lacks its scope or is not a plain SELECT; a bug."""


class _Token(NamedTuple):
    kind: str
    text: str


@lru_cache(maxsize=1024)
def compile_scope(sql: str, *, hides_events: bool = False) -> str:
    """Return `sql` with its scope compiled in; raises `UnscopedQuery` for text that breaks these rules.

    Every ``FROM`` or ``JOIN`` must name a sub-query in parentheses, an earlier ``WITH``, or a table. A table, with
    ``FINAL`` or without, must be followed by ``WHERE {scope}``, or by ``WHERE {listing}`` if it is a table of listings,
    and by nothing on the same level that could widen the condition. `hides_events` leaves out hidden events and their
    labels.
    """
    tokens = [*_tokenize(sql), _Token("end", "")]
    _check_words(tokens)
    with_query_names = _find_with_query_names(tokens)
    read_indexes = [index for index, token in enumerate(tokens) if token.text.upper() in {"FROM", "JOIN"}]
    scoped_read_count = sum(_is_scoped_read(tokens, index + 1, with_query_names) for index in read_indexes)
    table_mention_count = sum(token.kind == "word" and token.text.lower() in SCOPED_TABLES for token in tokens)
    placeholder_count = sum(token.text in _PLACEHOLDERS for token in tokens)
    if not 0 < scoped_read_count == table_mention_count == placeholder_count:
        raise UnscopedQuery("A query reads events outside its workspace.")
    if hides_events:
        sql = _EVENTS_READ_PATTERN.sub(lambda match: match[0].replace(_SCOPE, _NOT_HIDDEN_SQL), sql)
        sql = _LABELS_READ_PATTERN.sub(lambda _: _VISIBLE_LABELS_SQL, sql)
    for placeholder, condition in ((_SCOPE, _SCOPE_SQL), (_SCOPE_WITH_HIDDEN, _SCOPE_SQL), (_LISTING, _LISTING_SQL)):
        sql = sql.replace(placeholder, condition)
    return sql


def _tokenize(sql: str) -> Iterator[_Token]:
    index = 0
    while index < len(sql):
        match = _TOKEN_PATTERN.match(sql, index)
        if match is None:
            raise UnscopedQuery("A query has an unexpected character.")
        if match.lastgroup:
            yield _Token(match.lastgroup, match[0])
        index = match.end()


def _check_words(tokens: list[_Token]) -> None:
    if tokens[0].text.upper() not in _FIRST_WORDS:
        raise UnscopedQuery("A query is not a SELECT.")
    if "WITH" in {token.text.upper() for token in tokens[1:]}:
        raise UnscopedQuery("A query has WITH after its first word.")
    for token, following in pairwise(tokens):
        if token.text.upper() == "IN" and following.kind == "word":
            raise UnscopedQuery("A query uses a whole table after IN.")
        is_outside_read = following.text == "(" and token.text.lower() in _BANNED_FUNCTIONS
        is_identifier_slot = token.kind == "slot" and "identifier" in token.text.lower()
        if (token.kind == "word" and token.text.upper() in _BANNED_WORDS) or is_outside_read or is_identifier_slot:
            raise UnscopedQuery("A query asks for more than its workspace's events.")


def _find_with_query_names(tokens: list[_Token]) -> set[str]:
    return {
        name.text
        for name, word, parenthesis in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if name.kind == "word" and word.text.upper() == "AS" and parenthesis.text == "("
    }


def _is_scoped_read(tokens: list[_Token], index: int, with_query_names: set[str]) -> bool:
    """Check the source at `index`: True for a table with its scope, False for a sub-query or a name from ``WITH``."""
    source = tokens[index].text
    next_index = (_find_closing(tokens, index) if source == "(" else index) + 1
    if tokens[next_index].text.upper() == "AS":
        next_index += 2
    if tokens[next_index].text.upper() == "FINAL" and source in SCOPED_TABLES:
        next_index += 1
    is_with_query = source in with_query_names and source.lower() not in SCOPED_TABLES
    if (is_with_query or source == "(") and tokens[next_index].text not in {",", ".", "("}:
        return False
    placeholders = _PLACEHOLDERS_BY_TABLE.get(source, ())
    if tokens[next_index].text.upper() != "WHERE" or tokens[next_index + 1].text not in placeholders:
        raise UnscopedQuery("A query reads a table without its scope.")
    _check_condition(tokens, next_index + 2)
    return True


def _find_closing(tokens: list[_Token], index: int) -> int:
    depth = 0
    while tokens[index].text:
        depth += {"(": 1, ")": -1}.get(tokens[index].text, 0)
        if depth == 0:
            break
        index += 1
    return index


def _check_condition(tokens: list[_Token], index: int) -> None:
    """Refuse a condition that can be true outside the scope: ``{scope} OR …`` on the same level."""
    if tokens[index].text.upper() not in _WORDS_AFTER_SCOPE:
        raise UnscopedQuery("A query changes its scope.")
    depth = 0
    while depth >= 0 and tokens[index].text and not (depth == 0 and tokens[index].text.upper() in _CONDITION_END_WORDS):
        depth += {"(": 1, ")": -1}.get(tokens[index].text, 0)
        if depth == 0 and tokens[index].text.upper() == "OR":
            raise UnscopedQuery("A query widens its scope.")
        index += 1
