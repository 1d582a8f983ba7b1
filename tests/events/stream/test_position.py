"""What clients send back names the position from which they continue, and nothing else does."""

from base64 import urlsafe_b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallyroom.events.stream.position import END_SEQ, StreamPosition, parse_stream_position
from tallyroom.storage.event_store.event_id import EventPosition, id_of

SPOOLS = st.integers(0, 2**32 - 1)
SEEN = st.dictionaries(SPOOLS, st.integers(0, END_SEQ - 1), max_size=5)


@given(SEEN, st.integers(0, 2**48 - 1))
def test_a_place_survives_its_text(seen: dict[int, int], epoch: int) -> None:
    text = StreamPosition(seen, epoch).encode()
    assert parse_stream_position(text) == StreamPosition(seen, epoch)
    assert len(text) <= 3 + 8 + 14 * len(seen)


@given(st.integers(0, 2**48 - 1), SPOOLS, st.integers(0, END_SEQ))
def test_the_id_of_an_event_is_a_place(timestamp_ms: int, spool: int, seq: int) -> None:
    position = EventPosition(timestamp_ms, spool, seq)
    assert parse_stream_position(id_of(position)) == StreamPosition({spool: seq}, event=position)


def test_a_spool_of_which_all_is_seen_takes_no_room() -> None:
    assert parse_stream_position(StreamPosition({1: 5, 2: END_SEQ}, 7).encode()) == StreamPosition({1: 5}, 7)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "w1.",
        "w1.AAAA",
        "w1.AAAAAAAA=",
        "w1.AAAAAAAAA",
        "w2.AAAAAAAA",
        "w1.ÄÄÄÄÄÄÄÄ",
        "w1.AAAAAAAAAAAAAA",
        "w1.AAAA AAAA",
    ],
)
def test_other_texts_name_no_place(text: str) -> None:
    assert parse_stream_position(text) is None


@pytest.mark.parametrize(
    "entries", ["0000000200000000000100000001000000000001", "00000001000000000001" * 2, "00000001" + "f" * 12]
)
def test_one_place_has_one_text(entries: str) -> None:
    """Spools in order, each once, and none with a number that no event has."""
    packed = urlsafe_b64encode(bytes(6) + bytes.fromhex(entries)).rstrip(b"=").decode()
    assert parse_stream_position("w1." + packed) is None
