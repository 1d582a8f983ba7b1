"""Joins Parquet files with the same schema as they arrive, so that a long file is never stored anywhere.

The engine writes each slice as a whole file: row groups between the magic bytes and the footer. The joined file has all
row groups one after the other, and one footer that lists them with their new offsets
(https://parquet.apache.org/docs/file-format/). Only that footer stays in memory, about a kilobyte for each group.
"""

from collections.abc import Callable, Mapping

from tallyroom.events.export import thrift
from tallyroom.events.export.thrift import Field, List, Struct, Value

_MAGIC = b"PAR1"
_LENGTH_BYTES = 4

# Field ids in parquet.thrift.
_FILE_ROWS, _FILE_GROUPS = 3, 4
_GROUP_COLUMNS, _GROUP_OFFSET, _GROUP_ORDINAL = 1, 5, 7
_COLUMN_OFFSET, _COLUMN_META = 2, 3
_PAGE_OFFSETS = (9, 10, 11)  # of the first data page, index page and dictionary page


class JoinedParquetFile:
    """One Parquet file that grows.

    Args:
        empty_file: a file with the same schema but no rows; the joined file takes everything except its rows from it.
    """

    def __init__(self, empty_file: bytes) -> None:
        _, self._footer = _split(empty_file)
        self._row_groups: list[Value] = []
        self._row_count = 0
        self._byte_count = 0

    def head(self) -> bytes:
        """How the file begins."""
        return _MAGIC

    def add(self, slice_file: bytes) -> bytes:
        """Return the bytes that the rows of another file add to this one."""
        content, footer = _split(slice_file)
        for group in _field_value(footer, _FILE_GROUPS).values:
            self._row_groups.append(thrift.encode(_shift_offsets(group, self._byte_count)))
        self._row_count += _field_value(footer, _FILE_ROWS)
        self._byte_count += len(content)
        return content

    def tail(self) -> bytes:
        """How the file ends."""
        groups = List(thrift.STRUCT, self._row_groups)
        changes = {_FILE_ROWS: lambda _: self._row_count, _FILE_GROUPS: lambda _: groups}
        footer = thrift.encode(_change_fields(self._footer, changes))
        return footer + len(footer).to_bytes(_LENGTH_BYTES, "little") + _MAGIC


def _split(file: bytes) -> tuple[bytes, Struct]:
    """Split a Parquet file into its row groups and its footer."""
    end = len(file) - len(_MAGIC) - _LENGTH_BYTES
    start = end - int.from_bytes(file[end : end + _LENGTH_BYTES], "little")
    return file[len(_MAGIC) : start], thrift.decode(file[start:end])


def _shift_offsets(group: Struct, byte_count: int) -> Struct:
    """Return a row group with its offsets moved by `byte_count` bytes."""

    def shift(offset: Value) -> Value:
        return offset + byte_count

    def shift_pages(metadata: Value) -> Value:
        return _change_fields(metadata, dict.fromkeys(_PAGE_OFFSETS, shift))

    def shift_columns(columns: Value) -> Value:
        changes = {_COLUMN_OFFSET: shift, _COLUMN_META: shift_pages}
        return List(columns.type, [_change_fields(column, changes) for column in columns.values])

    # The ordinal has 16 bits, which a long file exceeds; it says no more than the place in the list.
    fields = [field for field in group if field.id != _GROUP_ORDINAL]
    return _change_fields(fields, {_GROUP_OFFSET: shift, _GROUP_COLUMNS: shift_columns})


def _change_fields(struct: Struct, changes: Mapping[int, Callable[[Value], Value]]) -> Struct:
    """Return a struct with changes to those of its fields that have these ids."""
    return [
        Field(field.id, field.type, changes[field.id](field.value)) if field.id in changes else field
        for field in struct
    ]


def _field_value(struct: Struct, id_: int) -> Value:
    return next(field.value for field in struct if field.id == id_)
