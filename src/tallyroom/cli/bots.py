"""`tallyroom bots import`: brings bots, their history and their votes from a file to a running server."""

import sys
from dataclasses import dataclass
from typing import Annotated
from zoneinfo import ZoneInfo

from cyclopts import App, Parameter
from cyclopts.types import PositiveInt

from tallyroom.cli.column_options import OptionUnknown, check_timezone, split_pair
from tallyroom.cli.import_run import (
    DEFAULT_PATIENCE,
    LOCAL_URL,
    DeliveryTarget,
    FileArgument,
    FileOptions,
    ImportJob,
    PatienceOption,
    RefusalsFileOption,
    UrlOption,
    check_refusals_file,
    plain_console,
    print_preview,
    run_import,
)
from tallyroom.core.clock import SystemClock
from tallyroom.core.times import iso_ms
from tallyroom.import_export.batch import build_rows, split_batches
from tallyroom.import_export.bots.fields import BOT_FIELDS, TIMESTAMP_FIELDS, VOTE_FIELDS
from tallyroom.import_export.bots.rows import BotColumns, BotRowBuilder, check_header
from tallyroom.import_export.endpoint import Endpoint, bot_import_endpoint
from tallyroom.import_export.row import RowRefused
from tallyroom.import_export.source import open_source
from tallyroom.import_export.times import TimestampReader, TimeUnit

bots_app = App(name="bots", help="Feed a bot listing from a file or from another listing.")
bots_app.command("tallyroom.cli.collect:collect", help="Feed a running server with the bots of another listing.")

_TextsOption = Annotated[tuple[str, ...], Parameter(negative="", show_default=False)]
_TextOption = Annotated[str | None, Parameter(negative="")]


@dataclass(frozen=True)
class ServerOptions:
    """Where the bots go."""

    url: UrlOption = LOCAL_URL
    token: Annotated[
        str, Parameter(env_var="TALLYROOM_STATS_TOKEN", show_default=False, help="Stats token with the write scope.")
    ] = ""
    platform: Annotated[str, Parameter(help="One of the server's TALLYROOM_STATS_PLATFORMS.")] = "chat"
    patience: PatienceOption = DEFAULT_PATIENCE

    @property
    def delivery_target(self) -> DeliveryTarget:
        """How to reach the server."""
        return DeliveryTarget(self.url, self.token, self.endpoint, self.patience)

    @property
    def endpoint(self) -> Endpoint:
        """The server's path for the rows; raises `OptionUnknown` if the platform cannot be part of a path."""
        if not (self.platform.isascii() and self.platform.isalnum()):
            raise OptionUnknown(f"--platform {self.platform} is not a valid platform name, such as chat.")
        return bot_import_endpoint(self.platform)


@dataclass(frozen=True)
class RowOptions:
    """Which column becomes what; a dotted path such as ``stats.servers`` reaches into an object."""

    pairs: Annotated[
        _TextsOption, Parameter(name="--map", help="FIELD=COLUMN: a field's column; may be repeated.")
    ] = ()
    ignore: Annotated[_TextsOption, Parameter(help="Column to leave out; may be repeated.")] = ()
    timestamp_unit: Annotated[TimeUnit, Parameter(help="Format of times, if it cannot be detected.")] = "auto"
    timezone: Annotated[
        _TextOption, Parameter(help="Time zone of times without an offset, such as Europe/Berlin; UTC by default.")
    ] = None
    at: Annotated[
        _TextOption, Parameter(help="Time of rows without one; by default, when the file was last changed.")
    ] = None

    @property
    def bot_columns(self) -> BotColumns:
        """Which column becomes which field; raises `OptionUnknown` for a malformed pair or an unknown field."""
        column_by_field = dict(split_pair("--map", "FIELD=COLUMN", text) for text in self.pairs)
        fields = {*BOT_FIELDS, *VOTE_FIELDS, *TIMESTAMP_FIELDS}
        if unknown_fields := column_by_field.keys() - fields:
            raise OptionUnknown(
                f"--map {min(unknown_fields)}=…: a listing has no such field; it has {', '.join(sorted(fields))}."
            )
        return BotColumns(column_by_field, self.ignore)

    @property
    def timestamp_reader(self) -> TimestampReader:
        """The reader of times; raises `OptionUnknown` for an unknown time zone."""
        if self.timezone is not None:
            check_timezone(self.timezone)
        return TimestampReader(self.timestamp_unit, ZoneInfo(self.timezone) if self.timezone else None)

    def find_default_time(self, modified_ms: int | None) -> str:
        """Return the time of rows without one, in a file last changed at `modified_ms`; raises `OptionUnknown`."""
        if self.at is None:
            return iso_ms(SystemClock().now_ms() if modified_ms is None else modified_ms)
        try:
            return TimestampReader("auto", None).read_timestamp(self.at)
        except RowRefused:
            raise OptionUnknown(f"--at {self.at} is not a valid time, such as 2026-11-20T12:00:00Z.") from None


@bots_app.command(name="import")
def import_file(
    file: FileArgument,
    /,
    *,
    file_options: Annotated[FileOptions, Parameter(name="*")] = FileOptions(),  # noqa: B008 # frozen
    row_options: Annotated[RowOptions, Parameter(name="*")] = RowOptions(),  # frozen
    server_options: Annotated[ServerOptions, Parameter(name="*")] = ServerOptions(),  # frozen
    refusals_file: RefusalsFileOption = None,
    preview: Annotated[PositiveInt | None, Parameter(help="Show the first rows, as they would be sent.")] = None,
) -> None:
    """Send the bots and votes in FILE to a running server: NDJSON or CSV (also .gz), or Parquet; - is standard input.

    docs/howto/bots-import.md has examples.
    """
    check_refusals_file(refusals_file, file)
    console = plain_console()
    bot_columns, timestamp_reader = row_options.bot_columns, row_options.timestamp_reader
    delivery_target = server_options.delivery_target
    with open_source(file, file_options.file_format, file_options.delimiter) as source:
        if source.columns is not None:
            check_header(bot_columns, source.columns, source.header_remark)
        row_builder = BotRowBuilder(bot_columns, timestamp_reader, row_options.find_default_time(source.modified_ms))
        batches = split_batches(
            build_rows(source.rows, row_builder.build_item, delivery_target.endpoint), delivery_target.endpoint
        )
        if preview:
            print_preview(batches, preview, console)
        elif not run_import(ImportJob(batches), source, delivery_target, refusals_file, console):
            sys.exit(1)
