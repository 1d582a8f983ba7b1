"""`tallyroom import`: brings events from a file to a running server."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Annotated, Final

from cyclopts import App, Parameter
from cyclopts.types import NonNegativeFloat, PositiveInt
from cyclopts.validators import Number
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from tallyroom.cli.columns import ColumnOptions, OptionUnknown
from tallyroom.core.clock import SystemClock
from tallyroom.transfer.batch import Batch, BatchKeys, cut
from tallyroom.transfer.delivery import Delivery
from tallyroom.transfer.mapper import maker
from tallyroom.transfer.mapping import OWN_SHAPE, check_columns
from tallyroom.transfer.products import PRODUCTS, Product
from tallyroom.transfer.report import Refusals, summary
from tallyroom.transfer.run import Run
from tallyroom.transfer.settle import Outcome
from tallyroom.transfer.source import Format, Source, open_source

import_app = App(name="import", help="Bring events from a file to a running server.")

_MOST_AT_ONCE: Final = 16


@dataclass(frozen=True)
class ServerOptions:
    """Where the events go."""

    url: Annotated[str, Parameter(env_var="TALLYROOM_URL", help="Address of the server.")] = "http://127.0.0.1:8480"
    key: Annotated[str, Parameter(env_var="TALLYROOM_KEY", show_default=False, help="API key.")] = ""
    at_once: Annotated[
        int,
        Parameter(
            validator=Number(gte=1, lte=_MOST_AT_ONCE), help=f"Requests under way at once, 1 to {_MOST_AT_ONCE}."
        ),
    ] = 4
    patience: Annotated[NonNegativeFloat, Parameter(help="Seconds to go on asking a server that takes nothing.")] = 300

    def connect(self, console: Console) -> Delivery:
        """The way to the server."""
        return Delivery(
            self.url,
            self.key.strip(),
            patience=self.patience,
            clock=SystemClock(),
            chance=Random(),  # noqa: S311 # it spreads repeats
            notice=console.print,
        )


@dataclass(frozen=True)
class FileOptions:
    """How the file is read."""

    product: Annotated[Product | None, Parameter(name="--from", help="The product whose export the file is.")] = None
    form: Annotated[Format | None, Parameter(name="--format", help="Its format, when its suffix does not say.")] = None
    delimiter: Annotated[str | None, Parameter(help="What separates the cells of a CSV file.")] = None


@import_app.command
def events(
    file: Annotated[Path, Parameter(allow_leading_hyphen=True, help="The file, or - for standard input.")],
    /,
    *,
    reading: Annotated[FileOptions, Parameter(name="*")] = FileOptions(),  # frozen
    columns: Annotated[ColumnOptions, Parameter(name="*")] = ColumnOptions(),  # noqa: B008 # frozen
    server: Annotated[ServerOptions, Parameter(name="*")] = ServerOptions(),  # frozen
    refused: Annotated[Path | None, Parameter(help="Write refused rows here, with line and reason.")] = None,
    preview: Annotated[PositiveInt | None, Parameter(help="Show so many events as they would be sent.")] = None,
) -> None:
    """Send the events of FILE to a running server: NDJSON, CSV or Parquet, also .gz; - is standard input.

    Without options, FILE is in Tallyroom's own shape. docs/howto/import.md has examples.
    """
    if refused and refused.exists() and file.exists() and refused.samefile(file):
        raise OptionUnknown("--refused names the very file that is imported.")
    console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
    with open_source(file, reading.form, reading.delimiter) as source:
        mapping = columns.applied_to(PRODUCTS[reading.product](source.columns) if reading.product else OWN_SHAPE)
        if source.columns is not None:
            check_columns(mapping, columns.asked, source.columns)
        batches = cut(source.rows, maker(mapping, source.form), BatchKeys(source.digest, mapping.fingerprint()))
        if preview:
            _show(batches, preview, console)
        elif not _send(batches, source, server, refused, console):
            sys.exit(1)


def _send(
    batches: Iterator[Batch], source: Source, server: ServerOptions, refused: Path | None, console: Console
) -> bool:
    """Send all batches and say what became of them; whether every row counts."""
    with ExitStack() as stack:
        delivery = stack.enter_context(closing(server.connect(console)))
        file = stack.enter_context(refused.open("wb")) if refused else None
        refusals = Refusals(console.print, file)
        advance = stack.enter_context(_progress(source, console))

        def follow(outcome: Outcome) -> None:
            refusals.note(outcome.refused)
            advance(source.done(), run.tally.rows)

        run = Run(delivery, server.at_once, follow)
        finished = False
        try:
            run.send(batches)
            finished = True
        finally:
            try:
                stack.close()
            finally:  # also when the last refused rows could not be written
                refusals.close(refused)
                sys.stdout.write(summary(run.tally, finished=finished) + "\n")
    return not (run.tally.refused or run.tally.changed)


@contextmanager
def _progress(source: Source, console: Console) -> Iterator[Callable[[int, int], None]]:
    """A bar of how much of the file is read, on a terminal only."""
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
        yield lambda done, rows: bar.update(task, completed=done, rows=rows)


def _show(batches: Iterator[Batch], count: int, console: Console) -> None:
    """The first events as they would be sent, and the rows that would be refused among them."""
    left = count
    for batch in batches:
        for row in batch.rows[:left]:
            sys.stdout.write(row.event.decode(errors="replace") + "\n")
        for lost in batch.refused[:left]:
            console.print(f"line {lost.line}: {lost.reason}")
        left -= len(batch.rows)
        if left <= 0:
            return
