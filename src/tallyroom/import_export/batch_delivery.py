"""Settles one batch: sends it, and sends it again without the rows that the server refuses.

The server does not remember refused requests, so the remaining rows are sent under the key of the whole batch. If a
refused row has become valid by a later run, the server knows the key with another body, and answers 422.
"""

from collections.abc import Mapping
from typing import Any, Final, Protocol

import msgspec

from tallyroom.core.errors import TallyroomError, format_path
from tallyroom.import_export.batch import ImportBatch, SentRow
from tallyroom.import_export.delivery import Delivery, ImportStopped, Reply
from tallyroom.import_export.endpoint import Endpoint
from tallyroom.import_export.row import RefusedRow

_TOO_LARGE: Final = 413
_KEY_MISMATCH: Final = 422

_FaultByIndex = dict[int, str]
"""The reason by index in the batch."""


class Journal(Protocol):
    """Records what is about to be sent, so that a later run can send exactly the same. Thread-safe."""

    def replace_batch(self, key: str, rows_by_key: Mapping[str, list[SentRow]]) -> None:
        """Record the rows, by key, that are sent instead of those under `key`. A row in none of them is refused."""
        ...


class BatchOutcome(msgspec.Struct, kw_only=True):
    """The result of sending a batch; `counted_rows` has all rows that count, `refusals` all others, by line.

    Of the counted rows, `accepted_count` count because of this run, and `replay_count` were counted before. That number
    is too high if `has_other_refusals`: an earlier run left out other rows than this one would.
    """

    key: str = ""
    accepted_count: int = 0
    replay_count: int = 0
    counted_rows: list[SentRow] = []
    refusals: list[RefusedRow]
    has_other_refusals: bool = False

    def add_counted(self, rows: list[SentRow], replay_count: int) -> None:
        """Add counted rows, `replay_count` of which had been counted before."""
        self.replay_count += replay_count
        self.accepted_count += len(rows) - replay_count
        self.counted_rows += rows


def settle_batch(batch: ImportBatch, delivery: Delivery, journal: Journal | None = None) -> BatchOutcome:
    """Send a batch, and return the result for each row; raise `ImportStopped` if it is useless to continue."""
    outcome = BatchOutcome(key=batch.key, refusals=list(batch.refusals))
    _Settlement(delivery, journal, outcome).send_rows(batch.rows, batch.key)
    outcome.refusals.sort(key=lambda row: row.line_number)
    return outcome


def settle_batch_after(batch: ImportBatch, previous_key: str, delivery: Delivery) -> BatchOutcome | None:
    """Send a batch that must not overtake `previous_key`; if None, call `settle_batch` after that one is settled."""
    endpoint = delivery.endpoint
    reply = delivery.post_after(batch.build_body(), batch.key, previous_key) if batch.key else None
    if reply is None or reply.status != endpoint.accepted_status or endpoint.proof_member not in reply.body:
        return None
    outcome = BatchOutcome(key=batch.key, refusals=list(batch.refusals))
    outcome.add_counted(batch.rows, reply.count_replays(len(batch.rows)))
    return outcome


class _Settlement:
    def __init__(self, delivery: Delivery, journal: Journal | None, outcome: BatchOutcome) -> None:
        self._delivery = delivery
        self._journal = journal
        self._outcome = outcome

    def send_rows(self, rows: list[SentRow], key: str) -> None:
        """Send these rows, then the remaining ones, until none are refused."""
        while rows:
            reply = self._delivery.post(self._build_body(rows), key)
            _check_is_tallyroom(reply, self._delivery.endpoint)
            if reply.status == _KEY_MISMATCH:
                self._settle_known_key(rows, key)
                return
            if reply.status == self._delivery.endpoint.accepted_status:
                self._outcome.add_counted(rows, reply.count_replays(len(rows)))
                return
            faults = _read_faults(reply, self._delivery.endpoint.rows_member, len(rows)) or _find_faults(
                rows, self._delivery
            )
            if not faults and len(rows) == 1:
                faults = {0: str(reply.body.get("message", f"refused with {reply.status}"))}
            if not faults:
                self._send_halves(rows, key)
                return
            rows = self._remove_faulty(rows, faults, key)

    def _send_halves(self, rows: list[SentRow], key: str) -> None:
        middle = len(rows) // 2
        rows_by_key = {f"{key}-a": rows[:middle], f"{key}-b": rows[middle:]}
        if self._journal:
            self._journal.replace_batch(key, rows_by_key)
        for part_key, part_rows in rows_by_key.items():
            self.send_rows(part_rows, part_key if key else "")

    def _settle_known_key(self, rows: list[SentRow], key: str) -> None:
        """Ask the server whether the rows left out by an earlier run are those that this run would refuse."""
        faults = _find_faults(rows, self._delivery)
        valid_rows = [row for index, row in enumerate(rows) if index not in faults]
        if faults and valid_rows:
            reply = self._delivery.post(self._build_body(valid_rows), key)
            if reply.status == self._delivery.endpoint.accepted_status:
                self._outcome.add_counted(self._remove_faulty(rows, faults, key), reply.count_replays(len(valid_rows)))
                return
        self._outcome.add_counted(rows, len(rows))
        self._outcome.has_other_refusals = True

    def _remove_faulty(self, rows: list[SentRow], faults: _FaultByIndex, key: str) -> list[SentRow]:
        self._outcome.refusals += [
            RefusedRow(row.line_number, faults[index], row.display) for index, row in enumerate(rows) if index in faults
        ]
        valid_rows = [row for index, row in enumerate(rows) if index not in faults]
        if self._journal:
            self._journal.replace_batch(key, {key: valid_rows})
        return valid_rows

    def _build_body(self, rows: list[SentRow]) -> bytes:
        return self._delivery.endpoint.build_body([row.item_json for row in rows])


def _check_is_tallyroom(reply: Reply, endpoint: Endpoint) -> None:
    """Raise `ImportStopped` if an answer about the rows does not come from a Tallyroom server."""
    proof_member = endpoint.proof_member if reply.status == endpoint.accepted_status else "error"
    if proof_member not in reply.body and reply.status != _TOO_LARGE:  # possibly from a proxy with a smaller limit
        raise ImportStopped(f"The server responded with {reply.status}, but does not seem to be a Tallyroom server.")


def _read_faults(reply: Reply, rows_member: str, row_count: int) -> _FaultByIndex:
    faults: _FaultByIndex = {}
    details = reply.body.get("details")
    for detail in details if isinstance(details, list) else []:
        match detail:
            case {"path": [str(name), int(index), *field_path], "message": str(message)} if (
                name == rows_member and 0 <= index < row_count
            ):
                faults[index] = "; ".join(filter(None, [faults.get(index, ""), _format_reason(field_path, message)]))
    return faults


def _format_reason(field_path: list[Any], message: str) -> str:
    return f"{format_path(field_path)}: {message}" if field_path else message


def _reword_for_row(message: str) -> str:
    body_name = format_path([])
    return f"the row{message.removeprefix(body_name)}" if message.startswith(f"{body_name} ") else message


def _find_faults(rows: list[SentRow], delivery: Delivery) -> _FaultByIndex:
    """Return the faults found by our own copy of the server's rules, for when the server names none."""
    faults: _FaultByIndex = {}
    check_row = delivery.endpoint.check_row
    if check_row is None:
        return faults
    for index, row in enumerate(rows):
        try:
            check_row(row.item_json, delivery.now_ms())
        except TallyroomError as error:
            details = [_format_reason(detail.path, detail.message) for detail in error.details if detail.path]
            faults[index] = "; ".join(details) or _reword_for_row(error.message)
    return faults
