"""`tallyroom import`: brings events from a file to a running server."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from cyclopts import App, Parameter
from cyclopts.types import PositiveInt
from cyclopts.validators import Number

from tallyroom.cli.column_options import ColumnOptions, OptionUnknown
from tallyroom.cli.event_import import EventImport, IdentifiedImport
from tallyroom.cli.import_run import (
    DEFAULT_PATIENCE,
    LOCAL_URL,
    DeliveryTarget,
    FileArgument,
    FileOptions,
    PatienceOption,
    RefusalsFileOption,
    UrlOption,
    check_refusals_file,
    plain_console,
    print_preview,
    run_import,
)
from tallyroom.import_export.endpoint import EVENTS_ENDPOINT
from tallyroom.import_export.ids.ledger import UnsettledDecision
from tallyroom.import_export.mapping import NATIVE_MAPPING, check_columns
from tallyroom.import_export.products import MAPPING_BUILDERS, Product
from tallyroom.import_export.source import open_source

import_app = App(name="import", help="Import events from a file into a running server.")

_MAX_AT_ONCE: Final = 16


@dataclass(frozen=True)
class ServerOptions:
    """Where the events go."""

    url: UrlOption = LOCAL_URL
    key: Annotated[str, Parameter(env_var="TALLYROOM_KEY", show_default=False, help="API key.")] = ""
    at_once: Annotated[
        int,
        Parameter(validator=Number(gte=1, lte=_MAX_AT_ONCE), help=f"Concurrent requests, 1 to {_MAX_AT_ONCE}."),
    ] = 4
    patience: PatienceOption = DEFAULT_PATIENCE


@dataclass(frozen=True)
class IdOptions:
    """The options that accompany `--id`."""

    state: Annotated[
        Path | None,
        Parameter(show_default=False, help="File that records IDs; by default, one in the state directory."),
    ] = None
    decision: Annotated[
        UnsettledDecision | None,
        Parameter(name="--unsettled", help="What to do with rows that may already be counted."),
    ] = None

    @property
    def state_path(self) -> Path:
        """The file that remembers ids, by default where the XDG Base Directory Specification says."""
        if self.state:
            return self.state
        state_home = Path(os.environ.get("XDG_STATE_HOME", ""))
        folder = state_home if state_home.is_absolute() else Path.home() / ".local" / "state"  # relative is invalid
        return folder / "tallyroom" / "imported.sqlite"

    def check(self, column: str) -> None:
        """Raise `OptionUnknown` if one of these options is given without `--id`."""
        for option, value in (("--state", self.state), ("--unsettled", self.decision)):
            if value is not None and not column:
                raise OptionUnknown(f"{option} has no effect without --id COLUMN.")


@import_app.command
def events(  # noqa: PLR0913 # each is an option or a group of them
    file: FileArgument,
    /,
    *,
    product: Annotated[Product | None, Parameter(name="--from", help="The product that exported the file.")] = None,
    file_options: Annotated[FileOptions, Parameter(name="*")] = FileOptions(),  # noqa: B008 # frozen
    column_options: Annotated[ColumnOptions, Parameter(name="*")] = ColumnOptions(),  # noqa: B008 # frozen
    id_options: Annotated[IdOptions, Parameter(name="*")] = IdOptions(),  # frozen
    server_options: Annotated[ServerOptions, Parameter(name="*")] = ServerOptions(),  # frozen
    refusals_file: RefusalsFileOption = None,
    preview: Annotated[PositiveInt | None, Parameter(help="Show the first rows, as they would be sent.")] = None,
) -> None:
    """Send the events in FILE to a running server: NDJSON or CSV (also .gz), or Parquet; - is standard input.

    Without options, FILE is in Tallyroom's own shape. docs/howto/import.md has examples.
    """
    check_refusals_file(refusals_file, file)
    console = plain_console()
    with open_source(file, file_options.file_format, file_options.delimiter) as source:
        mapping = column_options.apply_to(MAPPING_BUILDERS[product](source.columns) if product else NATIVE_MAPPING)
        if source.columns is not None:
            check_columns(mapping, column_options.option_columns, source.columns, source.header_remark)
        id_options.check(mapping.id)
        if mapping.id:
            job: EventImport = IdentifiedImport(
                source, mapping, id_options.state_path, id_options.decision, server_options.at_once
            )
        else:
            job = EventImport(source, mapping)
        delivery_target = DeliveryTarget(
            server_options.url, server_options.key, EVENTS_ENDPOINT, server_options.patience, server_options.at_once
        )
        if preview:
            print_preview(job.batches, preview, console)
        elif not run_import(job, source, delivery_target, refusals_file, console):
            sys.exit(1)
