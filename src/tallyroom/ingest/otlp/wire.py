"""Protobuf's wire format, as far as it is needed to split a request without decoding all of it."""

from collections.abc import Iterator
from typing import NamedTuple

from tallyroom.core.errors import ValidationFailed

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_SIZES = {_FIXED64: 8, _FIXED32: 4}
_MOST_VARINT_BYTES = 10


class Undecodable(ValidationFailed):
    """The body is not a request of its signal, so sending it again is useless."""


class Field(NamedTuple):
    """One field of a message.

    Attributes:
        number: its number in the `.proto`.
        start: where its tag begins.
        inner: where the bytes of its value begin; None when the value is a number.
        stop: where the next field begins.
    """

    number: int
    start: int
    inner: int | None
    stop: int


def fields(message: bytes, start: int, stop: int) -> Iterator[Field]:
    """Yield the fields of the message from `start` to `stop`.

    Raises:
        Undecodable: the message is cut off, or uses a feature that OTLP does not have (groups).
    """
    while start < stop:
        tag, offset = _varint(message, start, stop)
        kind = tag & 7
        inner = None
        if kind == _BYTES:
            size, inner = _varint(message, offset, stop)
            offset = inner + size
        elif kind == _VARINT:
            _, offset = _varint(message, offset, stop)
        elif kind in _SIZES:
            offset += _SIZES[kind]
        else:
            raise Undecodable(f"the body has a field of wire type {kind}")
        if offset > stop:
            raise Undecodable("the body is cut off")
        yield Field(tag >> 3, start, inner, offset)
        start = offset


def nested(number: int, value: bytes) -> bytes:
    """Encode `value` as the field `number` of the message around it."""
    return _encoded(number << 3 | _BYTES) + _encoded(len(value)) + value


def _varint(message: bytes, offset: int, stop: int) -> tuple[int, int]:
    """Return the number at `offset`, and the offset after it."""
    value = shift = 0
    for offset in range(offset, min(stop, offset + _MOST_VARINT_BYTES)):  # noqa: B020, PLR1704 # it goes on from there
        byte = message[offset]
        value |= (byte & 0x7F) << shift
        if byte < 0x80:  # noqa: PLR2004 # the bit that says that more follows
            return value, offset + 1
        shift += 7
    raise Undecodable("the body is cut off")


def _encoded(value: int) -> bytes:
    varint = bytearray()
    while value > 0x7F:  # noqa: PLR2004 # as above
        varint.append(value & 0x7F | 0x80)
        value >>= 7
    varint.append(value)
    return bytes(varint)
