"""A start on a data directory: judged before anything is opened, then counted as an epoch in all three parts."""

import logging
import sqlite3
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import msgspec

from tallyroom.core import failpoints
from tallyroom.core.atomic_file import write_whole
from tallyroom.core.clock import Clock
from tallyroom.core.data_directory import INSTALLATION_FILE
from tallyroom.core.ids import Ids
from tallyroom.operations.installation.consistency import Problem, find_problems
from tallyroom.operations.installation.inspection import FoundInstallation, look, new_id
from tallyroom.operations.installation.parts import PATHS
from tallyroom.operations.installation.quarantine import set_aside
from tallyroom.operations.installation.refusal import acceptable, refusal
from tallyroom.operations.installation.stale_copy import find_overtaken_spool, overtaken
from tallyroom.storage.event_store.backend.backend import Backend
from tallyroom.storage.event_store.part_check import events_by_spool
from tallyroom.storage.event_store.quarantine import surviving
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.metadata.record import NextEpoch, StartRecord
from tallyroom.storage.omission import Omission
from tallyroom.storage.spool.event_counts import begin_unproven, end_unproven, read_numbers
from tallyroom.storage.spool.omissions import begin_omissions
from tallyroom.storage.spool.queue import Spool
from tallyroom.storage.spool.stamp import write_stamp
from tallyroom.storage.stamp import Stamp

_log = logging.getLogger(__name__)


