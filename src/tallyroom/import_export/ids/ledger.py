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
from tallyroom.import_export.batch_delivery import Outcome
from tallyroom.import_export.endpoint import Endpoint
from tallyroom.import_export.ids.state import OpenBatch, State
from tallyroom.import_export.report import counted
from tallyroom.import_export.row import RefusedRow
from tallyroom.storage.spool.replays import KEPT_MS

Unsettled = Literal["send", "skip"]

_WRITTEN_AT_ONCE: Final = 8  # batches; each time costs a sync of the disk
_SURE_MS: Final = KEPT_MS - HOUR_MS  # clocks may differ, and a request takes its time


class Undecided(TallyroomError):
    """Nobody knows whether rows of an earlier import count; a person has to decide what to do."""


class Ledger:
    """Keeps the state of one import.

    Args:
        state: what earlier imports left.
        now_ms: returns the time, in ms since 1970 UTC.

    Attributes:
        known: rows that were left out because an earlier import brought them.
        twice: rows that were left out because they appear earlier in this file.
    """

    def __init__(self, state: State, now_ms: Callable[[], int]) -> None:
        self._state = state
        self._now_ms = now_ms
        self._fresh: set[bytes] = set()  # hashes that are not recorded yet
        self._under_way: set[str] = set()
        self._settled: list[str] = []
        self.known = 0
        self.twice = 0

    def left_open(self, endpoint: Endpoint, decision: Unsettled | None) -> list[ImportBatch]:
        """Return the batches of earlier imports that must be sent again before anything else.

        Args:
            endpoint: where the batches go.
            decision: what to do with batches that the server may have accepted and forgotten.

        Raises:
            Undecided: there are such batches, and nothing says what to do.
        """
        batches = self._state.open_batches()
        old = [batch for batch in batches if not -HOUR_MS <= self._now_ms() - batch.at_ms <= _SURE_MS]
        if old and decision is None:
            raise _undecided(old)
        if old and decision == "skip":
            self._state.write_down({}, self._now_ms(), [batch.key for batch in old])
            batches = [batch for batch in batches if batch not in old]
        return [ImportBatch(endpoint, batch.rows, [], batch.rows[-1].line, batch.key) for batch in batches]

    def new(self, rows: Iterable[SentRow | RefusedRow]) -> Iterator[SentRow | RefusedRow]:
        """Yield the rows that are not known."""
        for row in rows:
            if isinstance(row, RefusedRow) or self._is_new(row.id_hash):
                yield row

    def written_down(self, batches: Iterable[ImportBatch]) -> Iterator[ImportBatch]:
        """Yield the same batches, each once it is recorded where the next import would find it."""
        left = iter(batches)
        while several := list(islice(left, _WRITTEN_AT_ONCE)):
            rows = {batch.key: batch.rows for batch in several if batch.rows}
            self._under_way.update(rows)
            self._write(rows)
            self._fresh.difference_update(row.id_hash for batch in several for row in batch.rows)
            yield from several

    def note(self, outcome: Outcome) -> None:
        """Note that a batch is settled."""
        self._under_way.discard(outcome.key)
        self._settled.append(outcome.key)

    def close(self, may_count: Callable[[str], bool]) -> None:
        """Forget the batches that certainly do not count, and leave the uncertain ones open.

        Args:
            may_count: returns whether the server may have accepted a request with this key.
        """
        self._write({})
        for batch in self._state.open_batches():
            own = any(batch.key == key or batch.key.startswith(f"{key}-") for key in self._under_way)
            if own and not may_count(batch.key):
                self._state.replace(batch.key, {})

    def _is_new(self, id_hash: bytes) -> bool:
        if id_hash in self._fresh:
            self.twice += 1
            return False
        run = self._state.run_of(id_hash)
        if run is None:
            self._fresh.add(id_hash)
            return True
        self.twice += run == self._state.run
        self.known += run != self._state.run
        return False

    def _write(self, batches: dict[str, list[SentRow]]) -> None:
        keys, self._settled = self._settled, []
        self._state.write_down(batches, self._now_ms(), keys)


def _undecided(old: list[OpenBatch]) -> Undecided:
    rows = sum(len(batch.rows) for batch in old)
    return Undecided(
        f"{counted(rows, 'row', 'rows')} of an import that broke off on {iso_ms(old[0].at_ms)[:10]} may or may not "
        "count: the server no longer knows the requests that brought them. --unsettled skip assumes that they count, "
        "so that some may be missing; --unsettled send sends them, so that some may count twice."
    )
