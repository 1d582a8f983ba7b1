"""Lets each row of a file through only once: no rows from an earlier import, and no repeated rows of the same file.

The state of a batch determines what the next import does:

- Not recorded: its rows are unknown and were never sent.
- Open: it is sent again first, with the same bytes under the same key, which count once.
- Open for longer than a server remembers keys: it is unknown whether it counts, so a person has to decide.
- Closed: its rows count.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final, Literal

from tallyroom.core.errors import TallyroomError
from tallyroom.core.times import HOUR_MS, iso_ms
from tallyroom.import_export.batch import ImportBatch, SentRow
from tallyroom.import_export.batch_delivery import BatchOutcome
from tallyroom.import_export.endpoint import Endpoint
from tallyroom.import_export.ids.state import ImportState, OpenBatch
from tallyroom.import_export.report import format_count
from tallyroom.import_export.row import RefusedRow
from tallyroom.storage.spool.replays import KEEP_MS

UnsettledDecision = Literal["send", "skip"]

_BATCHES_PER_WRITE: Final = 8  # each write costs a disk sync
_KEY_MEMORY_MS: Final = KEEP_MS - HOUR_MS  # clocks may differ, and a request takes time


class Undecided(TallyroomError):
    """It is unknown whether rows of an earlier import count; a person has to decide."""


class ImportLedger:
    """Keeps the state of one import; `now_ms` returns ms since 1970 UTC.

    Rows are left out, and counted, because an earlier import sent them (`known_count`) or this file repeats them
    (`duplicate_count`).
    """

    def __init__(self, state: ImportState, now_ms: Callable[[], int]) -> None:
        self._state = state
        self._now_ms = now_ms
        self._unrecorded_hashes: set[bytes] = set()
        self._unsettled_keys: set[str] = set()
        self._settled_keys: list[str] = []
        self.known_count = 0
        self.duplicate_count = 0

    def find_batches_to_resend(self, endpoint: Endpoint, decision: UnsettledDecision | None) -> list[ImportBatch]:
        """Return the open batches of earlier imports; without a `decision`, those too old raise `Undecided`."""
        batches = self._state.list_open_batches()
        expired_batches = [
            batch for batch in batches if not -HOUR_MS <= self._now_ms() - batch.recorded_ms <= _KEY_MEMORY_MS
        ]
        if expired_batches and decision is None:
            raise _build_undecided_error(expired_batches)
        if expired_batches and decision == "skip":
            self._state.open_and_close_batches({}, self._now_ms(), [batch.key for batch in expired_batches])
            batches = [batch for batch in batches if batch not in expired_batches]
        return [ImportBatch(endpoint, batch.rows, [], batch.rows[-1].line_number, batch.key) for batch in batches]

    def filter_new_rows(self, rows: Iterable[SentRow | RefusedRow]) -> Iterator[SentRow | RefusedRow]:
        """Yield the rows that are not known yet."""
        for row in rows:
            if isinstance(row, RefusedRow) or self._is_new(row.id_hash):
                yield row

    def record_batches(self, batches: Iterable[ImportBatch]) -> Iterator[ImportBatch]:
        """Yield the same batches, each after it is recorded for the next import."""
        remaining_batches = iter(batches)
        while batch_group := list(islice(remaining_batches, _BATCHES_PER_WRITE)):
            rows_by_key = {batch.key: batch.rows for batch in batch_group if batch.rows}
            self._unsettled_keys.update(rows_by_key)
            self._record_changes(rows_by_key)
            self._unrecorded_hashes.difference_update(row.id_hash for batch in batch_group for row in batch.rows)
            yield from batch_group

    def note_settled(self, outcome: BatchOutcome) -> None:
        """Note that a batch is settled."""
        self._unsettled_keys.discard(outcome.key)
        self._settled_keys.append(outcome.key)

    def close(self, may_be_accepted: Callable[[str], bool]) -> None:
        """Delete the batches that certainly do not count, and leave those open that the server `may_be_accepted`."""
        self._record_changes({})
        for batch in self._state.list_open_batches():
            is_own = any(batch.key == key or batch.key.startswith(f"{key}-") for key in self._unsettled_keys)
            if is_own and not may_be_accepted(batch.key):
                self._state.replace_batch(batch.key, {})

    def _is_new(self, id_hash: bytes) -> bool:
        if id_hash in self._unrecorded_hashes:
            self.duplicate_count += 1
            return False
        run_number = self._state.find_run_number(id_hash)
        if run_number is None:
            self._unrecorded_hashes.add(id_hash)
            return True
        self.duplicate_count += run_number == self._state.run_number
        self.known_count += run_number != self._state.run_number
        return False

    def _record_changes(self, rows_by_key: dict[str, list[SentRow]]) -> None:
        settled_keys, self._settled_keys = self._settled_keys, []
        self._state.open_and_close_batches(rows_by_key, self._now_ms(), settled_keys)


def _build_undecided_error(batches: list[OpenBatch]) -> Undecided:
    row_count = sum(len(batch.rows) for batch in batches)
    return Undecided(
        f"{format_count(row_count, 'row', 'rows')} of an interrupted import on "
        f"{iso_ms(batches[0].recorded_ms)[:10]} may or may not have been counted: the server no longer has a record of "
        "their requests. --unsettled skip assumes that they were counted, so some may be missing; --unsettled send "
        "sends them again, so some may count twice."
    )
