"""Reads JSON values as the fields of a protobuf message, following the message's descriptor (OTLP's JSON encoding).

This differs from protobuf's own JSON: ids are hexadecimal. 64-bit integers come as strings or numbers, enums as numbers
or names, field names in camel case or as in the `.proto`. Unknown fields are ignored, and null means not sent.
"""

import base64
import binascii
from collections.abc import Callable
from functools import cache
from typing import Any

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

Reader = Callable[[Any], Any]

_HEX = frozenset({"trace_id", "span_id", "parent_span_id"})
_LONGEST_INTEGER = 40  # characters; much longer than any integer that fits, and quick to read
_URL_SAFE = str.maketrans("-_", "+/")


class Unfit(Exception):
    """A value does not fit its field.

    Args:
        reason: what is wrong with it.

    Attributes:
        path: where the value is, seen from the value that was asked for.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.path: list[str | int] = []

    def inside(self, step: str | int) -> "Unfit":
        """Return the same error, seen from one value further out."""
        self.path.insert(0, step)
        return self


@cache
def readers_of(message: Descriptor) -> dict[str, tuple[FieldDescriptor, Reader]]:
    """Return the fields of a message by each name that JSON may use, with a reader for the values of each.

    A reader raises `Unfit`.
    """
    readers = {}
    for field in message.fields:
        read = _list_reader(_reader(field)) if field.is_repeated else _reader(field)
        readers[field.json_name] = readers[field.name] = (field, read)
    return readers


def arguments(message: Descriptor, value: Any) -> dict[str, Any]:
    """Return a JSON object as arguments for the message's class.

    Raises:
        Unfit: a value does not fit its field.
    """
    if not isinstance(value, dict):
        raise Unfit("is not an object")
    readers = readers_of(message)
    fields: dict[str, Any] = {}
    name = ""
    try:
        for name, inner in value.items():
            if inner is not None and name in readers:
                field, read = readers[name]
                fields[field.name] = read(inner)
    except Unfit as unfit:
        raise unfit.inside(name) from None
    return fields


def _list_reader(read: Reader) -> Reader:
    def read_list(value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise Unfit("is not a list")
        elements: list[Any] = []
        try:
            for inner in value:
                elements.append(read(inner))  # noqa: PERF401 # its length is the index of a wrong value
        except Unfit as unfit:
            raise unfit.inside(len(elements)) from None
        return elements

    return read_list


def _reader(field: FieldDescriptor) -> Reader:
    if field.message_type is not None:
        message = field.message_type
        return lambda value: arguments(message, value)
    if field.enum_type is not None:
        return _enum_reader(field.enum_type)
    if field.name in _HEX:
        return _hex
    if field.type == FieldDescriptor.TYPE_BYTES:
        return _bytes
    return _SCALARS[field.cpp_type]


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise Unfit("is not a string")
    return value


def _bool(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Unfit("is not a boolean")
    return value


def _double(value: Any) -> float:
    """Return a number, which may be written as text, such as "NaN", "Infinity" or "-Infinity"."""
    try:
        if not isinstance(value, bool):
            return float(value)
    except (TypeError, ValueError, OverflowError):
        pass
    raise Unfit("is not a number")


def _integer_reader(least: int, most: int) -> Reader:
    def read(value: Any) -> int:
        number = _integer(value)
        if not least <= number <= most:
            raise Unfit(f"is not between {least} and {most}")
        return number

    return read


def _integer(value: Any) -> int:
    """Return an integer, which may be in a string, or have only zeros after its decimal point."""
    if isinstance(value, str) and len(value) <= _LONGEST_INTEGER:
        try:
            return int(value)
        except ValueError:
            raise Unfit("is not an integer") from None
    if isinstance(value, bool) or not (isinstance(value, int) or (isinstance(value, float) and value.is_integer())):
        raise Unfit("is not an integer")
    return int(value)


_int32 = _integer_reader(-(2**31), 2**31 - 1)
_SCALARS: dict[int, Reader] = {
    FieldDescriptor.CPPTYPE_STRING: _text,
    FieldDescriptor.CPPTYPE_BOOL: _bool,
    FieldDescriptor.CPPTYPE_DOUBLE: _double,
    FieldDescriptor.CPPTYPE_FLOAT: _double,
    FieldDescriptor.CPPTYPE_INT32: _int32,
    FieldDescriptor.CPPTYPE_UINT32: _integer_reader(0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_INT64: _integer_reader(-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT64: _integer_reader(0, 2**64 - 1),
}


def _enum_reader(enum: EnumDescriptor) -> Reader:
    def read(value: Any) -> int:
        enum_value = enum.values_by_name.get(value) if isinstance(value, str) else None
        number: int = _int32(value) if enum_value is None else enum_value.number
        return number

    return read


def _hex(value: Any) -> bytes:
    try:
        return bytes.fromhex(_text(value))
    except ValueError:
        raise Unfit("is not hexadecimal") from None


def _bytes(value: Any) -> bytes:
    """Decode base64 in either alphabet, with or without padding."""
    text = _text(value).translate(_URL_SAFE).rstrip("=")
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise Unfit("is not base64") from None
