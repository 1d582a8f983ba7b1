"""Runs an import: several batches are in flight at once, but rows arrive in the file's order (rules/events#import).

A batch is sent while the one before it is still in flight; the server then accepts it after that one, or not at all. If
it does not, the batch waits until everything before it is settled.
"""

from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from tallyroom.import_export.batch import ImportBatch
from tallyroom.import_export.batch_delivery import Journal, Outcome, settle, settle_behind
from tallyroom.import_export.delivery import Delivery, ImportStopped

_WAITING_FOR_EACH = 2  # batches cut for each one that is under way, so that no thread waits for the file


@dataclass
class RunTotals:
    """What became of the rows so far.

    Attributes:
        accepted: rows that this run made count.
        replays: rows that counted already.
        refusals: rows that do not count.
        through: line up to which every row is settled.
        changed_batches: batches of which an earlier run left out other rows than this one would.
    """

    accepted: int = 0
    replays: int = 0
    refusals: int = 0
    through: int = 0
    changed_batches: int = 0

    @property
    def rows(self) -> int:
        """How many rows that is."""
        return self.accepted + self.replays + self.refusals


Follow = Callable[[Outcome], object]
"""Is told of each settled batch, in the order of the file."""


class Run:
    """Sends the batches of a file.

    Args:
        delivery: the way to the server.
        at_once: requests that may be under way at the same time.
        follow: progress.
        journal: keeps what is sent.
    """

    def __init__(self, delivery: Delivery, at_once: int, follow: Follow, journal: Journal | None = None) -> None:
        self.tally = RunTotals()
        self._delivery = delivery
        self._at_once = at_once
        self._follow = follow
        self._journal = journal
        self._front: tuple[str, Future[Outcome]] | None = None
        self._waiting: deque[tuple[ImportBatch, Future[Outcome]]] = deque()

    def send(self, batches: Iterable[ImportBatch]) -> None:
        """Send every batch; `tally` has the results, even if this is interrupted.

        Raises:
            ImportStopped: continuing is useless.
        """
        with ThreadPoolExecutor(self._at_once) as threads:
            try:
                for batch in batches:
                    self._submit(batch, threads)
                    if len(self._waiting) >= self._at_once * (1 + _WAITING_FOR_EACH):
                        self._count_first()
                while self._waiting:
                    self._count_first()
            except BaseException:
                self._delivery.stop()
                threads.shutdown(cancel_futures=True)
                self._count_finished()
                raise

    def _submit(self, batch: ImportBatch, threads: ThreadPoolExecutor) -> None:
        future = threads.submit(self._settle, batch, self._front)
        self._waiting.append((batch, future))
        if batch.rows:
            self._front = batch.key, future

    def _settle(self, batch: ImportBatch, front: tuple[str, Future[Outcome]] | None) -> Outcome:
        """Settle a batch; `front` is the batch that it must not overtake, with its key."""
        if front is not None and batch.rows:
            key, before = front
            if not before.done() and (outcome := settle_behind(batch, key, self._delivery)):
                return outcome
            if before.exception() is not None:  # waits until that one is settled
                raise ImportStopped("Stopped.")
        return settle(batch, self._delivery, self._journal)

    def _count_first(self) -> None:
        batch, future = self._waiting[0]
        outcome = future.result()
        self._waiting.popleft()
        self._count(outcome)
        self.tally.through = batch.last

    def _count_finished(self) -> None:
        """Count batches that were settled but not counted, even those after a batch that was not settled."""
        gap = False
        for batch, future in self._waiting:
            if future.cancelled() or future.exception() is not None:
                gap = True
                continue
            self._count(future.result())
            if not gap:
                self.tally.through = batch.last

    def _count(self, outcome: Outcome) -> None:
        self.tally.accepted += outcome.accepted
        self.tally.replays += outcome.replays
        self.tally.refusals += len(outcome.refusals)
        self.tally.changed_batches += outcome.differs
        self._follow(outcome)
