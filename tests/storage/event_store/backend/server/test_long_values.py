"""Whatever a value is, a query means the same with it in its text."""

from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.servers.events_server import FrontServer
from harness.stores.event_store import EventStore, fresh_scope
from harness.suite.few import few
from tallyroom.storage.event_store.backend.server.connection import ServerConnection, open_writing_client
from tallyroom.storage.event_store.backend.server.long_values import inline_long_values
from tallyroom.storage.event_store.errors import StoreError

AWKWARD = [
    "",
    "plain",
    "it's",
    "a\\b",
    "\\'",
    "{n:String}",
    "line\nbreak\ttab",
    "'); DROP TABLE events --",
    "é😀",
    "\\N",
    "%41",
]
LONG = "x'\\{n:String}é" * 2000


def test_short_values_stay_beside_the_query() -> None:
    assert inline_long_values("SELECT {a:String}", {"a": "x" * 3900}) == ("SELECT {a:String}", {"a": "x" * 3900}, {})


def test_the_longest_are_written_into_it_until_the_rest_is_short() -> None:
    sent = inline_long_values("SELECT {a:String}, {b:String}, {c:UInt8}", {"a": "a" * 3000, "b": "b" * 3001, "c": 7})
    assert sent.sql == f"SELECT {{a:String}}, CAST('{'b' * 3001}', 'String'), {{c:UInt8}}"
    assert sent.values == {"a": "a" * 3000, "c": 7}


def test_the_rest_of_the_text_may_be_no_longer_for_it() -> None:
    sent = inline_long_values("SELECT {a:String}", {"a": "é" * 5000})
    grown = len(sent.sql.encode()) - len("SELECT {a:String}")
    assert sent.settings == {"max_query_size": 262_144 + grown}


@pytest.mark.long
@pytest.mark.parametrize("size", [100_000, 300_000, 2_000_000])
def test_a_value_of_any_length_arrives(served_store: EventStore, size: int) -> None:
    [[length, same]] = served_store.select(
        "SELECT length({a:String}), {a:String} = repeat('ab', {n:UInt32})",
        fresh_scope(),
        a="ab" * (size // 2),
        n=size // 2,
    )
    assert (length, same) == (size, 1)


@few(2, "size", [999, 1333, 1500, 3989, 3990, 4095])
@pytest.mark.parametrize("character", ["a", " ", "\\", "é", "😀"])
def test_no_form_is_sent(served_store: EventStore, character: str, size: int) -> None:
    """The client would send one that is a little longer than a URL may be, and the front takes none."""
    text = character * (size // len(character.encode()))
    [[found]] = served_store.select("SELECT {a:String} AS a", fresh_scope(), a=text)
    assert found == text


def test_many_short_values_become_few(served_store: EventStore) -> None:
    values = {f"value{n}": f"text {n}" for n in range(500)}
    sql = "SELECT " + ", ".join(f"{{value{n}:String}} AS v{n}" for n in range(500))
    assert served_store.select(sql, fresh_scope(), **values) == [list(values.values())]


def test_a_list_of_ten_thousand_arrives(served_store: EventStore) -> None:
    names = [f"{n}: it's {LONG[:40]}" for n in range(10_000)]
    [[count, same]] = served_store.select(
        "SELECT length({a:Array(String)}), {last:String} IN {a:Array(String)}", fresh_scope(), a=names, last=names[-1]
    )
    assert (count, same) == (10_000, 1)


@few(2, "text", AWKWARD)
def test_a_text_means_the_same_within_the_query(served_store: EventStore, text: str) -> None:
    ways = [
        served_store.select(
            "SELECT {a:String} AS a, {b:Array(String)} AS b, {pad:String} != ''", fresh_scope(), **values
        )
        for values in (
            {"a": text, "b": [text, "z"], "pad": "p"},
            {"a": text, "b": [text, "z"] + [LONG] * 9, "pad": LONG},
        )
    ]
    assert [row[0] for [row] in ways] == [text, text]
    assert [row[1][:2] for [row] in ways] == [[text, "z"]] * 2


@few(5, "text", AWKWARD)
def test_a_text_that_is_long_itself_stays_what_it_is(served_store: EventStore, text: str) -> None:
    [[found]] = served_store.select("SELECT {a:String} AS a", fresh_scope(), a=text + LONG)
    assert found == text + LONG


@pytest.mark.long
@given(st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), max_size=40))
def test_any_text(served_store: EventStore, text: str) -> None:
    [[one, many]] = served_store.select(
        "SELECT {a:String} AS a, {b:Array(String)} AS b", fresh_scope(), a=text + LONG, b=[text, LONG]
    )
    assert (one, many) == (text + LONG, [text, LONG])


def test_the_text_of_the_question_itself_has_a_limit(served_store: EventStore) -> None:
    padding = f"/* {'x' * 262_144} */"
    with closing(served_store.sealed()) as reader, pytest.raises(StoreError) as refused:
        reader.query(f"SELECT 1 {padding}", {})
    assert refused.value.is_query_too_long


def test_a_statement_that_writes_takes_them_too(events_server: FrontServer) -> None:
    with closing(ServerConnection(open_writing_client(events_server.fresh()))) as connection:
        connection.query("CREATE TABLE kept (a String) ENGINE = MergeTree ORDER BY a", {})
        connection.query("INSERT INTO kept SELECT {a:String}", {"a": LONG})
        assert connection.query("SELECT a = {a:String} FROM kept", {"a": LONG}) == "1\n"
        connection.query("ALTER TABLE kept DELETE WHERE a = {a:String}", {"a": LONG})
        assert connection.query("SELECT count() FROM kept", {}) == "0\n"
