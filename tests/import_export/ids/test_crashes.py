"""Wherever an import dies, the next one loses no row and counts none twice, and keeps the order."""

import random
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tallyroom.import_export.batch import ImportBatch, SentRow, build_rows, split_batches
from tallyroom.import_export.delivery import Reply
from tallyroom.import_export.destination import Destination, Workspace
from tallyroom.import_export.endpoint import EVENTS_ENDPOINT
from tallyroom.import_export.ids.hashes import ContentBatchNamer, IdHasher
from tallyroom.import_export.ids.ledger import ImportLedger
from tallyroom.import_export.ids.state import ImportState
from tallyroom.import_export.ndjson import read_line
from tallyroom.import_export.run import ImportRun

ENDPOINT = replace(EVENTS_ENDPOINT, max_rows=3)
HERE = Destination("production", Workspace("w", "UTC"))
NOW_MS = 1_795_176_000_000


class Died(BaseException):
    """The process is no more."""


class Life:
    """Ends at one of its steps, and with it everything that goes on."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def step(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Died


class Server:
    """Counts a body once by its key, refuses rows called bad, and bodies that hold an ugly one without saying why."""

    def __init__(self) -> None:
        self.counted: list[int] = []
        self._taken: dict[str, bytes] = {}

    def take(self, body: bytes, key: str) -> Reply:
        if key in self._taken:
            known = self._taken[key] == body
            return (
                Reply(202, is_replay=True, body={"accepted": 1})
                if known
                else Reply(422, is_replay=False, body={"error": "mismatch"})
            )
        events = msgspec.json.decode(body)["events"]
        bad = [at for at, event in enumerate(events) if event["properties"]["kind"] == "bad"]
        if bad:
            details = [{"path": ["events", at, "name"], "message": "is bad"} for at in bad]
            return Reply(400, is_replay=False, body={"error": "validation_failed", "message": "no", "details": details})
        if any(event["properties"]["kind"] == "ugly" for event in events):
            return Reply(413, is_replay=False, body={"error": "payload_too_large", "message": "no"})
        self._taken[key] = body
        self.counted += [event["properties"]["id"] for event in events]
        return Reply(202, is_replay=False, body={"accepted": len(events)})


class Way:
    """The way to the server, on which the process may die before a request or before its answer."""

    endpoint = ENDPOINT

    def __init__(self, server: Server, life: Life) -> None:
        self._server, self._life = server, life

    def post(self, body: bytes, key: str) -> Reply:
        self._life.step()
        reply = self._server.take(body, key)
        self._life.step()
        return reply

    def post_after(self, *_: Any) -> Reply | None:
        return None

    def may_be_accepted(self, _: str) -> bool:
        return False

    def now_ms(self) -> int:
        return NOW_MS

    def stop(self) -> None:
        pass


class Mortal:
    """A connection that dies before or after what it writes."""

    def __init__(self, connection: sqlite3.Connection, life: Life) -> None:
        self._connection, self._life = connection, life

    def execute(self, sql: str, *values: Any) -> Any:
        if sql in {"BEGIN IMMEDIATE", "COMMIT"}:
            self._life.step()
        done = self._connection.execute(sql, *values)
        if sql == "COMMIT":
            self._life.step()
        return done

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


def rows(listed: list[tuple[int, str]]) -> Iterator[SentRow]:
    lines = [b'{"name":"e","properties":{"id":%d,"kind":"%s"}}' % (id_, kind.encode()) for id_, kind in listed]
    read = [read_line(number, line) for number, line in enumerate(lines, start=1)]

    def make(row: Any) -> bytes:
        return bytes(row.display)

    return build_rows(read, make, ENDPOINT, IdHasher("properties.id"))  # type: ignore[return-value] # none of them is refused


def bring(path: Path, server: Server, listed: list[tuple[int, str]], life: Life) -> None:
    """One import; it dies as a process does: nothing is tidied up."""
    state = ImportState(path, HERE)
    connection = state._connection
    try:
        connection.execute("PRAGMA synchronous = OFF")  # it is no power cut
        state._connection = Mortal(connection, life)  # type: ignore[assignment] # all that State asks of it
        way: Any = Way(server, life)
        ledger = ImportLedger(state, way.now_ms)
        ImportRun(way, 1, ledger.note_settled, state).send_batches(ledger.find_batches_to_resend(ENDPOINT, None))
        batches: Iterator[ImportBatch] = ledger.record_batches(
            split_batches(ledger.filter_new_rows(rows(listed)), ENDPOINT, ContentBatchNamer())
        )
        ImportRun(way, 1, ledger.note_settled, state).send_batches(batches)
        ledger.close(way.may_be_accepted)
    finally:
        connection.close()


def dies_everywhere(check: Callable[[int], bool]) -> None:
    """Call `check` with ever more steps of life, until it says that nobody died."""
    steps = 0
    while not check(steps):
        steps += 1
    assert steps > 20, "there were next to no steps to die at"


@pytest.mark.long
@pytest.mark.parametrize(
    ("count", "kinds"),
    [
        pytest.param(27, ["good"], id="all are good"),
        pytest.param(27, ["good", "good", "bad", "good", "good"], id="some are refused"),
        pytest.param(8, ["good", "ugly", "good"], id="some are refused without a reason"),
    ],
)
def test_each_row_counts_once_wherever_an_import_dies(tmp_path: Path, count: int, kinds: list[str]) -> None:
    monday = [(id_, kinds[id_ % len(kinds)]) for id_ in range(count)]
    tuesday = random.Random(3).sample([(id_, kinds[id_ % len(kinds)]) for id_ in range(count + 6)], count + 6)
    should = [id_ for id_, kind in sorted(tuesday) if kind == "good"]

    def check(steps: int) -> bool:
        server, path = Server(), tmp_path / f"{steps}.sqlite"
        try:
            bring(path, server, monday, Life(steps))
        except Died:
            bring(path, server, tuesday, Life(10_000))
            assert sorted(server.counted) == should, f"died at step {steps}"
            bring(path, server, [(id_, "good") for id_, _ in tuesday], Life(10_000))  # the others were mended
            assert sorted(server.counted) == list(range(count + 6)), f"died at step {steps}"
            return False
        return True

    dies_everywhere(check)


def test_the_rows_of_the_same_file_arrive_in_its_order_wherever_an_import_dies(tmp_path: Path) -> None:
    listed = [(id_, "good") for id_ in range(27)]

    def check(steps: int) -> bool:
        server, path = Server(), tmp_path / f"{steps}.sqlite"
        try:
            bring(path, server, listed, Life(steps))
        except Died:
            bring(path, server, listed, Life(10_000))
            assert server.counted == list(range(27)), f"died at step {steps}"
            return False
        return True

    dies_everywhere(check)


@pytest.mark.long
def test_an_import_may_die_twice(tmp_path: Path) -> None:
    listed = [(id_, "bad" if id_ % 7 == 3 else "good") for id_ in range(26)]
    should = [id_ for id_, kind in listed if kind == "good"]

    def check(steps: int) -> bool:
        server, path = Server(), tmp_path / f"{steps}.sqlite"
        try:
            bring(path, server, listed, Life(steps))
        except Died:
            try:
                bring(path, server, listed[::-1], Life(7))
            except Died:
                bring(path, server, listed, Life(10_000))
            assert sorted(server.counted) == should, f"died at step {steps}"
            return False
        return True

    dies_everywhere(check)
