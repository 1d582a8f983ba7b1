"""`tallyroom import`: brings events from a file to a running server."""

import sys
from dataclasses import dataclass
from typing import Annotated, Final

from cyclopts import App, Parameter
from cyclopts.types import PositiveInt
from cyclopts.validators import Number

from tallyroom.cli.column_options import ColumnOptions
from tallyroom.cli.event_import import EventImport, IdentifiedImport
from tallyroom.cli.id_options import IdOptions
from tallyroom.cli.import_run import (
    LOCAL,
    PATIENCE,
    File,
    FileOptions,
    Patience,
    RefusedFile,
    Url,
    Way,
    check_refused,
    plain_console,
    send,
    show,
)
from tallyroom.import_export.endpoint import EVENTS
from tallyroom.import_export.mapping import OWN_SHAPE, check_columns
from tallyroom.import_export.products import PRODUCTS, Product
from tallyroom.import_export.source import open_source

import_app = App(name="import", help="Bring events from a file to a running server.")

_MAX_AT_ONCE: Final = 16


@dataclass(frozen=True)
class ServerOptions:
    """Where the events go."""

    url: Url = LOCAL
    key: Annotated[str, Parameter(env_var="TALLYROOM_KEY", show_default=False, help="API key.")] = ""
    at_once: Annotated[
        int,
        Parameter(validator=Number(gte=1, lte=_MAX_AT_ONCE), help=f"Requests under way at once, 1 to {_MAX_AT_ONCE}."),
    ] = 4
    patience: Patience = PATIENCE


@import_app.command
def events(  # noqa: PLR0913 # each is an option or a group of them
    file: File,
    /,
    *,
    product: Annotated[Product | None, Parameter(name="--from", help="The product that exported the file.")] = None,
    reading: Annotated[FileOptions, Parameter(name="*")] = FileOptions(),  # noqa: B008 # frozen
    columns: Annotated[ColumnOptions, Parameter(name="*")] = ColumnOptions(),  # noqa: B008 # frozen
    remembering: Annotated[IdOptions, Parameter(name="*")] = IdOptions(),  # noqa: B008 # frozen
    server: Annotated[ServerOptions, Parameter(name="*")] = ServerOptions(),  # frozen
    refusals_file: RefusedFile = None,
    preview: Annotated[PositiveInt | None, Parameter(help="Show the first rows, as they would be sent.")] = None,
) -> None:
    """Send the events of FILE to a running server: NDJSON, CSV or Parquet, also .gz; - is standard input.

    Without options, FILE is in Tallyroom's own shape. docs/howto/import.md has examples.
    """
    check_refused(refusals_file, file)
    console = plain_console()
    with open_source(file, reading.form, reading.delimiter) as source:
        mapping = columns.applied_to(PRODUCTS[product](source.columns) if product else OWN_SHAPE)
        if source.columns is not None:
            check_columns(mapping, columns.asked, source.columns, source.remark)
        remembering.check(mapping.id)
        if mapping.id:
            job: EventImport = IdentifiedImport(source, mapping, remembering.path, remembering.decision, server.at_once)
        else:
            job = EventImport(source, mapping)
        way = Way(server.url, server.key, EVENTS, server.patience, server.at_once)
        if preview:
            show(job.batches, preview, console)
        elif not send(job, source, way, refusals_file, console):
            sys.exit(1)
