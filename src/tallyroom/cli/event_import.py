"""What an import of events sends, and what it reports about the events at the end."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from tallyroom.cli.import_run import ImportJob
from tallyroom.core.clock import SystemClock
from tallyroom.import_export.batch import BatchKeys, ImportBatch, cut, made
from tallyroom.import_export.batch_delivery import Outcome
from tallyroom.import_export.delivery import Delivery, ImportStopped
from tallyroom.import_export.destination import WHERE, Destination, destination_of
from tallyroom.import_export.endpoint import EVENTS
from tallyroom.import_export.ids.hashes import HashedBatchKeys, IdHashes
from tallyroom.import_export.ids.ledger import Ledger, Unsettled
from tallyroom.import_export.ids.state import State
from tallyroom.import_export.mapper import maker
from tallyroom.import_export.mapping import Mapping
from tallyroom.import_export.old_rows import Ages
from tallyroom.import_export.report import counted
from tallyroom.import_export.run import Run, RunTotals
from tallyroom.import_export.source import OpenFile

_DEFAULT_ZONE: Final = "UTC"


class EventImport(ImportJob):
    """The events of a file.

    Args:
        source: the file.
        mapping: which column becomes what.
    """

    def __init__(self, source: OpenFile, mapping: Mapping) -> None:
        hashes = IdHashes(mapping.id, mapping.absent) if mapping.id else None
        self._rows = made(source.rows, maker(mapping, source.form), EVENTS, hashes)
        self._ages = Ages(SystemClock().now_ms())
        self._zone = mapping.zone
        super().__init__(cut(self._rows, EVENTS, BatchKeys(source.digest, mapping.fingerprint())))

    @property
    def batches(self) -> Iterator[ImportBatch]:
        """The batches as they would go to a server that has no events yet."""
        return self._batches

    def note(self, outcome: Outcome) -> None:
        """Take note of the rows that count."""
        self._ages.note(outcome.rows)

    def remarks(self, delivery: Delivery) -> Iterator[str]:
        """Sentences about events that will not appear in charts, or not where one would expect them."""
        if self._ages.older:
            yield (
                f"Older than 90 days: {counted(self._ages.older, 'row', 'rows')}. Lists and charts show the last days "
                'unless you name a span: "timeRange": "all" shows everything, and from and to show any time.'
            )
        if self._zone:
            yield from self._zone_remark(self._destination(delivery))
        elif self._ages.without_offset:
            yield from self._utc_remark(self._destination(delivery))

    def _destination(self, delivery: Delivery) -> Destination | None:
        return destination_of(delivery.glance(WHERE))

    def _utc_remark(self, destination: Destination | None) -> Iterator[str]:
        if destination is None or destination.workspace.timezone != _DEFAULT_ZONE:
            remark = f"Charts of this workspace count days in {destination.workspace.timezone}." if destination else ""
            yield (
                f"Times without a time zone: {counted(self._ages.without_offset, 'row', 'rows')}. They count as "
                f"{_DEFAULT_ZONE}, because there is no --timezone. "
                f"{remark or 'Charts count days in the time zone of the workspace: see GET /v1/workspace.'}"
            )

    def _zone_remark(self, destination: Destination | None) -> Iterator[str]:
        if destination is None:
            yield (
                f"Charts count days in the time zone of the workspace, which need not be {self._zone}: "
                "see GET /v1/workspace."
            )
        elif (zone := destination.workspace.timezone) != self._zone:
            yield (
                f"Charts of this workspace count days in {zone}, not in {self._zone}. To change that for all of "
                f'them: PATCH /v1/workspace {{"timezone":"{self._zone}"}}.'
            )


class IdentifiedImport(EventImport):
    """The events of a file whose rows have ids: a row counts once, even if several files contain it.

    Args:
        source: the file.
        mapping: which column becomes what, and which is the id.
        path: the file that remembers the ids.
        decision: what to do with rows if nobody knows whether they count.
        at_once: how many requests may be under way at the same time.
    """

    resuming = "Run the same command again; no row counts twice, even if the file has changed."

    def __init__(
        self, source: OpenFile, mapping: Mapping, path: Path, decision: Unsettled | None, at_once: int
    ) -> None:
        super().__init__(source, mapping)
        self._path = path
        self._decision = decision
        self._at_once = at_once
        self._where: Destination | None = None
        self._ledger: Ledger | None = None
        self._earlier = RunTotals()

    @contextmanager
    def opened(self, delivery: Delivery) -> Iterator[Iterator[ImportBatch]]:
        """Settle the open batches of earlier imports, then yield the batches of rows whose ids are not known."""
        self._where = destination_of(delivery.read(WHERE))
        if self._where is None:
            raise ImportStopped(
                "The server does not say which environment this key belongs to, which --id needs. Update the server."
            )
        with closing(State(self._path, self._where)) as state:
            self.journal = state
            self._ledger = ledger = Ledger(state, delivery.now_ms)
            try:
                self._settle_earlier(ledger, delivery)
                yield ledger.written_down(cut(ledger.new(self._rows), EVENTS, HashedBatchKeys()))
            finally:
                ledger.close(delivery.may_count)

    @property
    def left_out(self) -> int:
        """The number of rows that are not sent because their id is known."""
        return self._ledger.known + self._ledger.twice if self._ledger else 0

    def note(self, outcome: Outcome) -> None:
        """Take note of the rows that count, and remember their ids."""
        super().note(outcome)
        if self._ledger:
            self._ledger.note(outcome)

    def remarks(self, delivery: Delivery) -> Iterator[str]:
        """Sentences about the ids, followed by the usual remarks."""
        if self.left_out and self._ledger:
            known_rows, twice = self._ledger.known, self._ledger.twice
            yield (
                f"By their id, {counted(known_rows, 'row was', 'rows were')} known, and "
                f"{counted(twice, 'is', 'are')} in the file twice."
            )
        earlier = self._earlier
        if earlier.rows:
            yield (
                f"{counted(earlier.rows, 'row', 'rows')} of an import that broke off "
                f"{'was' if earlier.rows == 1 else 'were'} sent first: {earlier.accepted:,} accepted, "
                f"{earlier.replays:,} counted before, {earlier.refusals:,} refused."
            )
        yield from super().remarks(delivery)

    def _settle_earlier(self, ledger: Ledger, delivery: Delivery) -> None:
        run = Run(delivery, self._at_once, self.note, self.journal)
        self._earlier = run.tally
        run.send(ledger.left_open(EVENTS, self._decision))

    def _destination(self, delivery: Delivery) -> Destination | None:
        return self._where or super()._destination(delivery)
