"""Compiles the workspace into a query, and refuses text that could read outside it.

The SQL of this program is written by its authors and its values are bound, so nobody should ever see these refusals.
They are a second safety net: the engine runs in this process, so a slip in a query could read another workspace, or a
file of the host.
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
_SCOPES = {_SCOPE, _SCOPE_WITH_HIDDEN, _LISTING}
_SCOPES_OF = dict.fromkeys(EVENT_TABLES, (_SCOPE, _SCOPE_WITH_HIDDEN)) | dict.fromkeys(LISTING_TABLES, (_LISTING,))
_LISTING_SQL = "workspace_id = {workspace_id:UUID}"
_SCOPE_SQL = "workspace_id = {workspace_id:UUID} AND environment = {environment:String}"

_NOT_HIDDEN = f"""{_SCOPE_SQL}
  AND (timestamp, spool, seq) NOT IN (SELECT timestamp, spool, seq FROM hidden_events WHERE {_SCOPE_SQL})"""

_ACTORS_TO_RELABEL = f"SELECT actor FROM hidden_events WHERE {_SCOPE_SQL} AND labelled"

# For actors with a hidden label, the newest label that is not hidden.
_VISIBLE_LABELS = f"""(
  SELECT workspace_id, environment, actor, newest
  FROM actor_labels
  WHERE {_SCOPE_SQL} AND actor NOT IN ({_ACTORS_TO_RELABEL})
  UNION ALL
  SELECT workspace_id, environment, actor,
         max((events.timestamp, events.received_at, spool, seq, actor_label)) AS newest
  FROM events
  WHERE {_NOT_HIDDEN} AND actor IN ({_ACTORS_TO_RELABEL}) AND actor_label != ''
  GROUP BY workspace_id, environment, actor
) WHERE {_SCOPE_SQL}"""

_EVENTS_READ = re.compile(rf"\b{EVENTS}(?P<alias>\s+AS\s+\w+)?\s+WHERE\s+{{scope}}", re.IGNORECASE)
_LABELS_READ = re.compile(rf"\b{ACTOR_LABELS}\s+WHERE\s+{{scope}}", re.IGNORECASE)

# Nothing else - comments, other quotes, semicolons - has a place in a query of this program.
_TOKEN = re.compile(
    r"""\s+
      | (?P<text>'(?:[^'\\]|\\.)*')
      | (?P<slot>\{\w+(?::[\w(), ]+)?\})
      | (?P<word>[A-Za-z_]\w*)
      | (?P<sign>[0-9][\w.]*|->|<=|>=|!=|-(?!-)|/(?!\*)|[+*%=<>(),.\[\]])""",
    re.VERBOSE,
)
_STATEMENTS = {"SELECT", "WITH"}
_NEVER = {"INTO", "OUTFILE", "INSERT", "SETTINGS", "SET", "USE", "FORMAT", "SYSTEM", "PREWHERE", "KILL", "SHOW"}
_OUTSIDE = {"file", "url", "s3", "remote", "remotesecure", "merge", "cluster", "input", "executable", "loop", "view"}
_AFTER_SCOPE = {"AND", "GROUP", "ORDER", "LIMIT", "HAVING", "UNION", ")", ""}
_END_OF_CONDITION = {"GROUP", "ORDER", "LIMIT", "HAVING", "UNION"}


class Scope(msgspec.Struct, frozen=True):
    """Whose events a query may see; it comes from the principal alone (rules/safety#whose-data)."""

    workspace_id: str
    environment: str


class Listing(msgspec.Struct, frozen=True):
    """Whose bots a query may see; it comes from the principal alone (rules/statistics#listing)."""

    workspace_id: str


class UnscopedQuery(Internal):
    """A query of this program lacks its scope or is not a plain SELECT; a fault of the program."""


class _Token(NamedTuple):
    kind: str
    text: str


@lru_cache(maxsize=1024)
def scoped(sql: str, *, hides: bool = False) -> str:
    """Return `sql` with its scope compiled in.

    Every ``FROM`` or ``JOIN`` must name a sub-query in parentheses, an earlier ``WITH``, or a table. A table must be
    followed immediately by ``WHERE {scope}``, or by ``WHERE {listing}`` if it is a table of listings, and by nothing on
    the same level that could widen the condition. ``FINAL`` may follow a table.

    Args:
        sql: the text.
        hides: True if the scope has hidden events; the compiled text leaves them and their labels out.

    Raises:
        UnscopedQuery: the text does not follow these rules.
    """
    tokens = [*_tokens(sql), _Token("end", "")]
    _check_words(tokens)
    with_names = _with_names(tokens)
    reads = [at for at, token in enumerate(tokens) if token.text.upper() in {"FROM", "JOIN"}]
    scopes = sum(_check_read(tokens, at + 1, with_names) for at in reads)
    mentions = sum(token.kind == "word" and token.text.lower() in SCOPED_TABLES for token in tokens)
    if not scopes == mentions == sum(token.text in _SCOPES for token in tokens) or scopes == 0:
        raise UnscopedQuery("A query reads events outside its workspace.")
    if hides:
        sql = _EVENTS_READ.sub(lambda read: read[0].replace(_SCOPE, _NOT_HIDDEN), sql)
        sql = _LABELS_READ.sub(lambda _: _VISIBLE_LABELS, sql)
    for slot, condition in ((_SCOPE, _SCOPE_SQL), (_SCOPE_WITH_HIDDEN, _SCOPE_SQL), (_LISTING, _LISTING_SQL)):
        sql = sql.replace(slot, condition)
    return sql


def _tokens(sql: str) -> Iterator[_Token]:
    at = 0
    while at < len(sql):
        match = _TOKEN.match(sql, at)
        if match is None:
            raise UnscopedQuery("A query has a sign that no query of this program has.")
        if match.lastgroup:
            yield _Token(match.lastgroup, match[0])
        at = match.end()


def _check_words(tokens: list[_Token]) -> None:
    if tokens[0].text.upper() not in _STATEMENTS:
        raise UnscopedQuery("A query is no SELECT.")
    if "WITH" in {token.text.upper() for token in tokens[1:]}:
        raise UnscopedQuery("A query names a sub-query where another could take the name for its own.")
    for token, following in pairwise(tokens):
        if token.text.upper() == "IN" and following.kind == "word":
            raise UnscopedQuery("A query asks a whole table.")
        outside = following.text == "(" and token.text.lower() in _OUTSIDE
        identifier = token.kind == "slot" and "identifier" in token.text.lower()
        if (token.kind == "word" and token.text.upper() in _NEVER) or outside or identifier:
            raise UnscopedQuery("A query asks for more than its workspace's events.")


def _with_names(tokens: list[_Token]) -> set[str]:
    """Return the names that ``WITH name AS (`` defines."""
    return {
        name.text
        for name, word, opening in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if name.kind == "word" and word.text.upper() == "AS" and opening.text == "("
    }


def _check_read(tokens: list[_Token], at: int, with_names: set[str]) -> bool:
    """Check the source at `at`: True for a table with its scope, False for a sub-query or a name from ``WITH``."""
    source = tokens[at].text
    after = (_closing(tokens, at) if source == "(" else at) + 1
    if tokens[after].text.upper() == "AS":
        after += 2
    if tokens[after].text.upper() == "FINAL" and source in SCOPED_TABLES:
        after += 1
    is_named = source in with_names and source.lower() not in SCOPED_TABLES
    if (is_named or source == "(") and tokens[after].text not in {",", ".", "("}:
        return False
    is_scoped = tokens[after].text.upper() == "WHERE" and tokens[after + 1].text in _SCOPES_OF.get(source, ())
    if not is_scoped:
        raise UnscopedQuery("A query reads a table without its scope.")
    _check_condition(tokens, after + 2)
    return True


def _closing(tokens: list[_Token], at: int) -> int:
    """Return the index at which the parenthesis that opens at `at` closes."""
    depth = 0
    while tokens[at].text:
        depth += {"(": 1, ")": -1}.get(tokens[at].text, 0)
        if depth == 0:
            break
        at += 1
    return at


def _check_condition(tokens: list[_Token], at: int) -> None:
    """Refuse a condition that can be true outside the scope: ``{scope} OR …`` on the scope's own level."""
    if tokens[at].text.upper() not in _AFTER_SCOPE:
        raise UnscopedQuery("A query changes its scope.")
    depth = 0
    while depth >= 0 and tokens[at].text and not (depth == 0 and tokens[at].text.upper() in _END_OF_CONDITION):
        depth += {"(": 1, ")": -1}.get(tokens[at].text, 0)
        if depth == 0 and tokens[at].text.upper() == "OR":
            raise UnscopedQuery("A query widens its scope.")
        at += 1
