"""Joins Parquet files with the same schema as they arrive, so that a long file is never stored anywhere.

The engine writes each slice as a whole file: row groups between the magic bytes and the footer. The joined file has all
row groups, and one footer that lists them with their new offsets (https://parquet.apache.org/docs/file-format/). Only
that footer stays in memory, about a kilobyte for each group.
"""

from collections.abc import Callable, Mapping

from tallyroom.events.export import thrift
from tallyroom.events.export.thrift import ThriftField, ThriftList, ThriftStruct, ThriftValue

_MAGIC = b"PAR1"
_LENGTH_BYTES = 4

# Field ids in parquet.thrift.
_FILE_ROWS_ID, _FILE_GROUPS_ID = 3, 4
_GROUP_COLUMNS_ID, _GROUP_OFFSET_ID, _GROUP_ORDINAL_ID = 1, 5, 7
_COLUMN_OFFSET_ID, _COLUMN_META_ID = 2, 3
_PAGE_OFFSET_IDS = (9, 10, 11)  # of the first data page, index page and dictionary page


class JoinedParquetFile:
    """One Parquet file that grows; `empty_file` has the same schema but no rows."""

    def __init__(self, empty_file: bytes) -> None:
        _, self._footer = _split_file(empty_file)
        self._row_groups: list[ThriftValue] = []
        self._row_count = 0
        self._byte_count = 0

    def build_head(self) -> bytes:
        """Return the beginning of the file."""
        return _MAGIC

    def encode_slice(self, slice_file: bytes) -> bytes:
        """Return the bytes that the rows of another file add to this one."""
        content, footer = _split_file(slice_file)
        for group in _field_value(footer, _FILE_GROUPS_ID).values:
            self._row_groups.append(thrift.encode(_shift_offsets(group, self._byte_count)))
        self._row_count += _field_value(footer, _FILE_ROWS_ID)
        self._byte_count += len(content)
        return content

    def build_tail(self) -> bytes:
        """Return the end of the file."""
        groups = ThriftList(thrift.STRUCT, self._row_groups)
        change_by_field_id = {_FILE_ROWS_ID: lambda _: self._row_count, _FILE_GROUPS_ID: lambda _: groups}
        footer = thrift.encode(_change_fields(self._footer, change_by_field_id))
        return footer + len(footer).to_bytes(_LENGTH_BYTES, "little") + _MAGIC


def _split_file(file: bytes) -> tuple[bytes, ThriftStruct]:
    end = len(file) - len(_MAGIC) - _LENGTH_BYTES
    start = end - int.from_bytes(file[end : end + _LENGTH_BYTES], "little")
    return file[len(_MAGIC) : start], thrift.decode(file[start:end])


def _shift_offsets(group: ThriftStruct, byte_count: int) -> ThriftStruct:
    def shift(offset: ThriftValue) -> ThriftValue:
        return offset + byte_count

    def shift_pages(metadata: ThriftValue) -> ThriftValue:
        return _change_fields(metadata, dict.fromkeys(_PAGE_OFFSET_IDS, shift))

    def shift_columns(columns: ThriftValue) -> ThriftValue:
        change_by_field_id = {_COLUMN_OFFSET_ID: shift, _COLUMN_META_ID: shift_pages}
        return ThriftList(columns.type, [_change_fields(column, change_by_field_id) for column in columns.values])

    # The ordinal has 16 bits, which a long file exceeds; it only repeats the position in the list.
    fields = [field for field in group if field.id != _GROUP_ORDINAL_ID]
    return _change_fields(fields, {_GROUP_OFFSET_ID: shift, _GROUP_COLUMNS_ID: shift_columns})


def _change_fields(
    struct: ThriftStruct, change_by_field_id: Mapping[int, Callable[[ThriftValue], ThriftValue]]
) -> ThriftStruct:
    return [
        ThriftField(field.id, field.type, change_by_field_id[field.id](field.value))
        if field.id in change_by_field_id
        else field
        for field in struct
    ]


def _field_value(struct: ThriftStruct, id_: int) -> ThriftValue:
    return next(field.value for field in struct if field.id == id_)
