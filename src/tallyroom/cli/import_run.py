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
from tallyroom.import_export.batch_delivery import Journal, Outcome
from tallyroom.import_export.delivery import Delivery, GivenUp
from tallyroom.import_export.endpoint import Endpoint
from tallyroom.import_export.report import Refusals, left_out, once_mended, summary
from tallyroom.import_export.row import RefusedRow
from tallyroom.import_export.run import Run, RunTotals
from tallyroom.import_export.source import Format, OpenFile

File = Annotated[Path, Parameter(allow_leading_hyphen=True, help="The file, or - for standard input.")]
Url = Annotated[str, Parameter(env_var="TALLYROOM_URL", help="Address of the server.")]
Patience = Annotated[NonNegativeFloat, Parameter(help="Seconds to keep trying while the server accepts nothing.")]
RefusedFile = Annotated[
    Path | None, Parameter(name="--refused", help="File for the refused rows, with line and reason.")
]

LOCAL = "http://127.0.0.1:8480"
PATIENCE = 300


@dataclass(frozen=True)
class FileOptions:
    """How to read the file."""

    form: Annotated[
        Format | None, Parameter(name="--format", help="Format of the file, if its suffix does not say.")
    ] = None
    delimiter: Annotated[str | None, Parameter(help="What separates the cells of a CSV file.")] = None


@dataclass(frozen=True)
class Way:
    """How to reach one endpoint of a server."""

    url: str
    credential: str
    endpoint: Endpoint
    patience: float
    at_once: int = 1

    def connect(self, console: Console) -> Delivery:
        """Open the connection to the server."""
        return Delivery(
            self.url,
            self.credential.strip(),
            self.endpoint,
            patience=self.patience,
            clock=SystemClock(),
            chance=Random(),  # noqa: S311 # it spreads repeats
            notice=console.print,
        )


def plain_console() -> Console:
    """Return the console for messages to people, apart from the result."""
    return Console(stderr=True, highlight=False, markup=False, soft_wrap=True)


def check_refused(refusals_file: Path | None, file: Path) -> None:
    """Check that the import does not overwrite the very file that it reads.

    Raises:
        OptionUnknown: both are the same file.
    """
    if refusals_file and refusals_file.exists() and file.exists() and refusals_file.samefile(file):
        raise OptionUnknown("--refused names the same file that is imported.")


class ImportJob:
    """What one import sends, and what it reports besides its numbers.

    Args:
        batches: the batches of the file.

    Attributes:
        journal: keeps a record of what is sent.
        resuming: how to continue an import that did not finish; empty to use the endpoint's own sentence.
    """

    journal: Journal | None = None
    resuming = ""

    def __init__(self, batches: Iterator[ImportBatch]) -> None:
        self._batches = batches

    @contextmanager
    def opened(self, delivery: Delivery) -> Iterator[Iterator[ImportBatch]]:  # noqa: ARG002 # others need the way
        """Yield the batches; they are valid while the block runs."""
        yield self._batches

    @property
    def left_out(self) -> int:
        """The number of rows that are not sent because they already count."""
        return 0

    def note(self, outcome: Outcome) -> None:
        """Note that a batch is settled."""

    def remarks(self, delivery: Delivery) -> Iterator[str]:  # noqa: ARG002 # as above
        """Yield sentences for the end of the import."""
        yield from ()


def send(job: ImportJob, source: OpenFile, way: Way, refusals_file: Path | None, console: Console) -> bool:
    """Send all batches, report the outcome, and return whether every row counts."""
    remarks: list[str] = []
    tally = RunTotals()
    with ExitStack() as stack:
        delivery = stack.enter_context(closing(way.connect(console)))
        file = stack.enter_context(refusals_file.open("wb")) if refusals_file else None
        refusals = Refusals(console.print, file)
        advance = stack.enter_context(_progress(source, console))

        def follow(outcome: Outcome) -> None:
            refusals.note(outcome.refusals)
            job.note(outcome)
            advance(source.progress(), tally.rows)

        resuming: str | None = job.resuming or way.endpoint.resuming
        try:
            batches = stack.enter_context(job.opened(delivery))
            run = Run(delivery, way.at_once, follow, job.journal)
            tally = run.tally
            run.send(batches)
            remarks += left_out(source.nameless)
            remarks += job.remarks(delivery)
            resuming = None
        except TallyroomError as error:
            if resuming and not isinstance(error, GivenUp):
                resuming = once_mended(resuming, tally)
            raise
        finally:
            tally.replays += job.left_out
            try:
                stack.close()
            finally:  # even if the last refused rows could not be written
                refusals.close(refusals_file)
                sys.stdout.write("\n".join([summary(tally, resuming), *remarks]) + "\n")
    return not (tally.refusals or tally.changed_batches)


def show(batches: Iterator[ImportBatch], count: int, console: Console) -> None:
    """Show the first rows of the file: as they would be sent, or why they would be refused."""
    for row in islice(chain.from_iterable(map(_in_order, batches)), count):
        if isinstance(row, SentRow):
            sys.stdout.write(row.item.decode(errors="replace") + "\n")
        else:
            console.print(f"line {row.line}: {row.reason}")


def _in_order(batch: ImportBatch) -> list[SentRow | RefusedRow]:
    rows: list[SentRow | RefusedRow] = [*batch.rows, *batch.refusals]
    return sorted(rows, key=attrgetter("line"))


@contextmanager
def _progress(source: OpenFile, console: Console) -> Iterator[Callable[[int, int], None]]:
    """Show a bar of how much of the file has been read, if standard error is a terminal."""
    bar = Progress(
        TextColumn("Importing"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[rows]:,} rows"),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
        transient=True,
    )
    with bar:
        task = bar.add_task("", total=source.size, rows=0)
        yield lambda position, rows: bar.update(task, completed=position, rows=rows)
