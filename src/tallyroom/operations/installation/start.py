"""A start on a data directory: checked before anything is opened, then recorded as an epoch in all three parts."""

import logging
import sqlite3
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import msgspec

from tallyroom.core import failpoints
from tallyroom.core.atomic_file import write_atomically
from tallyroom.core.clock import Clock
from tallyroom.core.data_directory import INSTALLATION_FILE
from tallyroom.core.ids import IdGenerator
from tallyroom.operations.installation.consistency import InstallationProblem, find_problems
from tallyroom.operations.installation.inspection import (
    FoundInstallation,
    generate_installation_id,
    inspect_installation,
)
from tallyroom.operations.installation.parts import PATH_BY_PART
from tallyroom.operations.installation.quarantine import quarantine_entries
from tallyroom.operations.installation.refusal import build_refusal, is_acceptable
from tallyroom.operations.installation.stale_copy import find_stale_counts_problem, find_stale_spool_problem
from tallyroom.storage.event_store.backend.backend import Backend
from tallyroom.storage.event_store.part_check import count_events_by_spool
from tallyroom.storage.event_store.quarantine import read_past_damage
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.metadata.record import NextEpoch, StartRecord
from tallyroom.storage.omission import Omission
from tallyroom.storage.spool.event_counts import begin_unproven_intake, end_unproven_intake, read_spool_counts
from tallyroom.storage.spool.omissions import begin_omissions
from tallyroom.storage.spool.queue import Spool
from tallyroom.storage.spool.stamp import write_stamp
from tallyroom.storage.stamp import Stamp

_log = logging.getLogger(__name__)


