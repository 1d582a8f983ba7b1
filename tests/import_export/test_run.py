"""Several batches are under way, in the order of the file, and what became of them is counted in it."""

import threading
import time
from collections.abc import Iterator
from copy import deepcopy

import pytest

from harness.clients.import_line import ACCEPTED, MakeLine
from harness.servers.scripted_server import ReceivedRequest, ScriptedAnswer, refusal
from harness.suite.few import few
from tallyroom.import_export.batch import ImportBatch, SentRow
from tallyroom.import_export.batch_delivery import BatchOutcome
from tallyroom.import_export.delivery import ImportStopped
from tallyroom.import_export.endpoint import EVENTS_ENDPOINT
from tallyroom.import_export.row import RefusedRow
from tallyroom.import_export.run import ImportRun


def batches(count: int) -> Iterator[ImportBatch]:
    for number in range(1, count + 1):
        rows = [SentRow(number * 10, b'{"name":"e"}', b"")]
        refused = [RefusedRow(number * 10 + 1, "no", b"")]
        yield ImportBatch(EVENTS_ENDPOINT, rows, refused, number * 10 + 1, f"key-{number}")


def test_everything_is_sent_and_counted_in_order(make_line: MakeLine) -> None:
    line = make_line()
    seen: list[BatchOutcome] = []
    run = ImportRun(line.delivery, 4, seen.append)
    run.send_batches(batches(30))
    totals = run.totals
    assert (
        totals.row_count,
        totals.accepted_count,
        totals.replay_count,
        totals.refusal_count,
        totals.settled_line_number,
    ) == (60, 30, 0, 30, 301)
    assert [outcome.refusals[0].line_number for outcome in seen] == [number * 10 + 1 for number in range(1, 31)]
    assert {asked.headers["idempotency-key"] for asked in line.asked} == {f"key-{number}" for number in range(1, 31)}


def test_no_more_than_so_many_are_under_way_or_waiting(make_line: MakeLine) -> None:
    full = threading.Event()

    def hold(_: ReceivedRequest) -> ScriptedAnswer:
        full.wait(10)
        return ACCEPTED

    most = 0

    def counted() -> Iterator[ImportBatch]:
        nonlocal most
        for taken, batch in enumerate(batches(100), start=1):
            most = max(most, taken - run.totals.accepted_count)
            if taken == 6:
                full.set()
            yield batch

    run = ImportRun(make_line(ask=hold).delivery, 2, lambda _: None)
    run.send_batches(counted())
    assert (most, run.totals.accepted_count) == (6, 100)


def test_what_ends_it_is_told_and_what_was_done_is_counted(make_line: MakeLine) -> None:
    line = make_line(
        ask=lambda asked: refusal(401, "unauthorized") if asked.headers["idempotency-key"] == "key-8" else ACCEPTED
    )
    run = ImportRun(line.delivery, 3, lambda _: None)
    with pytest.raises(ImportStopped, match="API key"):
        run.send_batches(batches(100))
    assert run.totals.settled_line_number == 71
    assert 7 <= run.totals.accepted_count <= 16
    accepted = sum(asked.headers["idempotency-key"] != "key-8" for asked in line.asked)
    assert run.totals.accepted_count == accepted, "an answer was lost"


def test_a_file_that_breaks_ends_it_too(make_line: MakeLine) -> None:
    def broken() -> Iterator[ImportBatch]:
        yield from batches(5)
        raise OSError("gone")

    run = ImportRun(make_line().delivery, 2, lambda _: None)
    with pytest.raises(OSError, match="gone"):
        run.send_batches(broken())
    assert run.totals.accepted_count <= 5


def test_nothing_to_send(make_line: MakeLine) -> None:
    run = ImportRun(make_line().delivery, 2, lambda _: None)
    run.send_batches([])
    assert (run.totals.row_count, run.totals.settled_line_number) == (0, 0)


def test_what_is_settled_when_the_file_breaks_is_named(make_line: MakeLine) -> None:
    line = make_line()

    def broken() -> Iterator[ImportBatch]:
        yield from batches(3)
        while len(line.asked) < 3:
            time.sleep(0.01)
        raise EOFError

    run = ImportRun(line.delivery, 3, lambda _: None)
    with pytest.raises(EOFError):
        run.send_batches(broken())
    assert (run.totals.accepted_count, run.totals.settled_line_number) == (3, 31)


