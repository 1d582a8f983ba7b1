"""A part's token names its bytes, and halves lose nothing."""

import itertools

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.stores.event_store import event, fresh_scope, lines
from harness.stores.spool_batches import claim_range
from tallyroom.ingest.drain.insert_part import InsertPart, build_dead_letter


def part(events: int, start: int = 0) -> InsertPart:
    return InsertPart(
        9, claim_range(3, 8), 202611, start, events, b"".join(b"[%d]\n" % number for number in range(events))
    )


def singles(whole: InsertPart) -> list[InsertPart]:
    return [whole] if whole.event_count == 1 else [single for half in whole.split_in_half() for single in singles(half)]


def test_the_token_tells_spool_range_month_and_place() -> None:
    assert part(5, 2).token == "9-3-8-202611-2-7"
    assert part(5, 2).position == (202611, 2, 7)


def test_any_other_part_has_another_token() -> None:
    made = itertools.product(
        [1, 2], [claim_range(1, 1), claim_range(1, 11), claim_range(11, 1)], [202611, 202612], [0, 1], [1, 2]
    )
    tokens = [InsertPart(spool, claim, month, start, events, b"").token for spool, claim, month, start, events in made]
    assert len(set(tokens)) == len(tokens)


@given(st.integers(2, 200))
def test_halving_to_the_end_gives_each_line_once_in_order(events: int) -> None:
    whole = part(events)
    first, second = whole.split_in_half()
    assert first.body + second.body == whole.body
    assert (first.start, first.event_count, second.start, second.start + second.event_count) == (
        0,
        events // 2,
        events // 2,
        events,
    )
    found = singles(whole)
    assert b"".join(single.body for single in found) == whole.body
    assert [single.position for single in found] == [(202611, at, at + 1) for at in range(events)]
    assert len({single.token for single in found}) == events


def test_a_dead_letter_says_whose_it_is() -> None:
    scope = fresh_scope("test")
    body = lines([event(scope, actor="ann", label="Ann")])
    letter = build_dead_letter(InsertPart(1, claim_range(1, 1), 202611, 0, 1, body), "why", 5)
    assert (letter.workspace_id, letter.environment, letter.actor) == (scope.workspace_id, "test", "ann")
    assert (letter.token, letter.reason, letter.put_aside_ms, letter.line) == ("1-1-1-202611-0-1", "why", 5, body)


@pytest.mark.parametrize(
    "body", [b"", b"not json\n", b"[]\n", b"{}\n", b"7\n", b'["w"]\n', b"[\xff]\n", msgspec.json.encode(None)]
)
def test_a_line_that_cannot_be_read_is_kept_as_it_is(body: bytes) -> None:
    letter = build_dead_letter(InsertPart(1, claim_range(1, 1), 202611, 0, 1, body), "why", 5)
    assert (letter.workspace_id, letter.environment, letter.actor, letter.line) == ("", "", "", body)
