"""Reads JSON values as the fields of a protobuf message, following the message's descriptor (OTLP's JSON encoding).

Unlike in protobuf's own JSON, IDs are hexadecimal. 64-bit integers may be strings, enums names, and field names as in
the `.proto`. Unknown fields are ignored, and null means not sent.
"""

import base64
import binascii
from collections.abc import Callable
from functools import cache
from typing import Any

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

ValueReader = Callable[[Any], Any]

_HEX_FIELDS = frozenset({"trace_id", "span_id", "parent_span_id"})
_MAX_INTEGER_LENGTH = 40  # characters; much longer than any integer that fits, and quick to read
_TO_STANDARD_ALPHABET = str.maketrans("-_", "+/")


class InvalidValue(Exception):
    """A value does not fit its field; `path` leads to the value, relative to the value that was asked for."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.path: list[str | int] = []

    def add_outer_step(self, step: str | int) -> "InvalidValue":
        """Return the same error, relative to the next outer value."""
        self.path.insert(0, step)
        return self


@cache
def find_field_readers(descriptor: Descriptor) -> dict[str, tuple[FieldDescriptor, ValueReader]]:
    """Map each name that JSON may use for a field to the field and its reader, which raises `InvalidValue`."""
    field_and_reader_by_name = {}
    for field in descriptor.fields:
        read = _build_list_reader(_build_reader(field)) if field.is_repeated else _build_reader(field)
        field_and_reader_by_name[field.json_name] = field_and_reader_by_name[field.name] = (field, read)
    return field_and_reader_by_name


def read_arguments(descriptor: Descriptor, value: Any) -> dict[str, Any]:
    """Return a JSON object as arguments for the message's class; raises `InvalidValue` if a value does not fit."""
    if not isinstance(value, dict):
        raise InvalidValue("is not an object")
    field_and_reader_by_name = find_field_readers(descriptor)
    argument_by_field: dict[str, Any] = {}
    name = ""
    try:
        for name, inner in value.items():
            if inner is not None and name in field_and_reader_by_name:
                field, read = field_and_reader_by_name[name]
                argument_by_field[field.name] = read(inner)
    except InvalidValue as error:
        raise error.add_outer_step(name) from None
    return argument_by_field


def _build_list_reader(read_value: ValueReader) -> ValueReader:
    def read_list(value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise InvalidValue("is not a list")
        elements: list[Any] = []
        try:
            for inner in value:
                elements.append(read_value(inner))  # noqa: PERF401 # its length is the index of a wrong value
        except InvalidValue as error:
            raise error.add_outer_step(len(elements)) from None
        return elements

    return read_list


def _build_reader(field: FieldDescriptor) -> ValueReader:
    if field.message_type is not None:
        descriptor = field.message_type
        return lambda value: read_arguments(descriptor, value)
    if field.enum_type is not None:
        return _build_enum_reader(field.enum_type)
    if field.name in _HEX_FIELDS:
        return _read_hex
    if field.type == FieldDescriptor.TYPE_BYTES:
        return _read_bytes
    return _READER_BY_CPP_TYPE[field.cpp_type]


def _read_text(value: Any) -> str:
    if not isinstance(value, str):
        raise InvalidValue("is not a string")
    return value


def _read_bool(value: Any) -> bool:
    if not isinstance(value, bool):
        raise InvalidValue("is not a boolean")
    return value


def _read_double(value: Any) -> float:
    """Return a number, which may be a string such as "NaN", "Infinity" or "-Infinity"."""
    try:
        if not isinstance(value, bool):
            return float(value)
    except (TypeError, ValueError, OverflowError):
        pass
    raise InvalidValue("is not a number")


def _build_integer_reader(minimum: int, maximum: int) -> ValueReader:
    def read(value: Any) -> int:
        number = _read_integer(value)
        if not minimum <= number <= maximum:
            raise InvalidValue(f"is not between {minimum} and {maximum}")
        return number

    return read


def _read_integer(value: Any) -> int:
    """Return an integer, which may be in a string, or have only zeros after its decimal point."""
    if isinstance(value, str) and len(value) <= _MAX_INTEGER_LENGTH:
        try:
            return int(value)
        except ValueError:
            raise InvalidValue("is not an integer") from None
    if isinstance(value, bool) or not (isinstance(value, int) or (isinstance(value, float) and value.is_integer())):
        raise InvalidValue("is not an integer")
    return int(value)


_read_int32 = _build_integer_reader(-(2**31), 2**31 - 1)
_READER_BY_CPP_TYPE: dict[int, ValueReader] = {
    FieldDescriptor.CPPTYPE_STRING: _read_text,
    FieldDescriptor.CPPTYPE_BOOL: _read_bool,
    FieldDescriptor.CPPTYPE_DOUBLE: _read_double,
    FieldDescriptor.CPPTYPE_FLOAT: _read_double,
    FieldDescriptor.CPPTYPE_INT32: _read_int32,
    FieldDescriptor.CPPTYPE_UINT32: _build_integer_reader(0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_INT64: _build_integer_reader(-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT64: _build_integer_reader(0, 2**64 - 1),
}


def _build_enum_reader(enum: EnumDescriptor) -> ValueReader:
    def read(value: Any) -> int:
        enum_value = enum.values_by_name.get(value) if isinstance(value, str) else None
        number: int = _read_int32(value) if enum_value is None else enum_value.number
        return number

    return read


def _read_hex(value: Any) -> bytes:
    try:
        return bytes.fromhex(_read_text(value))
    except ValueError:
        raise InvalidValue("is not hexadecimal") from None


def _read_bytes(value: Any) -> bytes:
    text = _read_text(value).translate(_TO_STANDARD_ALPHABET).rstrip("=")
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise InvalidValue("is not base64") from None
