"""A queue, the sender that empties it, and its thread: opened with the first event, and again in a forked child."""

from collections.abc import Callable
from pathlib import Path

from tallyroom_client import lifecycle
from tallyroom_client.chance import Chance
from tallyroom_client.clock import Clock
from tallyroom_client.journal.folder import QueueFolder, default_folder
from tallyroom_client.problems import ProblemReporter
from tallyroom_client.queue import EventQueue
from tallyroom_client.sending.connection import Connection
from tallyroom_client.sending.sender import Sender
from tallyroom_client.sending.worker import Worker
from tallyroom_client.settings import Settings
from tallyroom_client.stats import Counters, Stats


class Pipeline:
    """Everything between `track` and the server.

    `is_open` is False after `close`, and in a forked child: the next event needs another pipeline.
    """

    def __init__(
        self, settings: Settings, counters: Counters, problems: ProblemReporter, clock: Clock, chance: Chance
    ) -> None:
        self.is_open = True
        self._counters = counters
        self._problems = problems
        self.queue = EventQueue(
            _folder_opener(settings, clock, chance),
            clock=clock,
            make_key=chance.key,
            problems=problems,
            counters=counters,
            wake=self._wake,
        )
        self._sender = Sender(
            self.queue,
            Connection(settings.url, settings.key),
            clock=clock,
            random=chance.fraction,
            problems=problems,
            counters=counters,
        )
        self._worker = Worker(self._sender.step, self._sender.close)
        lifecycle.register(self)

    def flush(self, timeout: float) -> bool:
        """Return True once the server has answered to everything that was appended before; False after the timeout."""
        appended_count = self.queue.appended_count
        self.queue.is_hurried = True
        try:
            return self._worker.wait_for(lambda: self.queue.settled_count >= appended_count, timeout)
        finally:
            self.queue.is_hurried = False

    def close(self, timeout: float) -> bool:
        """Flush, and leave what still waits to the next process."""
        is_flushed = self.flush(timeout) if self.is_open else True
        self.is_open = False
        self._worker.stop(min(timeout, 1.0))
        self._problems.report_due(is_last=True)
        lifecycle.unregister(self)
        return is_flushed

    def abandon(self) -> None:
        """Begin again in a forked child: what is open belongs to the parent."""
        self.is_open = False
        self._counters.reset()
        self._problems.restart()
        self.queue.abandon()

    def stats(self) -> Stats:
        """Return the current numbers."""
        queue, counters = self.queue, self._counters
        return counters.stats()._replace(
            waiting=queue.waiting_events, waiting_bytes=queue.waiting_bytes, oldest_waiting=queue.oldest_waiting
        )

    def _wake(self) -> None:
        self._worker.wake()


def _folder_opener(settings: Settings, clock: Clock, chance: Chance) -> Callable[[], QueueFolder] | None:
    if settings.queue is False:
        return None
    path = default_folder(settings.url, settings.key) if settings.queue is None else Path(settings.queue)
    return lambda: QueueFolder(path, make_key=chance.key, now_ms=clock.now_ms, is_durable=settings.durable == "disk")
