"""The engine gets the text of a parameter that the client of a server would send."""

from typing import Any

from clickhouse_connect.driver.binding import format_bind_value
from hypothesis import given
from hypothesis import strategies as st

from harness.stores.event_store import EventStore
from tallyroom.storage.event_store.backend.parameter_text import format_parameter

NUMBERS = st.integers() | st.floats() | st.booleans()
TEXTS = st.text() | st.text(alphabet="\\'`\"\t\n\r\0N{}%")


SINGLES = TEXTS | NUMBERS | st.dates() | st.uuids()


@given(SINGLES | st.lists(SINGLES) | st.lists(st.tuples(SINGLES, SINGLES)))
def test_it_is_what_the_client_of_a_server_sends(value: Any) -> None:
    assert format_parameter(value) == format_bind_value(value)


def test_the_engine_reads_it_back(event_store: EventStore) -> None:
    texts = ["", "it's", "a\\b", "\\'", "tab\tline\n", "`é😀", "\\N", "{n:String}"]
    pairs = [(text, text) for text in texts]
    query = "SELECT {t:Array(String)} = [{a:String}], {p:Array(Tuple(String, String))} = [({a:String}, {a:String})]"
    for text, pair in zip(texts, pairs, strict=True):
        answer = event_store.writer.command(query, {"t": [text], "a": text, "p": [pair]})
        assert answer.split() == ["1", "1"]
