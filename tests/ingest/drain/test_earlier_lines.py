"""Lines of an earlier version get the exact texts of their numbers before they are sent to the store."""

import itertools

import msgspec
import pytest

from harness.stores.event_store import EventStore, event, fresh_scope, lines
from tallyroom.ingest.drain.earlier_lines import complete_lines
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.row import split_lines

SCOPE = Scope("0192f0f0-0000-7000-8000-000000000001", "production")
PROPERTIES = [
    b"{}",
    b'{"n":1}',
    b'{"n":9007199254740993}',
    b'{"n":18446744073709551617}',  # with a stand-in
    b'{"n":{"m":18446744073709551617}}',
    b'{"n":18446744073709551617,"o":{}}',
]


def earlier_line(properties: bytes, scope: Scope = SCOPE) -> bytes:
    """A line without the last column."""
    row = event(scope, properties=properties, seq=1)
    return msgspec.json.encode(msgspec.structs.astuple(row)[:-1]) + b"\n"


def line(properties: bytes) -> bytes:
    return lines([event(SCOPE, properties=properties, seq=1)])


@pytest.mark.parametrize("properties", PROPERTIES)
def test_a_line_is_the_same_whichever_version_wrote_it(properties: bytes) -> None:
    assert complete_lines(earlier_line(properties), 1) == line(properties)
    assert complete_lines(line(properties), 1) == line(properties)


@pytest.mark.parametrize(("first", "second"), [*itertools.permutations(PROPERTIES, 2)])
def test_lines_of_both_versions_may_be_in_one_block(first: bytes, second: bytes) -> None:
    body = line(first) + earlier_line(second) + earlier_line(first) + line(second)
    assert split_lines(complete_lines(body, 4)) == [line(first), line(second), line(first), line(second)]


@pytest.mark.parametrize("damaged_line", [b"[1,2]\n", b"\xff\n", b"", earlier_line(b"{}")[:-3] + b"\n", b"{}]\n"])
def test_a_line_that_cannot_be_read_stays(damaged_line: bytes) -> None:
    assert complete_lines(damaged_line + earlier_line(b"{}"), 2) == damaged_line + line(b"{}")


def test_the_store_has_the_texts_of_both(event_store: EventStore) -> None:
    scope = fresh_scope()
    wide = b'{"n":9007199254740993}'
    body = earlier_line(wide, scope) + lines([event(scope, properties=wide, seq=2)])
    event_store.writer.insert_events(complete_lines(body, 2), scope.workspace_id)
    found = event_store.select("SELECT number_texts FROM events WHERE {scope} ORDER BY seq", scope)
    assert found == [[{"n": "9007199254740993"}]] * 2
