"""A value or a name is one piece of SQL, whatever is in it."""

import pytest

from harness.stores.event_store import EventStore
from tallyroom.storage.event_store.backend.sql_text import quote_identifier, quote_literal


@pytest.mark.parametrize("text", ["", "plain", "it's", "a\\b", "\\'", "line\nbreak", "'; DROP TABLE events --", "é😀"])
def test_a_text_comes_back_as_it_was(event_store: EventStore, text: str) -> None:
    assert event_store.writer.command(f"SELECT {quote_literal(text)} FORMAT RawBLOB") == text


def test_a_number_stays_a_number() -> None:
    assert quote_literal(10_000) == "10000"


@pytest.mark.parametrize(("name", "text"), [("a", "`a`"), ("a`b", "`a\\`b`"), ("a\\b", "`a\\\\b`")])
def test_a_name_is_quoted(name: str, text: str) -> None:
    assert quote_identifier(name) == text