class InstallationStart:
    """A permitted start, on a data directory that this process holds.

    `store` is not open yet, and the start lock of `start_record` is held. `is_key_given`: a setting provides the key of
    stored secrets. `accept_loss` continues without a lost spool, event store or key file.

    Raises:
        IncompleteInstallation, MovedAway: the parts do not belong together, or the data has moved; nothing was changed.
        ServerAway: the event store does not answer, and no start of this installation was ever completed.
        SpoolTooNew, sqlite3.Error, OSError: something cannot be read.
    """

    def __init__(
        self,
        data_dir: Path,
        store: Backend,
        start_record: StartRecord,
        clock: Clock,
        id_generator: IdGenerator,
        *,
        is_key_given: bool,
        accept_loss: bool = False,
    ) -> None:
        self._shared_metadata = shared_metadata = start_record.read_metadata()
        if shared_metadata is not None:
            shared_metadata.refuse_moved()
        installation = inspect_installation(
            data_dir, must_check_damage=True, shared_metadata=shared_metadata, store=store, may_be_away=not accept_loss
        )
        last_stamp = installation.metadata.stamp
        has_started = last_stamp is not None and last_stamp.epoch > 0
        if installation.store.away_error and not has_started:
            raise installation.store.away_error
        problems = find_problems(installation, is_key_given=is_key_given)
        if problems and not (accept_loss and is_acceptable(problems)):
            raise build_refusal(installation, problems)
        self._data_dir = data_dir
        self.store = store
        self._start_record = start_record
        self._clock = clock
        self._accept_loss = accept_loss
        self._accepted_problems = problems
        self._last_stamp = last_stamp or Stamp(generate_installation_id(id_generator.random_bytes), 0)
        self._begun_epoch = installation.begun_epoch if has_started and installation.store.is_on_server else None
        self.installation_id = self._last_stamp.installation
        self.epoch = max(self._last_stamp.epoch, self._begun_epoch or 0) + 1
        self.away_error = installation.store.away_error  # if not None, `StoreAdmission` examines the store later
        self._spool_counts_before = installation.counts.spool_counts if self.away_error else None  # before they change
        if last_stamp is None and installation.spool.absence and installation.store.absence:
            _log.info(
                "starting a new installation: the first user to sign up will own it", extra={"data": str(data_dir)}
            )

    def quarantine_unusable(self) -> None:
        """Set aside parts that were given up and must not be used, before anything is opened."""
        unusable_parts = {problem.subject for problem in self._accepted_problems if _is_unusable(problem)}
        entry_names = [path for part, path in PATH_BY_PART.items() if part in unusable_parts]
        folder = quarantine_entries(self._data_dir, entry_names, self._clock)
        if folder:
            _log.warning("unusable parts were set aside", extra={"folder": str(folder)})

    def check_spool(self, writer: Writer) -> None:
        """Refuse a spool that is older than the store, or set it aside; for a store that is away, see `admit_store`."""
        if self.away_error:
            return
        # The lost parts have been moved away.
        installation = inspect_installation(
            self._data_dir, must_check_damage=False, shared_metadata=self._shared_metadata, store=self.store
        )
        problem = read_past_damage(writer, partial(find_stale_spool_problem, installation, writer))
        if problem is None:
            return
        if not self._accept_loss:
            raise build_refusal(installation, [problem])
        self._accepted_problems.append(problem)
        self.quarantine_unusable()

    def begin_epoch(self, spool: Spool, writer: Writer) -> None:
        """Begin the next epoch, durably, so that the directory can be started again after a crash at any moment.

        Nothing may move from `spool` yet, and the tables of the open event store exist.
        """
        self._spool = spool
        lost_event_count = self._count_lost_events(spool, writer)
        store_spools = count_events_by_spool(writer) if self._shared_metadata and not self.away_error else ()
        losses = self._log_losses(lost_event_count)
        next_epoch = NextEpoch(
            self._last_stamp, losses, spool.identity, self._begun_epoch, self.away_error is not None, store_spools
        )
        stamp = next_epoch.stamp
        with self._start_record.begin_epoch(next_epoch):
            failpoints.hit("start.begin.after")
            omissions = self._start_record.list_due_erasures(spool.identity)
            spool.change(partial(self._stamp_spool, stamp, lost_event_count, omissions)).result()
            failpoints.hit("start.spool.after")
            if not self.away_error:
                self.store.write_stamp(stamp)
            failpoints.hit("start.store.after")
        installation_file = self._data_dir / INSTALLATION_FILE
        if not installation_file.exists():
            write_atomically(installation_file, msgspec.json.encode({"installation": stamp.installation}))

    def _stamp_spool(
        self, stamp: Stamp, lost_event_count: int, omissions: Sequence[Omission], connection: sqlite3.Connection
    ) -> None:
        write_stamp(connection, stamp, lost_event_count)
        begin_omissions(connection, omissions)
        if self.away_error:
            begin_unproven_intake(connection)
        else:
            end_unproven_intake(connection)

    def admit_store(self, writer: Writer, migrate: Callable[[Writer], object]) -> None:
        """Examine the event store that was away when this server started, and migrate its tables through `writer`.

        Raises:
            IncompleteInstallation, MovedAway: the store does not belong to the other parts, or the data has moved.
            StoreError, TallyroomError: the store or the metadata do not answer, or a later version wrote the store.
        """
        with self._start_record.hold_start_lock():
            shared_metadata = self._start_record.read_metadata()
            if shared_metadata is not None:
                shared_metadata.refuse_moved()
            installation = inspect_installation(
                self._data_dir, must_check_damage=False, shared_metadata=shared_metadata, store=writer.backend
            )
            problems = find_problems(installation, is_key_given=True)
            if not problems and self._spool_counts_before:
                problem = find_stale_counts_problem(installation, self._spool_counts_before, writer)
                problems = [problem] if problem else []
            if problems:
                raise build_refusal(installation, problems)
            migrate(writer)
            self._settle_epoch(installation, writer)

    def _settle_epoch(self, installation: FoundInstallation, writer: Writer) -> None:
        """Stamp the store with the newest epoch, unless another worker's start has."""
        last_stamp = installation.metadata.stamp or self._last_stamp
        epoch = max(last_stamp.epoch, installation.begun_epoch or 0)
        if installation.store.stamp is None or installation.store.stamp.epoch < epoch:
            writer.backend.write_stamp(Stamp(self.installation_id, epoch))
        self._start_record.settle_epoch(epoch, self._spool.identity, count_events_by_spool(writer))
        self._spool.change(end_unproven_intake).result()

    def _count_lost_events(self, spool: Spool, writer: Writer) -> int:
        """Return how many events of this spool were lost with the event store; 0 for a new spool."""
        if all(problem.subject != "event store" for problem in self._accepted_problems):
            return 0
        spool_counts = spool.change(read_spool_counts).result()
        return max(0, spool_counts.expected_in_store - count_events_by_spool(writer).get(spool_counts.spool, 0))

    def _log_losses(self, lost_event_count: int) -> list[tuple[int, str]]:
        """Log the losses of this start, and return them with their time (ms) for the doctor."""
        now_ms = self._clock.now_ms()
        texts = [_describe_loss(problem, lost_event_count) for problem in self._accepted_problems]
        for text in texts:
            _log.warning("the server continues, although data was lost", extra={"lost": text})
        return [(now_ms, text) for text in texts]


def _is_unusable(problem: InstallationProblem) -> bool:
    """Return whether a part must be set aside: an older store is still useful, but an older spool would reuse ids."""
    return not (problem.subject == "event store" and problem.kind == "older")


def _describe_loss(problem: InstallationProblem, event_count: int) -> str:
    if problem.subject == "key":
        return f"{problem.text}: a new key was created"
    if problem.subject == "spool":
        return f"{problem.text}: the events queued in it are lost"
    loss = f"{event_count:,} events are lost" if event_count else "any data that was only in it is lost"
    return f"{problem.text}: {loss}"