def test_one_at_a_time_none_overtakes_one_that_failed(make_line: MakeLine) -> None:
    """A vote that is let in before an earlier one would be another vote that counts."""
    line = make_line(
        ask=lambda asked: refusal(403, "forbidden") if asked.headers["idempotency-key"] == "key-8" else ACCEPTED
    )
    run = ImportRun(line.delivery, 1, lambda _: None)
    with pytest.raises(ImportStopped, match="403"):
        run.send_batches(batches(100))
    assert [asked.headers["idempotency-key"] for asked in line.asked] == [f"key-{number}" for number in range(1, 9)]


class Strict:
    """Lets a batch in behind the one that it names, as a server does, or else answers 409."""

    def __init__(self, *refused: str, lost: str = "") -> None:
        self.order: list[str] = []
        self._refused = list(refused)
        self._lost = lost

    def __call__(self, asked: ReceivedRequest) -> ScriptedAnswer:
        key, front = asked.headers["idempotency-key"], asked.headers.get("idempotency-after")
        if key in self.order:
            return ScriptedAnswer(202, b'{"accepted":1}', {"idempotent-replayed": "true"})
        if key in self._refused:
            self._refused.remove(key)
            return refusal(503, "unavailable")
        if front is not None and front not in self.order:
            return refusal(409, "conflict")
        self.order.append(key)
        if key == self._lost:
            self._lost = ""
            return ScriptedAnswer(0)
        return ACCEPTED


KEYS = [f"key-{number}" for number in range(1, 41)]


@pytest.mark.parametrize("at_once", [1, 4, 16])
@few(
    3,
    "server",
    [Strict(), Strict("key-1", "key-7", "key-7", "key-8"), Strict(lost="key-9"), Strict("key-2", lost="key-2")],
    ids=["all goes well", "some are refused for now", "an answer is lost", "both"],
)
def test_whatever_happens_batches_are_let_in_in_their_order(make_line: MakeLine, server: Strict, at_once: int) -> None:
    strict = deepcopy(server)  # it is used up by a run
    line = make_line(ask=strict)
    run = ImportRun(line.delivery, at_once, lambda _: None)
    run.send_batches(batches(40))
    assert strict.order == KEYS
    assert (run.totals.accepted_count + run.totals.replay_count, run.totals.settled_line_number) == (40, 401)


def test_a_batch_is_sent_while_the_one_in_front_of_it_is_under_way(make_line: MakeLine) -> None:
    line = make_line()
    together = threading.Barrier(3)
    ask = line.delivery._post_once
    line.delivery._post_once = lambda *asked: (together.wait(10), ask(*asked))[1]  # type: ignore[method-assign] # before all are under way, none is answered
    ImportRun(line.delivery, 3, lambda _: None).send_batches(batches(3))
    fronts = {asked.headers["idempotency-key"]: asked.headers.get("idempotency-after") for asked in line.asked}
    assert fronts == {"key-1": None, "key-2": "key-1", "key-3": "key-2"}


def test_a_batch_behind_one_that_gave_up_is_not_sent_again(make_line: MakeLine) -> None:
    strict = Strict()
    line = make_line(
        ask=lambda asked: refusal(402, "cap") if asked.headers["idempotency-key"] == "key-3" else strict(asked)
    )
    run = ImportRun(line.delivery, 4, lambda _: None)
    with pytest.raises(ImportStopped, match="402"):
        run.send_batches(batches(40))
    assert strict.order == ["key-1", "key-2"]
    assert (run.totals.accepted_count, run.totals.settled_line_number) == (2, 21)


def test_a_batch_without_rows_is_no_front(make_line: MakeLine) -> None:
    strict = Strict()
    line = make_line(ask=strict)
    empty = ImportBatch(EVENTS_ENDPOINT, [], [RefusedRow(1, "no", b"")], 1, "key-0")
    ImportRun(line.delivery, 4, lambda _: None).send_batches([empty, *batches(3), empty, *batches(1)])
    assert {asked.headers.get("idempotency-after") for asked in line.asked} <= {None, "key-1", "key-2", "key-3"}
    assert strict.order == KEYS[:3]
