"""The options of `tallyroom import` that say which column of a file becomes which part of an event."""

from dataclasses import dataclass
from typing import Annotated, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from cyclopts import Parameter

from tallyroom.core.errors import TallyroomError
from tallyroom.core.timezones import describe_unknown_timezone
from tallyroom.import_export.mapping import ColumnMapping, Columns
from tallyroom.import_export.times import TimeUnit

_ColumnOption = Annotated[str | None, Parameter(negative="")]
_ColumnsOption = Annotated[tuple[str, ...], Parameter(negative="", show_default=False)]


class OptionUnknown(TallyroomError):
    """The value of an option cannot be understood."""


@dataclass(frozen=True)
class ColumnOptions:
    """Which column becomes what; a dotted path such as ``user.id`` reaches into an object."""

    name: Annotated[_ColumnOption, Parameter(help="Column of the event's name.")] = None
    event: Annotated[_ColumnOption, Parameter(help="Name of events without one.")] = None
    actor: Annotated[_ColumnOption, Parameter(help="Column of the actor key.")] = None
    actor_label: Annotated[_ColumnOption, Parameter(help="Column of the actor's display name.")] = None
    source: Annotated[_ColumnOption, Parameter(help="Column of the source label.")] = None
    timestamp: Annotated[
        _ColumnOption, Parameter(help="Column of the time: ISO 8601 text, a date, or a Unix time.")
    ] = None
    timestamp_unit: Annotated[TimeUnit | None, Parameter(help="Format of times, if it cannot be detected.")] = None
    timezone: Annotated[
        _ColumnOption, Parameter(help="Time zone of times without an offset, such as Europe/Berlin; UTC by default.")
    ] = None
    properties: Annotated[
        _ColumnOption, Parameter(help="Column of an object, or of JSON text, that holds properties.")
    ] = None
    pairs: Annotated[
        _ColumnsOption, Parameter(name="--property", help="NEW=COLUMN: a property and its column; may be repeated.")
    ] = ()
    ignore: Annotated[_ColumnsOption, Parameter(help="Column to leave out; may be repeated.")] = ()
    text: Annotated[
        _ColumnsOption, Parameter(help="CSV column whose numbers remain text, or * for all; may be repeated.")
    ] = ()
    decimal_comma: Annotated[
        _ColumnsOption, Parameter(help="CSV column with numbers such as 1.234,50, or * for all; may be repeated.")
    ] = ()
    id: Annotated[_ColumnOption, Parameter(help="Column that identifies a row, so that it counts once.")] = None
    named_only: Annotated[bool, Parameter(negative="", help="Leave out columns that no option names.")] = False

    def apply_to(self, mapping: ColumnMapping) -> ColumnMapping:
        """Return `mapping` with these options; raises `OptionUnknown` for one that cannot be understood."""
        changes: dict[str, Any] = {}
        if self.event is not None:
            changes |= {"name": (), "code": "", "event": self.event}
        columns = {"name": self.name, "actor": self.actor, "label": self.actor_label, "source": self.source}
        columns["timestamp"] = self.timestamp
        changes |= {field: (column,) for field, column in columns.items() if column is not None}
        options = {"unit": self.timestamp_unit, "zone": self.timezone, "properties": self.properties, "id": self.id}
        changes |= {field: value for field, value in options.items() if value is not None}
        if self.pairs:
            changes["property_columns"] = mapping.property_columns | dict(
                split_pair("--property", "NEW=COLUMN", text) for text in self.pairs
            )
        if self.timezone is not None:
            check_timezone(self.timezone)
        return msgspec.structs.replace(
            mapping,
            **changes,
            ignore=mapping.ignore + self.ignore,
            text=mapping.text + self.text,
            decimal_comma=mapping.decimal_comma + self.decimal_comma,
            rest=mapping.rest and not self.named_only,
        )

    @property
    def option_columns(self) -> Columns:
        """The columns that the options name; the file must have them."""
        single_columns = (
            self.name,
            self.actor,
            self.actor_label,
            self.source,
            self.timestamp,
            self.properties,
            self.id,
        )
        property_columns = (split_pair("--property", "NEW=COLUMN", text)[1] for text in self.pairs)
        number_columns = (column for column in (*self.text, *self.decimal_comma) if column != "*")
        return (
            *(column for column in single_columns if column is not None),
            *property_columns,
            *self.ignore,
            *number_columns,
        )


def check_timezone(timezone: str) -> None:
    """Raise `OptionUnknown` if this is not a time zone."""
    try:
        ZoneInfo(timezone)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        reason = describe_unknown_timezone(timezone)
        raise OptionUnknown(f"--timezone {timezone} {reason}{'' if reason.endswith('?') else '.'}") from error


def split_pair(option: str, pattern: str, text: str) -> tuple[str, str]:
    """Split a value at its first ``=``; raises `OptionUnknown` unless it has the form of `pattern`: ``NEW=COLUMN``."""
    left, separator, right = text.partition("=")
    if not (left and separator and right):
        raise OptionUnknown(f"{option} {text} does not have the form {pattern}.")
    return left, right
