"""Which rows go through, what is left open, and what nobody knows any more."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from tallyroom.import_export.batch import ImportBatch, SentRow
from tallyroom.import_export.batch_delivery import BatchOutcome
from tallyroom.import_export.endpoint import EVENTS_ENDPOINT
from tallyroom.import_export.ids.ledger import ImportLedger, Undecided
from tallyroom.import_export.ids.state import ImportState
from tallyroom.import_export.row import RefusedRow
from tallyroom.storage.spool.replays import KEEP_MS

NOW_MS = 1_795_176_000_000
HOUR_MS = 3_600_000


def row(number: int) -> SentRow:
    return SentRow(number, b'{"name":"e"}', b"", b"mark%d" % number)


def ledger(state: ImportState, now_ms: int = NOW_MS) -> ImportLedger:
    return ImportLedger(state, lambda: now_ms)


def batch(key: str, *numbers: int) -> ImportBatch:
    return ImportBatch(EVENTS_ENDPOINT, [row(number) for number in numbers], [], max(numbers, default=1), key)


def lines(rows: Iterable[SentRow | RefusedRow]) -> list[int]:
    return [each.line_number for each in rows]


def left_behind(open_state: Callable[[], ImportState], *batches: ImportBatch, now_ms: int = NOW_MS) -> None:
    """What an import leaves that dies with these batches under way."""
    state = open_state()
    list(ledger(state, now_ms).record_batches(batches))
    state.close()


def test_rows_go_through_once(open_state: Any) -> None:
    state = open_state()
    first = ledger(state)
    refused = RefusedRow(9, "no", b"")
    assert lines(first.filter_new_rows([row(1), row(2), refused, row(1)])) == [1, 2, 9]
    list(first.record_batches([batch("a", 1, 2)]))
    first.note_settled(BatchOutcome(key="a", refusals=[]))
    assert lines(first.filter_new_rows([row(2), row(3)])) == [3]
    assert (first.known_count, first.duplicate_count) == (0, 2)
    first.close(lambda _: False)
    state.close()
    second = ledger(open_state())
    assert lines(second.filter_new_rows([row(1), row(2), row(3)])) == [3]  # which never was sent
    assert (second.known_count, second.duplicate_count) == (2, 0)


def test_what_is_settled_leaves_nothing_open(open_state: Any) -> None:
    state = open_state()
    first = ledger(state)
    for taken in first.record_batches(batch(f"key-{number}", number) for number in range(20)):
        first.note_settled(BatchOutcome(key=taken.key, refusals=[]))
    first.close(lambda _: True)
    assert state.list_open_batches() == []


def test_a_batch_is_written_down_before_it_is_given_out(open_state: Any) -> None:
    state = open_state()
    for taken in ledger(state).record_batches(batch(f"key-{number}", number) for number in range(20)):
        assert taken.key in {each.key for each in state.list_open_batches()}


def test_a_batch_without_rows_needs_none(open_state: Any) -> None:
    state = open_state()
    empty = ImportBatch(EVENTS_ENDPOINT, [], [RefusedRow(1, "no", b"")], 1, "key")
    assert list(ledger(state).record_batches([empty])) == [empty]
    assert state.list_open_batches() == []


def test_what_an_import_left_is_sent_again_in_its_order(open_state: Any) -> None:
    left_behind(open_state, batch("b", 1, 2), batch("a", 3))
    again = ledger(open_state()).find_batches_to_resend(EVENTS_ENDPOINT, None)
    assert [(each.key, lines(each.rows), each.build_body()) for each in again] == [
        ("b", [1, 2], b'{"events":[{"name":"e"},{"name":"e"}]}'),
        ("a", [3], b'{"events":[{"name":"e"}]}'),
    ]


@pytest.mark.parametrize("age_ms", [0, KEEP_MS - HOUR_MS, -HOUR_MS])
def test_what_the_server_knows_is_sent_again_without_a_question(open_state: Any, age_ms: int) -> None:
    left_behind(open_state, batch("a", 1), now_ms=NOW_MS - age_ms)
    assert len(ledger(open_state()).find_batches_to_resend(EVENTS_ENDPOINT, "skip")) == 1


@pytest.mark.parametrize("age_ms", [KEEP_MS - HOUR_MS + 1, 90 * KEEP_MS, -HOUR_MS - 1])
def test_what_the_server_may_have_forgotten_is_for_a_person_to_decide(open_state: Any, age_ms: int) -> None:
    left_behind(open_state, batch("a", 1, 2), now_ms=NOW_MS - age_ms)
    state = open_state()
    with pytest.raises(Undecided, match=r"^2 rows of an interrupted import on 20.*--unsettled skip"):
        ledger(state).find_batches_to_resend(EVENTS_ENDPOINT, None)
    assert [each.key for each in ledger(state).find_batches_to_resend(EVENTS_ENDPOINT, "send")] == ["a"]
    assert ledger(state).find_batches_to_resend(EVENTS_ENDPOINT, "skip") == []
    assert state.list_open_batches() == []
    assert lines(ledger(state).filter_new_rows([row(1), row(3)])) == [3]


def test_of_an_import_that_gives_up_only_what_may_count_stays_open(open_state: Any) -> None:
    left_behind(open_state, batch("earlier", 7))
    state = open_state()
    given_up = ledger(state)
    list(given_up.record_batches([batch("done", 1), batch("sure", 2), batch("unsure", 3), batch("parted", 4, 5)]))
    state.replace_batch("parted", {"parted-a": [row(4)], "parted-b": [row(5)]})
    given_up.note_settled(BatchOutcome(key="done", refusals=[]))
    given_up.close({"unsure", "parted-a"}.__contains__)
    assert [each.key for each in state.list_open_batches()] == ["earlier", "unsure", "parted-a"]
    assert lines(ledger(state).filter_new_rows([row(number) for number in (1, 2, 3, 4, 5, 7)])) == [2, 5]


def test_a_parted_batch_is_settled_as_one(open_state: Any) -> None:
    state = open_state()
    first = ledger(state)
    list(first.record_batches([batch("ab", 1, 2), batch("abc", 3)]))
    state.replace_batch("ab", {"ab-a": [row(1)], "ab-b": [row(2)]})
    first.note_settled(BatchOutcome(key="ab", refusals=[]))
    first.close(lambda _: True)
    assert [each.key for each in state.list_open_batches()] == ["abc"]
