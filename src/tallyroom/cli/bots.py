"""`tallyroom bots import`: brings bots, their history and their votes from a file to a running server."""

import sys
from dataclasses import dataclass
from typing import Annotated
from zoneinfo import ZoneInfo

from cyclopts import App, Parameter
from cyclopts.types import PositiveInt

from tallyroom.cli.column_options import OptionUnknown, check_zone, pair
from tallyroom.cli.import_run import (
    LOCAL,
    PATIENCE,
    File,
    FileOptions,
    ImportJob,
    Patience,
    RefusedFile,
    Url,
    Way,
    check_refused,
    plain_console,
    send,
    show,
)
from tallyroom.core.clock import SystemClock
from tallyroom.core.times import iso_ms
from tallyroom.import_export.batch import cut, made
from tallyroom.import_export.bots.fields import BOT, TIMES, VOTE
from tallyroom.import_export.bots.rows import BotColumns, RowMaker, check_header
from tallyroom.import_export.endpoint import Endpoint, listing
from tallyroom.import_export.row import RowRefused
from tallyroom.import_export.source import open_source
from tallyroom.import_export.times import MomentReader, Unit

bots_app = App(name="bots", help="Feed a listing of bots: from a file, or from another listing.")
bots_app.command("tallyroom.cli.collect:collect", help="Feed a running server with the bots of another listing.")

_Several = Annotated[tuple[str, ...], Parameter(negative="", show_default=False)]
_Text = Annotated[str | None, Parameter(negative="")]


@dataclass(frozen=True)
class ServerOptions:
    """Where the bots go."""

    url: Url = LOCAL
    token: Annotated[
        str, Parameter(env_var="TALLYROOM_STATS_TOKEN", show_default=False, help="Stats token with the scope write.")
    ] = ""
    platform: Annotated[str, Parameter(help="One of the server's TALLYROOM_STATS_PLATFORMS.")] = "chat"
    patience: Patience = PATIENCE

    @property
    def way(self) -> Way:
        """How to reach the server."""
        return Way(self.url, self.token, self.endpoint, self.patience)

    @property
    def endpoint(self) -> Endpoint:
        """The path on the server that takes the rows.

        Raises:
            OptionUnknown: the platform cannot be part of a path.
        """
        if not (self.platform.isascii() and self.platform.isalnum()):
            raise OptionUnknown(f"--platform {self.platform} is not a platform; it looks like chat.")
        return listing(self.platform)


@dataclass(frozen=True)
class RowOptions:
    """Which column becomes what; a dotted path such as ``stats.servers`` reaches into an object."""

    pairs: Annotated[_Several, Parameter(name="--map", help="FIELD=COLUMN: a field's column; may be repeated.")] = ()
    ignore: Annotated[_Several, Parameter(help="Column to leave out; may be repeated.")] = ()
    timestamp_unit: Annotated[Unit, Parameter(help="How times are written, if it is not obvious.")] = "auto"
    timezone: Annotated[
        _Text, Parameter(help="Zone of times without an offset, as in Europe/Berlin; by default UTC.")
    ] = None
    at: Annotated[_Text, Parameter(help="Moment of rows without one; by default the file's last change.")] = None

    @property
    def columns(self) -> BotColumns:
        """Which column becomes which field.

        Raises:
            OptionUnknown: a pair is malformed, or a listing does not have its field.
        """
        columns = dict(pair("--map", "FIELD=COLUMN", text) for text in self.pairs)
        fields = {*BOT, *VOTE, *TIMES}
        if unknown := columns.keys() - fields:
            raise OptionUnknown(
                f"--map {min(unknown)}=…: a listing has no such field; it has {', '.join(sorted(fields))}."
            )
        return BotColumns(columns, self.ignore)

    @property
    def moments(self) -> MomentReader:
        """The reader of times.

        Raises:
            OptionUnknown: there is no such time zone.
        """
        if self.timezone is not None:
            check_zone(self.timezone)
        return MomentReader(self.timestamp_unit, ZoneInfo(self.timezone) if self.timezone else None)

    def default_time(self, changed_ms: int | None) -> str:
        """Return the moment for rows that have none, in a file that was last changed at `changed_ms`.

        Raises:
            OptionUnknown: the value of `--at` is not a moment.
        """
        if self.at is None:
            return iso_ms(SystemClock().now_ms() if changed_ms is None else changed_ms)
        try:
            return MomentReader("auto", None).read(self.at)
        except RowRefused:
            raise OptionUnknown(f"--at {self.at} is not a moment; it looks like 2026-11-20T12:00:00Z.") from None


@bots_app.command(name="import")
def import_file(
    file: File,
    /,
    *,
    reading: Annotated[FileOptions, Parameter(name="*")] = FileOptions(),  # noqa: B008 # frozen
    rows: Annotated[RowOptions, Parameter(name="*")] = RowOptions(),  # frozen
    server: Annotated[ServerOptions, Parameter(name="*")] = ServerOptions(),  # frozen
    refusals_file: RefusedFile = None,
    preview: Annotated[PositiveInt | None, Parameter(help="Show the first rows, as they would be sent.")] = None,
) -> None:
    """Send the bots and votes of FILE to a running server: NDJSON, CSV or Parquet, also .gz; - is standard input.

    docs/howto/bots-import.md has examples.
    """
    check_refused(refusals_file, file)
    console = plain_console()
    columns, moments, way = rows.columns, rows.moments, server.way
    with open_source(file, reading.form, reading.delimiter) as source:
        if source.columns is not None:
            check_header(columns, source.columns, source.remark)
        maker = RowMaker(columns, moments, rows.default_time(source.changed_ms))
        batches = cut(made(source.rows, maker.item, way.endpoint), way.endpoint)
        if preview:
            show(batches, preview, console)
        elif not send(ImportJob(batches), source, way, refusals_file, console):
            sys.exit(1)
