"""Protobuf's wire format, as needed to split a request without decoding all of it."""

from collections.abc import Iterator
from typing import NamedTuple

from tallyroom.core.errors import ValidationFailed

_VARINT, _FIXED64, _LENGTH_DELIMITED, _FIXED32 = 0, 1, 2, 5
_SIZE_BY_WIRE_TYPE = {_FIXED64: 8, _FIXED32: 4}
_MAX_VARINT_BYTES = 10


class Undecodable(ValidationFailed):
    """The body is not a request of its signal, so sending it again is useless."""


class Field(NamedTuple):
    """One field of a message, from `start` to before `stop`; `value_start` is None if the value is a number."""

    number: int
    start: int
    value_start: int | None
    stop: int


def iterate_fields(message: bytes, start: int, stop: int) -> Iterator[Field]:
    """Yield the fields from `start` to `stop`; raises `Undecodable` for truncated messages and groups."""
    while start < stop:
        tag, offset = _read_varint(message, start, stop)
        wire_type = tag & 7
        value_start = None
        if wire_type == _LENGTH_DELIMITED:
            byte_count, value_start = _read_varint(message, offset, stop)
            offset = value_start + byte_count
        elif wire_type == _VARINT:
            _, offset = _read_varint(message, offset, stop)
        elif wire_type in _SIZE_BY_WIRE_TYPE:
            offset += _SIZE_BY_WIRE_TYPE[wire_type]
        else:
            raise Undecodable(f"the body has a field of wire type {wire_type}")
        if offset > stop:
            raise Undecodable("the body is truncated")
        yield Field(tag >> 3, start, value_start, offset)
        start = offset


def encode_field(field_number: int, value: bytes) -> bytes:
    """Encode a field of a message."""
    return _encode_varint(field_number << 3 | _LENGTH_DELIMITED) + _encode_varint(len(value)) + value


def _read_varint(message: bytes, offset: int, stop: int) -> tuple[int, int]:
    value = shift = 0
    for offset in range(offset, min(stop, offset + _MAX_VARINT_BYTES)):  # noqa: B020, PLR1704 # it continues from there
        byte = message[offset]
        value |= (byte & 0x7F) << shift
        if byte < 0x80:  # noqa: PLR2004 # the continuation bit
            return value, offset + 1
        shift += 7
    raise Undecodable("the body is truncated")


def _encode_varint(value: int) -> bytes:
    varint = bytearray()
    while value > 0x7F:  # noqa: PLR2004 # as above
        varint.append(value & 0x7F | 0x80)
        value >>= 7
    varint.append(value)
    return bytes(varint)
