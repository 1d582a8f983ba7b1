"""Lets each row of a file through only once: neither rows from an earlier import nor repeated rows of the same file.

What can happen to a batch, and what the next import does:

- It was not written down: its rows are unknown, and were never sent.
- It is open: it is sent again first, with the same bytes under the same key, which count once.
- It has been open for longer than a server remembers keys: nobody knows whether it counts, so a person has to decide.
- It is closed: its rows count.
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

_BATCHES_PER_WRITE: Final = 8  # batches; each time costs a sync of the disk
_KEY_MEMORY_MS: Final = KEEP_MS - HOUR_MS  # clocks may differ, and a request takes its time


class Undecided(TallyroomError):
    """Nobody knows whether rows of an earlier import count; a person has to decide what to do."""


class ImportLedger:
    """Keeps the state of one import.

    Args:
        state: what earlier imports left.
        now_ms: returns the time, in ms since 1970 UTC.

    Attributes:
        known_count: rows that were left out because an earlier import brought them.
        duplicate_count: rows that were left out because they appear earlier in this file.
    """

    def __init__(self, state: ImportState, now_ms: Callable[[], int]) -> None:
        self._state = state
        self._now_ms = now_ms
        self._unrecorded_hashes: set[bytes] = set()  # hashes that are not recorded yet
        self._unsettled_keys: set[str] = set()
        self._settled_keys: list[str] = []
        self.known_count = 0
        self.duplicate_count = 0

    def find_batches_to_resend(self, endpoint: Endpoint, decision: UnsettledDecision | None) -> list[ImportBatch]:
        """Return the batches of earlier imports that must be sent again before anything else.

        Args:
            endpoint: where the batches go.
            decision: what to do with batches that the server may have accepted and forgotten.

        Raises:
            Undecided: there are such batches, and nothing says what to do.
        """
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
        """Yield the rows that are not known."""
        for row in rows:
            if isinstance(row, RefusedRow) or self._is_new(row.id_hash):
                yield row

    def record_batches(self, batches: Iterable[ImportBatch]) -> Iterator[ImportBatch]:
        """Yield the same batches, each once it is recorded where the next import would find it."""
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
        """Forget the batches that certainly do not count, and leave the uncertain ones open.

        Args:
            may_be_accepted: returns whether the server may have accepted a request with this key.
        """
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
        f"{format_count(row_count, 'row', 'rows')} of an import that broke off on "
        f"{iso_ms(batches[0].recorded_ms)[:10]} may or may not count: the server no longer knows the requests that "
        "brought them. --unsettled skip assumes that they count, so that some may be missing; --unsettled send sends "
        "them, so that some may count twice."
    )
