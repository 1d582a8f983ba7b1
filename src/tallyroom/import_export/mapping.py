"""Mappings from a file's columns to the parts of an event, given by options or by the format of a product's export."""

import msgspec

from tallyroom.core.errors import TallyroomError
from tallyroom.import_export.times import TimeUnit

Columns = tuple[str, ...]
"""Alternative columns, of which the first non-empty one counts. A dotted path reaches into an object."""


class ColumnUnknown(TallyroomError):
    """An option names a column that the file does not have."""


class ColumnMapping(msgspec.Struct, frozen=True, kw_only=True):
    """How rows become events. Without any option a row is in Tallyroom's own shape.

    Attributes:
        name: columns of the event's name.
        event: the name when none of the columns is filled.
        code: a column whose value says the name when none of the columns is filled.
        names_by_code: the name for each value of `code`.
        actor: columns of the actor key.
        label: columns of the actor's label.
        source: columns of the source label.
        timestamp: columns of the time.
        unit: how the time is written.
        zone: IANA name of the zone of times without an offset; UTC when empty.
        epoch_is_local: whether Unix times count in `zone` too.
        properties: a column that holds an object, or one as JSON text, whose members are properties.
        property_columns: further properties by name, and the column of each.
        rest: whether columns that nothing names become properties.
        prefix: what is cut off the front of such a column's name.
        ignore: columns that are left out.
        text: columns whose numbers stay text; ``*`` is every column.
        decimal_comma: columns whose numbers have a decimal comma; ``*`` is every column.
        absent: a cell of this text counts as empty.
        id: column whose value, with the name, tells a row from every other one; empty when none does.
    """

    name: Columns = ("name",)
    event: str = ""
    code: str = ""
    names_by_code: dict[str, str] = {}
    actor: Columns = ("_actor",)
    label: Columns = ("_actorLabel",)
    source: Columns = ("_source",)
    timestamp: Columns = ("_timestamp",)
    unit: TimeUnit = "auto"
    zone: str = ""
    epoch_is_local: bool = False
    properties: str = "properties"
    property_columns: dict[str, str] = {}
    rest: bool = True
    prefix: str = ""
    ignore: Columns = ()
    text: Columns = ()
    decimal_comma: Columns = ()
    absent: str = ""
    id: str = ""

    @property
    def mapped_columns(self) -> frozenset[str]:
        """Every column and path that has a place, so that it does not turn up among the properties as well."""
        columns = (*self.name, *self.actor, *self.label, *self.source, *self.timestamp, *self.ignore)
        return frozenset({*columns, self.code, self.properties, *self.property_columns.values()})

    def fingerprint(self) -> bytes:
        """The same bytes for the same mapping."""
        return msgspec.json.encode(self, order="deterministic")


NATIVE_MAPPING = ColumnMapping()
"""A file as Tallyroom's own export writes it."""


def check_columns(
    mapping: ColumnMapping, option_columns: Columns, file_columns: Columns, header_remark: str = ""
) -> None:
    """Look at a file whose columns are known before its rows.

    Args:
        mapping: what will be done.
        option_columns: the columns that a person named.
        file_columns: the file's.
        header_remark: a sentence about them for whoever is refused.

    Raises:
        ColumnUnknown: one of `option_columns` is missing, or nothing gives the events a name.
    """
    column_list = check_option_columns(option_columns, file_columns, header_remark)
    if not (mapping.event or mapping.code or any(_has_column(file_columns, column) for column in mapping.name)):
        names = " or ".join(mapping.name)
        raise ColumnUnknown(
            f"The file has no column {names}, so its events have no name: add --name COLUMN or --event NAME; "
            f"its columns are: {column_list}.{header_remark}"
        )


def check_option_columns(option_columns: Columns, file_columns: Columns, header_remark: str = "") -> str:
    """See to it that the columns that a person named are there; returns those of the file as text.

    Raises:
        ColumnUnknown: one of `option_columns` is missing.
    """
    column_list = ", ".join(file_columns) or "none"
    for column in option_columns:
        if not _has_column(file_columns, column):
            raise ColumnUnknown(f"The file has no column {column}; its columns are: {column_list}.{header_remark}")
    return column_list


def _has_column(columns: Columns, path: str) -> bool:
    return path in columns or ("." in path and _has_column(columns, path.rpartition(".")[0]))
