"""What an import of events sends, and what it reports about the events at the end."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from tallyroom.cli.import_run import ImportJob
from tallyroom.core.clock import SystemClock
from tallyroom.import_export.batch import FileBatchNamer, ImportBatch, build_rows, split_batches
from tallyroom.import_export.batch_delivery import BatchOutcome
from tallyroom.import_export.delivery import Delivery, ImportStopped
from tallyroom.import_export.destination import KEY_PATH, Destination, parse_destination
from tallyroom.import_export.endpoint import EVENTS_ENDPOINT
from tallyroom.import_export.ids.hashes import ContentBatchNamer, IdHasher
from tallyroom.import_export.ids.ledger import ImportLedger, UnsettledDecision
from tallyroom.import_export.ids.state import ImportState
from tallyroom.import_export.mapper import choose_item_builder
from tallyroom.import_export.mapping import ColumnMapping
from tallyroom.import_export.old_rows import OldRowCounter
from tallyroom.import_export.report import format_count
from tallyroom.import_export.run import ImportRun, RunTotals
from tallyroom.import_export.source import SourceFile

_DEFAULT_ZONE: Final = "UTC"


class EventImport(ImportJob):
    """The events of a file."""

    def __init__(self, source: SourceFile, mapping: ColumnMapping) -> None:
        id_hasher = IdHasher(mapping.id, mapping.absent) if mapping.id else None
        self._rows = build_rows(
            source.rows, choose_item_builder(mapping, source.file_format), EVENTS_ENDPOINT, id_hasher
        )
        self._old_rows = OldRowCounter(SystemClock().now_ms())
        self._zone = mapping.zone
        super().__init__(
            split_batches(self._rows, EVENTS_ENDPOINT, FileBatchNamer(source.digest, mapping.fingerprint()))
        )

    @property
    def batches(self) -> Iterator[ImportBatch]:
        """The batches as they would go to a server that has no events yet."""
        return self._batches

    def note_outcome(self, outcome: BatchOutcome) -> None:
        """Note the rows that count."""
        self._old_rows.count_rows(outcome.counted_rows)

    def iter_remarks(self, delivery: Delivery) -> Iterator[str]:
        """Sentences about events that will not appear in charts, or not where users expect them."""
        if self._old_rows.old_count:
            yield (
                f"Older than 90 days: {format_count(self._old_rows.old_count, 'row', 'rows')}. "
                'Lists and charts show recent days unless you choose a time range: "timeRange": "all" shows '
                "everything; from and to show any period."
            )
        if self._zone:
            yield from self._zone_remark(self._find_destination(delivery))
        elif self._old_rows.without_offset_count:
            yield from self._utc_remark(self._find_destination(delivery))

    def _find_destination(self, delivery: Delivery) -> Destination | None:
        return parse_destination(delivery.try_get_json(KEY_PATH))

    def _utc_remark(self, destination: Destination | None) -> Iterator[str]:
        if destination is None or destination.workspace.timezone != _DEFAULT_ZONE:
            remark = f"Charts in this workspace count days in {destination.workspace.timezone}." if destination else ""
            yield (
                f"Times without a time zone: {format_count(self._old_rows.without_offset_count, 'row', 'rows')}. "
                f"They are read as {_DEFAULT_ZONE}, because --timezone is not set. "
                f"{remark or 'Charts count days in the time zone of the workspace: see GET /v1/workspace.'}"
            )

    def _zone_remark(self, destination: Destination | None) -> Iterator[str]:
        if destination is None:
            yield (
                f"Charts count days in the time zone of the workspace, which may not be {self._zone}: "
                "see GET /v1/workspace."
            )
        elif (zone := destination.workspace.timezone) != self._zone:
            yield (
                f"Charts in this workspace count days in {zone}, not in {self._zone}. To change that for all of "
                f'them: PATCH /v1/workspace {{"timezone":"{self._zone}"}}.'
            )


class IdentifiedImport(EventImport):
    """The events of a file whose rows have ids: a row counts once, even if several files contain it.

    `state_path` is the file that remembers the ids; `decision` is for rows that may already count.
    """

    resume_hint = "Run the same command again; no row counts twice, even if the file has changed."

    def __init__(
        self,
        source: SourceFile,
        mapping: ColumnMapping,
        state_path: Path,
        decision: UnsettledDecision | None,
        concurrency: int,
    ) -> None:
        super().__init__(source, mapping)
        self._state_path = state_path
        self._decision = decision
        self._concurrency = concurrency
        self._known_destination: Destination | None = None
        self._ledger: ImportLedger | None = None
        self._earlier_totals = RunTotals()

    @contextmanager
    def open_batches(self, delivery: Delivery) -> Iterator[Iterator[ImportBatch]]:
        """Settle the open batches of earlier imports, then yield the batches of rows whose ids are not known."""
        self._known_destination = parse_destination(delivery.get_json(KEY_PATH))
        if self._known_destination is None:
            raise ImportStopped("--id needs a server that reports the environment of this key. Update the server.")
        with closing(ImportState(self._state_path, self._known_destination)) as state:
            self.journal = state
            self._ledger = ledger = ImportLedger(state, delivery.now_ms)
            try:
                self._settle_earlier(ledger, delivery)
                yield ledger.record_batches(
                    split_batches(ledger.filter_new_rows(self._rows), EVENTS_ENDPOINT, ContentBatchNamer())
                )
            finally:
                ledger.close(delivery.may_be_accepted)

    @property
    def skipped_count(self) -> int:
        """The number of rows that are not sent because their id is known."""
        return self._ledger.known_count + self._ledger.duplicate_count if self._ledger else 0

    def note_outcome(self, outcome: BatchOutcome) -> None:
        """Note the rows that count, and remember their ids."""
        super().note_outcome(outcome)
        if self._ledger:
            self._ledger.note_settled(outcome)

    def iter_remarks(self, delivery: Delivery) -> Iterator[str]:
        """Sentences about the ids, followed by the usual remarks."""
        if self.skipped_count and self._ledger:
            known_count, duplicate_count = self._ledger.known_count, self._ledger.duplicate_count
            yield (
                f"By ID, {format_count(known_count, 'row was', 'rows were')} already imported, and "
                f"{format_count(duplicate_count, 'is a duplicate', 'are duplicates')} in the file."
            )
        earlier = self._earlier_totals
        if earlier.row_count:
            yield (
                f"{format_count(earlier.row_count, 'row', 'rows')} of an interrupted import "
                f"{'was' if earlier.row_count == 1 else 'were'} sent first: {earlier.accepted_count:,} accepted, "
                f"{earlier.replay_count:,} already counted, {earlier.refusal_count:,} refused."
            )
        yield from super().iter_remarks(delivery)

    def _settle_earlier(self, ledger: ImportLedger, delivery: Delivery) -> None:
        run = ImportRun(delivery, self._concurrency, self.note_outcome, self.journal)
        self._earlier_totals = run.totals
        run.send_batches(ledger.find_batches_to_resend(EVENTS_ENDPOINT, self._decision))

    def _find_destination(self, delivery: Delivery) -> Destination | None:
        return self._known_destination or super()._find_destination(delivery)
