"""Runs an import: several batches are in flight at once, but rows arrive in the file's order (rules/events#import).

The server accepts a batch after the previous one, or not at all; then it waits until everything before is settled.
"""

from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from tallyroom.import_export.batch import ImportBatch
from tallyroom.import_export.batch_delivery import BatchOutcome, Journal, settle_batch, settle_batch_after
from tallyroom.import_export.delivery import Delivery, ImportStopped

_QUEUED_BATCHES_PER_REQUEST = 2  # per batch in flight, so that no thread waits for the file


@dataclass
class RunTotals:
    """The counts of the rows settled so far, as in `BatchOutcome`; all rows up to `settled_line_number` are settled."""

    accepted_count: int = 0
    replay_count: int = 0
    refusal_count: int = 0
    settled_line_number: int = 0
    changed_batch_count: int = 0

    @property
    def row_count(self) -> int:
        """The number of rows so far."""
        return self.accepted_count + self.replay_count + self.refusal_count


OutcomeListener = Callable[[BatchOutcome], object]
"""Called with the outcome of each settled batch, in the order of the file."""


class ImportRun:
    """Sends the batches of a file, up to `concurrency` at the same time."""

    def __init__(
        self, delivery: Delivery, concurrency: int, on_outcome: OutcomeListener, journal: Journal | None = None
    ) -> None:
        self.totals = RunTotals()
        self._delivery = delivery
        self._concurrency = concurrency
        self._on_outcome = on_outcome
        self._journal = journal
        self._previous_key_and_future: tuple[str, Future[BatchOutcome]] | None = None
        self._queue: deque[tuple[ImportBatch, Future[BatchOutcome]]] = deque()

    def send_batches(self, batches: Iterable[ImportBatch]) -> None:
        """Send every batch, or raise `ImportStopped`; `totals` has the results, even if this is interrupted."""
        with ThreadPoolExecutor(self._concurrency) as executor:
            try:
                for batch in batches:
                    self._submit(batch, executor)
                    if len(self._queue) >= self._concurrency * (1 + _QUEUED_BATCHES_PER_REQUEST):
                        self._finish_oldest()
                while self._queue:
                    self._finish_oldest()
            except BaseException:
                self._delivery.stop()
                executor.shutdown(cancel_futures=True)
                self._count_finished()
                raise

    def _submit(self, batch: ImportBatch, executor: ThreadPoolExecutor) -> None:
        future = executor.submit(self._settle_in_order, batch, self._previous_key_and_future)
        self._queue.append((batch, future))
        if batch.rows:
            self._previous_key_and_future = batch.key, future

    def _settle_in_order(
        self, batch: ImportBatch, previous_key_and_future: tuple[str, Future[BatchOutcome]] | None
    ) -> BatchOutcome:
        """Settle a batch after the previous batch, which it must not overtake and which is given with its key."""
        if previous_key_and_future is not None and batch.rows:
            previous_key, previous_future = previous_key_and_future
            if not previous_future.done() and (outcome := settle_batch_after(batch, previous_key, self._delivery)):
                return outcome
            if previous_future.exception() is not None:  # waits until that batch is settled
                raise ImportStopped("Stopped.")
        return settle_batch(batch, self._delivery, self._journal)

    def _finish_oldest(self) -> None:
        batch, future = self._queue[0]
        outcome = future.result()
        self._queue.popleft()
        self._add_outcome(outcome)
        self.totals.settled_line_number = batch.last_line_number

    def _count_finished(self) -> None:
        """Count batches that were settled but not counted, even those after a batch that was not settled."""
        has_gap = False
        for batch, future in self._queue:
            if future.cancelled() or future.exception() is not None:
                has_gap = True
                continue
            self._add_outcome(future.result())
            if not has_gap:
                self.totals.settled_line_number = batch.last_line_number

    def _add_outcome(self, outcome: BatchOutcome) -> None:
        self.totals.accepted_count += outcome.accepted_count
        self.totals.replay_count += outcome.replay_count
        self.totals.refusal_count += len(outcome.refusals)
        self.totals.changed_batch_count += outcome.has_other_refusals
        self._on_outcome(outcome)