class Start:
    """A start that is allowed.

    Args:
        data: the data directory, held by this process.
        store: the event store, not open yet.
        record: the record of starts in the metadata; it is this process's turn to start.
        clock: gives the time at which something was given up.
        ids: generates the id of a new installation.
        key_given: whether a setting provides the key of stored secrets.
        accept_loss: continue without a lost spool, event store or key file.

    Attributes:
        store: the event store.
        installation: the id of the installation.
        epoch: the epoch of this start.
        away: why the event store could not be examined, so that `StoreAdmission` has to do it later; None if it was.

    Raises:
        NotWhole: the parts do not belong together; nothing was changed.
        ServerAway: the event store does not answer, and no start of this installation was ever completed.
        MovedAway: the data of the workers has moved to a data directory.
        SpoolTooNew: a later version wrote the spool.
        sqlite3.Error, OSError: something cannot be read.
    """

    def __init__(
        self,
        data: Path,
        store: Backend,
        record: StartRecord,
        clock: Clock,
        ids: Ids,
        *,
        key_given: bool,
        accept_loss: bool = False,
    ) -> None:
        self._shared_metadata = record.find()
        if self._shared_metadata is not None:
            self._shared_metadata.refuse_moved()
        installation = look(
            data, check=True, shared_metadata=self._shared_metadata, store=store, store_may_be_away=not accept_loss
        )
        last = installation.metadata.stamp
        has_started = last is not None and last.epoch > 0
        if installation.store.away and not has_started:
            raise installation.store.away
        problems = find_problems(installation, key_given=key_given)
        if problems and not (accept_loss and acceptable(problems)):
            raise refusal(installation, problems)
        self._data = data
        self.store = store
        self._record = record
        self._clock = clock
        self._accept_loss = accept_loss
        self._given_up = problems
        self._stamp = last or Stamp(new_id(ids.random_bytes), 0)
        self._begun_epoch = installation.begun_epoch if has_started and installation.store.on_server else None
        self.installation = self._stamp.installation
        self.epoch = max(self._stamp.epoch, self._begun_epoch or 0) + 1
        self.away = installation.store.away
        self._numbers = installation.counts.numbers if self.away else None  # before they grow
        if last is None and installation.spool.absent and installation.store.absent:
            _log.info("a new installation begins: whoever signs up first owns it", extra={"data": str(data)})

    def clear_the_way(self) -> None:
        """Set aside whatever was given up and must not be used, before anything is opened."""
        useless = {problem.of for problem in self._given_up if _is_of_no_use(problem)}
        folder = set_aside(self._data, [path for part, path in PATHS.items() if part in useless], self._clock)
        if folder:
            _log.warning("unusable parts were set aside", extra={"folder": str(folder)})

    def check_spool(self, writer: Writer) -> None:
        """Refuse a spool that is older than the event store before anything is changed, or set it aside.

        A store that does not answer is asked later.

        Args:
            writer: the writer of the open event store.

        Raises:
            NotWhole: the spool is an older copy; it was left unchanged.
            StoreError: the store does not answer.
        """
        if self.away:
            return
        # What was given up is no longer there.
        installation = look(self._data, check=False, shared_metadata=self._shared_metadata, store=self.store)
        problem = surviving(writer, partial(find_overtaken_spool, installation, writer))
        if problem is None:
            return
        if not self._accept_loss:
            raise refusal(installation, [problem])
        self._given_up.append(problem)
        self.clear_the_way()

    def begin(self, spool: Spool, writer: Writer) -> None:
        """Begin the next epoch, durably, so that the directory can be started again after a crash at any moment.

        Args:
            spool: the open spool, from which nothing moves yet.
            writer: the writer of the open event store, whose tables exist; it is not asked if the store is away.
        """
        self._spool = spool
        lost_events = self._lost_events(spool, writer)
        event_counts = events_by_spool(writer) if self._shared_metadata and not self.away else ()
        losses = self._losses(lost_events)
        start = NextEpoch(self._stamp, losses, spool.identity, self._begun_epoch, self.away is not None, event_counts)
        stamp = start.stamp
        with self._record.beginning(start):
            failpoints.hit("start.begin.after")
            omissions = self._record.due_erasures(spool.identity)
            spool.change(partial(self._stamp_spool, stamp=stamp, lost_events=lost_events, omissions=omissions)).result()
            failpoints.hit("start.spool.after")
            if not self.away:
                self.store.stamp(stamp)
            failpoints.hit("start.store.after")
        self._leave_a_trace(stamp)

    def _stamp_spool(
        self, connection: sqlite3.Connection, *, stamp: Stamp, lost_events: int, omissions: Sequence[Omission]
    ) -> None:
        write_stamp(connection, stamp, lost_events)
        begin_omissions(connection, omissions)
        if self.away:
            begin_unproven(connection)
        else:
            end_unproven(connection)

    def admit(self, writer: Writer, migrate: Callable[[Writer], object]) -> None:
        """Examine the event store that was away when this server started, and bring it up to date.

        Args:
            writer: the writer of the store, which nobody else of this process uses yet.
            migrate: brings its tables up to date.

        Raises:
            NotWhole: the store does not belong to the other parts, or the spool is an older copy.
            MovedAway: the data of the workers has moved to a data directory.
            StoreError, TallyroomError: the store or the metadata do not answer, or a later version wrote the store.
        """
        with self._record.turn():
            shared_metadata = self._record.find()
            if shared_metadata is not None:
                shared_metadata.refuse_moved()
            installation = look(self._data, check=False, shared_metadata=shared_metadata, store=writer.backend)
            problems = find_problems(installation, key_given=True)
            if not problems and self._numbers and (older := overtaken(installation, self._numbers, writer)):
                problems = [older]
            if problems:
                raise refusal(installation, problems)
            migrate(writer)
            self._complete(installation, writer)

    def _complete(self, installation: FoundInstallation, writer: Writer) -> None:
        """Stamp the store with the newest epoch, unless the start of another worker has."""
        last = installation.metadata.stamp or self._stamp
        epoch = max(last.epoch, installation.begun_epoch or 0)
        if installation.store.stamp is None or installation.store.stamp.epoch < epoch:
            writer.backend.stamp(Stamp(self.installation, epoch))
        self._record.settle(epoch, self._spool.identity, events_by_spool(writer))
        self._spool.change(end_unproven).result()

    def _leave_a_trace(self, stamp: Stamp) -> None:
        trace = self._data / INSTALLATION_FILE
        if not trace.exists():
            write_whole(trace, msgspec.json.encode({"installation": stamp.installation}))

    def _lost_events(self, spool: Spool, writer: Writer) -> int:
        """Return how many events of this spool were lost with the event store; a new spool knows of none."""
        if all(problem.of != "event store" for problem in self._given_up):
            return 0
        numbers = spool.change(read_numbers).result()
        return max(0, numbers.expected - events_by_spool(writer).get(numbers.spool, 0))

    def _losses(self, lost_events: int) -> list[tuple[int, str]]:
        """Log the losses of this start, and return them with their time for the doctor to report."""
        now_ms = self._clock.now_ms()
        texts = [_told(problem, lost_events) for problem in self._given_up]
        for text in texts:
            _log.warning("the server continues although something is lost", extra={"lost": text})
        return [(now_ms, text) for text in texts]


def _is_of_no_use(problem: Problem) -> bool:
    """Return whether a part must be set aside: an older store is still useful, but an older spool would reuse ids."""
    return not (problem.of == "event store" and problem.kind == "older")


def _told(problem: Problem, lost_events: int) -> str:
    if problem.of == "key":
        return f"{problem.text}: a new key was made"
    if problem.of == "spool":
        return f"{problem.text}: what waited in it is lost"
    return f"{problem.text}: {f'{lost_events:,} events are lost' if lost_events else 'what only it held is lost'}"
