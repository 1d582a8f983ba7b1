"""Reads and writes the compact protocol of Apache Thrift, which Parquet uses for its metadata.

A struct is a list of fields, each (id, type, value), in the order of ids; when writing, the bytes of a struct may take
its place. A list is (type of its elements, elements). Maps and doubles do not occur in Parquet's metadata.
"""

from typing import Any, NamedTuple

_TRUE, _FALSE, _BYTE, _BINARY, _LIST, STRUCT = 1, 2, 3, 8, 9, 12
_INTEGERS = {4, 5, 6}
_LONG_LIST = 15
_MAX_DELTA = 15

Value = Any


class Field(NamedTuple):
    """One field of a struct."""

    id: int
    type: int
    value: Value


Struct = list[Field]


class List(NamedTuple):
    """Values of one type."""

    type: int
    values: list[Value]


def decode(data: bytes) -> Struct:
    """Decode the struct that `data` begins with.

    Raises:
        ValueError: it contains a type that Parquet does not use.
        IndexError: it is cut off.
    """
    return _Decoder(data).struct()


def encode(struct: Struct) -> bytes:
    """Encode a struct as bytes."""
    out = bytearray()
    _write_struct(out, struct)
    return bytes(out)


class _Decoder:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def struct(self) -> Struct:
        fields: Struct = []
        last = 0
        while header := self._byte():
            type_ = header & 15
            last = last + (header >> 4) if header >> 4 else self._integer()
            fields.append(Field(last, type_, self._value(type_)))
        return fields

    def _value(self, type_: int) -> Value:
        if type_ in {_TRUE, _FALSE}:  # the field's type is its value
            return type_
        if type_ in _INTEGERS:
            return self._integer()
        if type_ == _BYTE:
            return self._byte()
        if type_ == _BINARY:
            return self._bytes(self._varint())
        if type_ == _LIST:
            return self._list()
        if type_ == STRUCT:
            return self.struct()
        raise ValueError(f"type {type_} of the compact protocol")

    def _list(self) -> List:
        header = self._byte()
        count = header >> 4 if header >> 4 < _LONG_LIST else self._varint()
        type_ = header & 15
        of_bytes = type_ in {_TRUE, _FALSE}  # in a list, a boolean is a byte
        return List(type_, [self._byte() if of_bytes else self._value(type_) for _ in range(count)])

    def _byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1]

    def _bytes(self, count: int) -> bytes:
        self._at += count
        return self._data[self._at - count : self._at]

    def _varint(self) -> int:
        number = shift = 0
        while (byte := self._byte()) & 0x80:
            number |= (byte & 0x7F) << shift
            shift += 7
        return number | byte << shift

    def _integer(self) -> int:
        number = self._varint()
        return number >> 1 ^ -(number & 1)


def _write_struct(out: bytearray, struct: Struct) -> None:
    last = 0
    for field in struct:
        if 0 < field.id - last <= _MAX_DELTA:
            out.append((field.id - last) << 4 | field.type)
        else:
            out.append(field.type)
            _write_integer(out, field.id)
        if field.type not in {_TRUE, _FALSE}:
            _write_value(out, field.type, field.value)
        last = field.id
    out.append(0)


def _write_value(out: bytearray, type_: int, value: Value) -> None:
    if type_ in _INTEGERS:
        _write_integer(out, value)
    elif type_ == _BINARY:
        _write_varint(out, len(value))
        out += value
    elif type_ == _LIST:
        _write_list(out, value)
    elif type_ == STRUCT and isinstance(value, bytes):
        out += value
    elif type_ == STRUCT:
        _write_struct(out, value)
    else:
        out.append(value)


def _write_list(out: bytearray, values: List) -> None:
    count = len(values.values)
    out.append(min(count, _LONG_LIST) << 4 | values.type)
    if count >= _LONG_LIST:
        _write_varint(out, count)
    for element in values.values:
        _write_value(out, values.type, element)


def _write_varint(out: bytearray, number: int) -> None:
    while number >> 7:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)


def _write_integer(out: bytearray, number: int) -> None:
    _write_varint(out, number << 1 ^ number >> 63)
