"""Settles one batch: sends it, and sends it again without the rows that the server refuses.

The server does not remember refused requests, so the rest of a batch is sent under the key of the whole batch. A later
run can then never count the rest twice, even if a row that was refused has become valid, such as an event dated the day
after tomorrow: the server answers 422, because it knows the key with another body.
"""

from collections.abc import Mapping
from typing import Any, Final, Protocol

import msgspec

from tallyroom.core.errors import TallyroomError, dotted
from tallyroom.import_export.batch import ImportBatch, SentRow
from tallyroom.import_export.delivery import Delivery, ImportStopped, Reply
from tallyroom.import_export.endpoint import Endpoint
from tallyroom.import_export.row import RefusedRow

_TOO_LARGE: Final = 413
_KEY_USED: Final = 422

_Faults = dict[int, str]
"""The reason by index in the batch."""


class Journal(Protocol):
    """Records what is about to be sent, so that a later run can send exactly the same; usable by several threads."""

    def replace(self, key: str, parts: Mapping[str, list[SentRow]]) -> None:
        """Take down that these rows go out instead of those under `key`, by key; a row that is in none is refused."""
        ...


class Outcome(msgspec.Struct, kw_only=True):
    """What became of a batch.

    Attributes:
        key: of the batch.
        accepted: rows that this run made count.
        replays: rows that an earlier run, or a request whose answer was lost, had made count.
        rows: the rows of both.
        refusals: rows that do not count, by line.
        differs: whether an earlier run left out rows that this one would not, so that `replays` is too high.
    """

    key: str = ""
    accepted: int = 0
    replays: int = 0
    rows: list[SentRow] = []
    refusals: list[RefusedRow]
    differs: bool = False

    def count(self, rows: list[SentRow], repeats: int) -> None:
        """Take these rows for ones that count, of which so many did before."""
        self.replays += repeats
        self.accepted += len(rows) - repeats
        self.rows += rows


def settle(batch: ImportBatch, delivery: Delivery, journal: Journal | None = None) -> Outcome:
    """Send a batch, and return what became of each row.

    Raises:
        ImportStopped: continuing is useless.
    """
    outcome = Outcome(key=batch.key, refusals=list(batch.refusals))
    _Settlement(delivery, journal, outcome).send(batch.rows, batch.key)
    outcome.refusals.sort(key=lambda row: row.line)
    return outcome


def settle_behind(batch: ImportBatch, front: str, delivery: Delivery) -> Outcome | None:
    """Send a batch whose rows must not arrive before those of the batch with the key `front`, which is under way.

    Returns None unless it counts; then `settle` has to be asked when the other one is settled.
    """
    reply = delivery.post_behind(batch.body(), batch.key, front) if batch.key else None
    if reply is None or reply.status != delivery.endpoint.accepted or delivery.endpoint.proof not in reply.body:
        return None
    outcome = Outcome(key=batch.key, refusals=list(batch.refusals))
    outcome.count(batch.rows, reply.repeated(len(batch.rows)))
    return outcome


class _Settlement:
    """Settles one batch."""

    def __init__(self, delivery: Delivery, journal: Journal | None, outcome: Outcome) -> None:
        self._delivery = delivery
        self._journal = journal
        self._outcome = outcome

    def send(self, rows: list[SentRow], key: str) -> None:
        """Send these rows, and those of them that are left, until nothing is refused any more."""
        while rows:
            reply = self._delivery.post(self._body(rows), key)
            _refuse_stranger(reply, self._delivery.endpoint)
            if reply.status == _KEY_USED:
                self._find_what_was_sent(rows, key)
                return
            if reply.status == self._delivery.endpoint.accepted:
                self._outcome.count(rows, reply.repeated(len(rows)))
                return
            faults = _named_by(reply, self._delivery.endpoint.array, len(rows)) or _found_in(rows, self._delivery)
            if not faults and len(rows) == 1:
                faults = {0: str(reply.body.get("message", f"refused with {reply.status}"))}
            if not faults:
                self._send_halves(rows, key)
                return
            rows = self._without(rows, faults, key)

    def _send_halves(self, rows: list[SentRow], key: str) -> None:
        half = len(rows) // 2
        parts = {f"{key}-a": rows[:half], f"{key}-b": rows[half:]}
        if self._journal:
            self._journal.replace(key, parts)
        for part, its_rows in parts.items():
            self.send(its_rows, part if key else "")

    def _find_what_was_sent(self, rows: list[SentRow], key: str) -> None:
        """An earlier run sent this batch without some rows; if we would refuse them, the server says whether it did."""
        faults = _found_in(rows, self._delivery)
        sound_rows = [row for index, row in enumerate(rows) if index not in faults]
        if faults and sound_rows:
            reply = self._delivery.post(self._body(sound_rows), key)
            if reply.status == self._delivery.endpoint.accepted:
                self._outcome.count(self._without(rows, faults, key), reply.repeated(len(sound_rows)))
                return
        self._outcome.count(rows, len(rows))
        self._outcome.differs = True

    def _without(self, rows: list[SentRow], faults: _Faults, key: str) -> list[SentRow]:
        self._outcome.refusals += [
            RefusedRow(row.line, faults[index], row.display) for index, row in enumerate(rows) if index in faults
        ]
        sound_rows = [row for index, row in enumerate(rows) if index not in faults]
        if self._journal:
            self._journal.replace(key, {key: sound_rows})
        return sound_rows

    def _body(self, rows: list[SentRow]) -> bytes:
        return self._delivery.endpoint.body([row.item for row in rows])


def _refuse_stranger(reply: Reply, endpoint: Endpoint) -> None:
    """Accept only a Tallyroom server's answer about what became of the rows.

    Raises:
        ImportStopped: something else has answered.
    """
    proof = endpoint.proof if reply.status == endpoint.accepted else "error"
    if proof not in reply.body and reply.status != _TOO_LARGE:  # a proxy may say that, and it takes smaller bodies
        raise ImportStopped(f"The address answered {reply.status}, but not as a Tallyroom server does.")


def _named_by(reply: Reply, array: str, count: int) -> _Faults:
    """Return the faults that the server's answer names."""
    faults: _Faults = {}
    details = reply.body.get("details")
    for detail in details if isinstance(details, list) else []:
        match detail:
            case {"path": [str(name), int(at), *field], "message": str(message)} if name == array and 0 <= at < count:
                faults[at] = "; ".join(filter(None, [faults.get(at, ""), _reason(field, message)]))
    return faults


def _reason(field: list[Any], message: str) -> str:
    return f"{dotted(field)}: {message}" if field else message


def _of_the_row(message: str) -> str:
    """What is said of a whole body, when the row is the body."""
    body = dotted([])
    return f"the row{message.removeprefix(body)}" if message.startswith(f"{body} ") else message


def _found_in(rows: list[SentRow], delivery: Delivery) -> _Faults:
    """Return the faults that our own copy of the server's rules finds, for when the server names none."""
    faults: _Faults = {}
    rule = delivery.endpoint.rule
    if rule is None:
        return faults
    for index, row in enumerate(rows):
        try:
            rule(row.item, delivery.now_ms())
        except TallyroomError as error:
            details = [_reason(detail.path, detail.message) for detail in error.details if detail.path]
            faults[index] = "; ".join(details) or _of_the_row(error.message)
    return faults
