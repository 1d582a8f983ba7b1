"""Settles one batch: sends it, and sends it again without the rows that the server refuses.

The server does not remember refused requests, so the rest of a batch is sent under the key of the whole batch. A later
run can then never count the rest twice, even if a row that was refused has become valid, such as an event dated the day
after tomorrow: the server answers 422, because it knows the key with another body.
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
    """Records what is about to be sent, so that a later run can send exactly the same; usable by several threads."""

    def replace_batch(self, key: str, rows_by_key: Mapping[str, list[SentRow]]) -> None:
        """Take down that these rows go out instead of those under `key`, by key; a row that is in none is refused."""
        ...


class BatchOutcome(msgspec.Struct, kw_only=True):
    """What became of a batch.

    Attributes:
        key: of the batch.
        accepted_count: rows that this run made count.
        replay_count: rows that an earlier run, or a request whose answer was lost, had made count.
        counted_rows: the rows of both.
        refusals: rows that do not count, by line.
        has_other_refusals: whether an earlier run left out other rows than this one would: `replay_count` is too high.
    """

    key: str = ""
    accepted_count: int = 0
    replay_count: int = 0
    counted_rows: list[SentRow] = []
    refusals: list[RefusedRow]
    has_other_refusals: bool = False

    def add_counted(self, rows: list[SentRow], replay_count: int) -> None:
        """Take these rows for ones that count, of which so many did before."""
        self.replay_count += replay_count
        self.accepted_count += len(rows) - replay_count
        self.counted_rows += rows


def settle_batch(batch: ImportBatch, delivery: Delivery, journal: Journal | None = None) -> BatchOutcome:
    """Send a batch, and return what became of each row.

    Raises:
        ImportStopped: continuing is useless.
    """
    outcome = BatchOutcome(key=batch.key, refusals=list(batch.refusals))
    _Settlement(delivery, journal, outcome).send_rows(batch.rows, batch.key)
    outcome.refusals.sort(key=lambda row: row.line_number)
    return outcome


def settle_batch_after(batch: ImportBatch, previous_key: str, delivery: Delivery) -> BatchOutcome | None:
    """Send a batch whose rows must not arrive before those of the batch `previous_key`, which is under way.

    Returns None unless it counts; then `settle_batch` has to be asked when the other one is settled.
    """
    reply = delivery.post_after(batch.build_body(), batch.key, previous_key) if batch.key else None
    if (
        reply is None
        or reply.status != delivery.endpoint.accepted_status
        or delivery.endpoint.proof_member not in reply.body
    ):
        return None
    outcome = BatchOutcome(key=batch.key, refusals=list(batch.refusals))
    outcome.add_counted(batch.rows, reply.count_replays(len(batch.rows)))
    return outcome


class _Settlement:
    """Settles one batch."""

    def __init__(self, delivery: Delivery, journal: Journal | None, outcome: BatchOutcome) -> None:
        self._delivery = delivery
        self._journal = journal
        self._outcome = outcome

    def send_rows(self, rows: list[SentRow], key: str) -> None:
        """Send these rows, and those of them that are left, until nothing is refused any more."""
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
        """An earlier run sent this batch without some rows; if we would refuse them, the server says whether it did."""
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
    """Accept only a Tallyroom server's answer about what became of the rows.

    Raises:
        ImportStopped: something else has answered.
    """
    proof_member = endpoint.proof_member if reply.status == endpoint.accepted_status else "error"
    if (
        proof_member not in reply.body and reply.status != _TOO_LARGE
    ):  # a proxy may say that, and it takes smaller bodies
        raise ImportStopped(f"The address answered {reply.status}, but not as a Tallyroom server does.")


def _read_faults(reply: Reply, rows_member: str, row_count: int) -> _FaultByIndex:
    """Return the faults that the server's answer names."""
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
    """What is said of a whole body, when the row is the body."""
    body_name = format_path([])
    return f"the row{message.removeprefix(body_name)}" if message.startswith(f"{body_name} ") else message


def _find_faults(rows: list[SentRow], delivery: Delivery) -> _FaultByIndex:
    """Return the faults that our own copy of the server's rules finds, for when the server names none."""
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
