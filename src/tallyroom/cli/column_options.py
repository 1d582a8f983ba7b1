"""The options of `tallyroom import` that say which column of a file becomes which part of an event."""

from dataclasses import dataclass
from typing import Annotated, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from cyclopts import Parameter

from tallyroom.core.errors import TallyroomError
from tallyroom.core.timezones import no_timezone
from tallyroom.import_export.mapping import Columns, Mapping
from tallyroom.import_export.times import Unit

_Column = Annotated[str | None, Parameter(negative="")]
_SeveralColumns = Annotated[tuple[str, ...], Parameter(negative="", show_default=False)]


class OptionUnknown(TallyroomError):
    """The value of an option cannot be understood."""


@dataclass(frozen=True)
class ColumnOptions:
    """Which column becomes what; a dotted path such as ``user.id`` reaches into an object."""

    name: Annotated[_Column, Parameter(help="Column of the event's name.")] = None
    event: Annotated[_Column, Parameter(help="Name of every event that has none of its own.")] = None
    actor: Annotated[_Column, Parameter(help="Column of the actor key.")] = None
    actor_label: Annotated[_Column, Parameter(help="Column of the actor's display name.")] = None
    source: Annotated[_Column, Parameter(help="Column of the source label.")] = None
    timestamp: Annotated[_Column, Parameter(help="Column of the time: ISO 8601 text, a date, or a Unix time.")] = None
    timestamp_unit: Annotated[Unit | None, Parameter(help="How the time is written, if it is not obvious.")] = None
    timezone: Annotated[
        _Column, Parameter(help="Zone of times without an offset, as in Europe/Berlin; by default UTC.")
    ] = None
    properties: Annotated[_Column, Parameter(help="Column of an object, or of JSON text, that holds properties.")] = (
        None
    )
    pairs: Annotated[
        _SeveralColumns, Parameter(name="--property", help="NEW=COLUMN: a property and its column; may be repeated.")
    ] = ()
    ignore: Annotated[_SeveralColumns, Parameter(help="Column to leave out; may be repeated.")] = ()
    text: Annotated[
        _SeveralColumns, Parameter(help="CSV column whose numbers remain text, or * for all; may be repeated.")
    ] = ()
    decimal_comma: Annotated[
        _SeveralColumns,
        Parameter(help="CSV column with numbers such as 1.234,50, or * for all; may be repeated."),
    ] = ()
    id: Annotated[_Column, Parameter(help="Column that identifies a row, so that it counts once.")] = None
    named_only: Annotated[bool, Parameter(negative="", help="Leave out each column that no option names.")] = False

    def applied_to(self, mapping: Mapping) -> Mapping:
        """Return `mapping` with the changes that these options make.

        Raises:
            OptionUnknown: an option cannot be understood.
        """
        changes: dict[str, Any] = {}
        if self.event is not None:
            changes |= {"name": (), "code": "", "event": self.event}
        for field, column in (
            ("name", self.name),
            ("actor", self.actor),
            ("label", self.actor_label),
            ("source", self.source),
            ("timestamp", self.timestamp),
        ):
            if column is not None:
                changes[field] = (column,)
        options = {"unit": self.timestamp_unit, "zone": self.timezone, "properties": self.properties, "id": self.id}
        changes |= {field: value for field, value in options.items() if value is not None}
        if self.pairs:
            changes["property_columns"] = mapping.property_columns | dict(
                pair("--property", "NEW=COLUMN", text) for text in self.pairs
            )
        if self.timezone is not None:
            check_zone(self.timezone)
        return msgspec.structs.replace(
            mapping,
            **changes,
            ignore=mapping.ignore + self.ignore,
            text=mapping.text + self.text,
            decimal_comma=mapping.decimal_comma + self.decimal_comma,
            rest=mapping.rest and not self.named_only,
        )

    @property
    def asked(self) -> Columns:
        """The columns that the options name; the file must have them."""
        single = (self.name, self.actor, self.actor_label, self.source, self.timestamp, self.properties, self.id)
        pairs = (pair("--property", "NEW=COLUMN", text)[1] for text in self.pairs)
        numbers = (column for column in (*self.text, *self.decimal_comma) if column != "*")
        return (*(column for column in single if column is not None), *pairs, *self.ignore, *numbers)


def check_zone(name: str) -> None:
    """Check that this is a time zone.

    Raises:
        OptionUnknown: there is no such time zone.
    """
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        reason = no_timezone(name)
        raise OptionUnknown(f"--timezone {name} {reason}{'' if reason.endswith('?') else '.'}") from error


def pair(option: str, form: str, text: str) -> tuple[str, str]:
    """Split an option's value at its first ``=``; `form` describes the value, as in ``NEW=COLUMN``.

    Raises:
        OptionUnknown: one of the two sides is missing.
    """
    new, equals, column = text.partition("=")
    if not (new and equals and column):
        raise OptionUnknown(f"{option} {text} does not have the form {form}.")
    return new, column
