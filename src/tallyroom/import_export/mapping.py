"""Mappings from a file's columns to the parts of an event, given by options or by the format of a product's export."""

import msgspec

from tallyroom.core.errors import TallyroomError
from tallyroom.import_export.times import TimeUnit

Columns = tuple[str, ...]
"""Alternative columns, of which the first non-empty one counts. A dotted path reaches into an object."""


class ColumnUnknown(TallyroomError):
    """An option names a column that the file does not have."""


class ColumnMapping(msgspec.Struct, frozen=True, kw_only=True):
    """How rows become events. Without any option, a row is in Tallyroom's own shape.

    `event` is the name if no `name` column has a value, before which `names_by_code` gives it by the value of `code`.
    Times without an offset are in `zone`, an IANA name, or UTC; with `epoch_is_local`, Unix times are too. The members
    of `properties`, an object or JSON text, are properties, as are `property_columns` and, with `rest`, all other
    columns, without `prefix`. Numbers in `text` columns stay text, those in `decimal_comma` columns have a decimal
    comma; ``*`` is every column. A cell equal to `absent` is empty. `id` identifies a row, with the name.
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
        """Every column and path that is mapped, so that it does not become a property as well."""
        columns = (*self.name, *self.actor, *self.label, *self.source, *self.timestamp, *self.ignore)
        return frozenset({*columns, self.code, self.properties, *self.property_columns.values()})

    def fingerprint(self) -> bytes:
        """Return the same bytes for the same mapping."""
        return msgspec.json.encode(self, order="deterministic")


NATIVE_MAPPING = ColumnMapping()
"""The mapping of Tallyroom's own export."""


def check_columns(
    mapping: ColumnMapping, option_columns: Columns, file_columns: Columns, header_remark: str = ""
) -> None:
    """Raise `ColumnUnknown` if an option names a missing column, or the events would have no name."""
    column_list = check_option_columns(option_columns, file_columns, header_remark)
    if not (mapping.event or mapping.code or any(_has_column(file_columns, column) for column in mapping.name)):
        names = " or ".join(mapping.name)
        raise ColumnUnknown(
            f"The file has no column {names}, so its events have no name: add --name COLUMN or --event NAME; "
            f"its columns are: {column_list}.{header_remark}"
        )


def check_option_columns(option_columns: Columns, file_columns: Columns, header_remark: str = "") -> str:
    """Return the file's columns as text; raise `ColumnUnknown` if a column named by a person is missing."""
    column_list = ", ".join(file_columns) or "none"
    for column in option_columns:
        if not _has_column(file_columns, column):
            raise ColumnUnknown(f"The file has no column {column}; its columns are: {column_list}.{header_remark}")
    return column_list


def _has_column(columns: Columns, path: str) -> bool:
    return path in columns or ("." in path and _has_column(columns, path.rpartition(".")[0]))
