"""What every import on the command line does: it reads a file, sends it, and reports the outcome."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from operator import attrgetter
from pathlib import Path
from random import Random
from typing import Annotated

from cyclopts import Parameter
from cyclopts.types import NonNegativeFloat
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from tallyroom.cli.column_options import OptionUnknown
from tallyroom.core.clock import SystemClock
from tallyroom.core.errors import TallyroomError
from tallyroom.import_export.batch import ImportBatch, SentRow
from tallyroom.import_export.batch_delivery import BatchOutcome, Journal
from tallyroom.import_export.delivery import Delivery, ServerUnreachable
from tallyroom.import_export.endpoint import Endpoint
from tallyroom.import_export.report import RefusalReport, describe_nameless_cells, format_summary, hint_after_fix
from tallyroom.import_export.row import RefusedRow
from tallyroom.import_export.run import ImportRun, RunTotals
from tallyroom.import_export.source import FileFormat, SourceFile

FileArgument = Annotated[Path, Parameter(allow_leading_hyphen=True, help="The file, or - for standard input.")]
UrlOption = Annotated[str, Parameter(env_var="TALLYROOM_URL", help="Address of the server.")]
PatienceOption = Annotated[NonNegativeFloat, Parameter(help="Seconds to keep trying while the server accepts nothing.")]
RefusalsFileOption = Annotated[
    Path | None, Parameter(name="--refused", help="File for refused rows, with line and reason.")
]

LOCAL_URL = "http://127.0.0.1:8480"
DEFAULT_PATIENCE = 300


@dataclass(frozen=True)
class FileOptions:
    """How to read the file."""

    file_format: Annotated[
        FileFormat | None, Parameter(name="--format", help="File format, if the suffix does not show it.")
    ] = None
    delimiter: Annotated[str | None, Parameter(help="Delimiter of a CSV file.")] = None


@dataclass(frozen=True)
class DeliveryTarget:
    """How to reach one endpoint of a server."""

    url: str
    credential: str
    endpoint: Endpoint
    patience_seconds: float
    concurrency: int = 1

    def open_delivery(self, console: Console) -> Delivery:
        """Open the connection to the server."""
        return Delivery(
            self.url,
            self.credential.strip(),
            self.endpoint,
            patience_seconds=self.patience_seconds,
            clock=SystemClock(),
            random=Random(),  # noqa: S311 # it spreads repeats
            notify=console.print,
        )


def plain_console() -> Console:
    """Return the console for messages to people, apart from the result."""
    return Console(stderr=True, highlight=False, markup=False, soft_wrap=True)


def check_refusals_file(refusals_file: Path | None, file: Path) -> None:
    """Raise `OptionUnknown` if the import would overwrite the file that it reads."""
    if refusals_file and refusals_file.exists() and file.exists() and refusals_file.samefile(file):
        raise OptionUnknown("--refused cannot name the file being imported.")


class ImportJob:
    """What one import sends, and reports besides its numbers; an empty `resume_hint` means the endpoint's own."""

    journal: Journal | None = None
    resume_hint = ""

    def __init__(self, batches: Iterator[ImportBatch]) -> None:
        self._batches = batches

    @contextmanager
    def open_batches(self, delivery: Delivery) -> Iterator[Iterator[ImportBatch]]:  # noqa: ARG002 # others need the way
        """Yield the batches; they are valid while the block runs."""
        yield self._batches

    @property
    def skipped_count(self) -> int:
        """The number of rows that are not sent because they already count."""
        return 0

    def note_outcome(self, outcome: BatchOutcome) -> None:
        """Note that a batch is settled."""

    def iter_remarks(self, delivery: Delivery) -> Iterator[str]:  # noqa: ARG002 # as above
        """Yield sentences for the end of the import."""
        yield from ()


def run_import(
    job: ImportJob, source: SourceFile, delivery_target: DeliveryTarget, refusals_file: Path | None, console: Console
) -> bool:
    """Send all batches, report the outcome, and return whether every row counts."""
    remarks: list[str] = []
    totals = RunTotals()
    with ExitStack() as stack:
        delivery = stack.enter_context(closing(delivery_target.open_delivery(console)))
        refusals_output = stack.enter_context(refusals_file.open("wb")) if refusals_file else None
        refusal_report = RefusalReport(console.print, refusals_output)
        update_progress = stack.enter_context(_show_progress(source, console))

        def on_outcome(outcome: BatchOutcome) -> None:
            refusal_report.report_rows(outcome.refusals)
            job.note_outcome(outcome)
            update_progress(source.read_progress(), totals.row_count)

        resume_hint: str | None = job.resume_hint or delivery_target.endpoint.resume_hint
        try:
            batches = stack.enter_context(job.open_batches(delivery))
            run = ImportRun(delivery, delivery_target.concurrency, on_outcome, job.journal)
            totals = run.totals
            run.send_batches(batches)
            remarks += describe_nameless_cells(source.nameless_count_by_column)
            remarks += job.iter_remarks(delivery)
            resume_hint = None
        except TallyroomError as error:
            if resume_hint and not isinstance(error, ServerUnreachable):
                resume_hint = hint_after_fix(resume_hint, totals)
            raise
        finally:
            totals.replay_count += job.skipped_count
            try:
                stack.close()
            finally:  # even if the last refused rows could not be written
                refusal_report.report_remainder(refusals_file)
                sys.stdout.write("\n".join([format_summary(totals, resume_hint), *remarks]) + "\n")
    return not (totals.refusal_count or totals.changed_batch_count)


def print_preview(batches: Iterator[ImportBatch], row_count: int, console: Console) -> None:
    """Show the first rows of the file: as they would be sent, or why they would be refused."""
    for row in islice(chain.from_iterable(map(_sort_rows, batches)), row_count):
        if isinstance(row, SentRow):
            sys.stdout.write(row.item_json.decode(errors="replace") + "\n")
        else:
            console.print(f"line {row.line_number}: {row.reason}")


def _sort_rows(batch: ImportBatch) -> list[SentRow | RefusedRow]:
    rows: list[SentRow | RefusedRow] = [*batch.rows, *batch.refusals]
    return sorted(rows, key=attrgetter("line_number"))


@contextmanager
def _show_progress(source: SourceFile, console: Console) -> Iterator[Callable[[int, int], None]]:
    """Show a bar of how much of the file has been read, if standard error is a terminal."""
    progress_bar = Progress(
        TextColumn("Importing"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[rows]:,} rows"),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
        transient=True,
    )
    with progress_bar:
        task_id = progress_bar.add_task("", total=source.progress_total, rows=0)
        yield lambda position, rows: progress_bar.update(task_id, completed=position, rows=rows)
