"""Reads and writes the compact protocol of Apache Thrift, which Parquet uses for its metadata.

For writing, the bytes of a struct may replace it. Maps and doubles do not occur in Parquet's metadata.
"""

from typing import Any, NamedTuple

_TRUE, _FALSE, _BYTE, _BINARY, _LIST, STRUCT = 1, 2, 3, 8, 9, 12
_INTEGER_TYPES = {4, 5, 6}
_LONG_LIST_MARK = 15
_MAX_SHORT_ID_DELTA = 15

ThriftValue = Any


class ThriftField(NamedTuple):
    """One field of a struct, which has its fields in the order of ids."""

    id: int
    type: int
    value: ThriftValue


ThriftStruct = list[ThriftField]


class ThriftList(NamedTuple):
    """Values of one type."""

    type: int
    values: list[ThriftValue]


def decode(data: bytes) -> ThriftStruct:
    """Decode the struct that `data` begins with; raise ValueError for an unknown type, IndexError if it is cut off."""
    return _Decoder(data).read_struct()


def encode(struct: ThriftStruct) -> bytes:
    """Encode a struct as bytes."""
    output = bytearray()
    _write_struct(output, struct)
    return bytes(output)


class _Decoder:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._offset = 0

    def read_struct(self) -> ThriftStruct:
        fields: ThriftStruct = []
        last_id = 0
        while header := self._read_byte():
            type_ = header & 15
            last_id = last_id + (header >> 4) if header >> 4 else self._read_integer()
            fields.append(ThriftField(last_id, type_, self._read_value(type_)))
        return fields

    def _read_value(self, type_: int) -> ThriftValue:
        if type_ in {_TRUE, _FALSE}:  # the field's type is its value
            return type_
        if type_ in _INTEGER_TYPES:
            return self._read_integer()
        if type_ == _BYTE:
            return self._read_byte()
        if type_ == _BINARY:
            return self._read_bytes(self._read_varint())
        if type_ == _LIST:
            return self._read_list()
        if type_ == STRUCT:
            return self.read_struct()
        raise ValueError(f"type {type_} of the compact protocol")

    def _read_list(self) -> ThriftList:
        header = self._read_byte()
        length = header >> 4 if header >> 4 < _LONG_LIST_MARK else self._read_varint()
        type_ = header & 15
        is_boolean_list = type_ in {_TRUE, _FALSE}  # in a list, a boolean is a byte
        return ThriftList(
            type_, [self._read_byte() if is_boolean_list else self._read_value(type_) for _ in range(length)]
        )

    def _read_byte(self) -> int:
        self._offset += 1
        return self._data[self._offset - 1]

    def _read_bytes(self, length: int) -> bytes:
        self._offset += length
        return self._data[self._offset - length : self._offset]

    def _read_varint(self) -> int:
        number = shift = 0
        while (byte := self._read_byte()) & 0x80:
            number |= (byte & 0x7F) << shift
            shift += 7
        return number | byte << shift

    def _read_integer(self) -> int:
        number = self._read_varint()
        return number >> 1 ^ -(number & 1)


def _write_struct(output: bytearray, struct: ThriftStruct) -> None:
    last_id = 0
    for field in struct:
        if 0 < field.id - last_id <= _MAX_SHORT_ID_DELTA:
            output.append((field.id - last_id) << 4 | field.type)
        else:
            output.append(field.type)
            _write_integer(output, field.id)
        if field.type not in {_TRUE, _FALSE}:
            _write_value(output, field.type, field.value)
        last_id = field.id
    output.append(0)


def _write_value(output: bytearray, type_: int, value: ThriftValue) -> None:
    if type_ in _INTEGER_TYPES:
        _write_integer(output, value)
    elif type_ == _BINARY:
        _write_varint(output, len(value))
        output += value
    elif type_ == _LIST:
        _write_list(output, value)
    elif type_ == STRUCT and isinstance(value, bytes):
        output += value
    elif type_ == STRUCT:
        _write_struct(output, value)
    else:
        output.append(value)


def _write_list(output: bytearray, list_value: ThriftList) -> None:
    length = len(list_value.values)
    output.append(min(length, _LONG_LIST_MARK) << 4 | list_value.type)
    if length >= _LONG_LIST_MARK:
        _write_varint(output, length)
    for element in list_value.values:
        _write_value(output, list_value.type, element)


def _write_varint(output: bytearray, number: int) -> None:
    while number >> 7:
        output.append(number & 0x7F | 0x80)
        number >>= 7
    output.append(number)


def _write_integer(output: bytearray, number: int) -> None:
    _write_varint(output, number << 1 ^ number >> 63)
