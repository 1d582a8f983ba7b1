"""Counts the records of a request and finds the largest, without decoding each.

Protobuf merges repeated messages where one is expected, and joins their repeated fields. So a type in which only the
leaves are repeated reads all leaves of a request into one list, in C.
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, NamedTuple

from google.protobuf import descriptor_pb2
from google.protobuf.message import Message

from tallyroom.ingest.otlp.message_types import build_message_class, decode_message

_Proto = descriptor_pb2.FieldDescriptorProto


class Leaf(Enum):
    """The content of a field of an outline."""

    RECORD = "record"
    SHARED_DATA = "shared"
    """Data that every record below it shares, such as its resource."""


Shape = Mapping[int, "Leaf | Shape"]
"""The field numbers of a message, and the content of each."""


class RequestOutline(NamedTuple):
    """The number of records, the bytes of the largest, and the most bytes that one record can share with others."""

    record_count: int
    max_record_bytes: int
    max_shared_bytes: int


class OutlineReader:
    """Reads the outline of requests of one shape; `name` must be unique."""

    def __init__(self, name: str, shape: Shape) -> None:
        file = descriptor_pb2.FileDescriptorProto(name=f"{name}.proto", package=name, syntax="proto2")
        _declare_message(file, "Request", shape)
        self._request_class = build_message_class(file, "Request")
        self._shape = shape

    def read(self, body: bytes) -> RequestOutline:
        """Return the outline of `body`; raises `Undecodable` if it is not a message."""
        return _read_outline(decode_message(self._request_class, body), self._shape)


def _declare_message(file: descriptor_pb2.FileDescriptorProto, name: str, shape: Shape) -> None:
    message = file.message_type.add(name=name)
    for field_number, content_shape in shape.items():
        field = message.field.add(name=f"f{field_number}", number=field_number)
        if isinstance(content_shape, Leaf):
            field.type, field.label = _Proto.TYPE_BYTES, _Proto.LABEL_REPEATED
        else:
            inner_name = f"{name}_{field_number}"
            _declare_message(file, inner_name, content_shape)
            field.type, field.label = _Proto.TYPE_MESSAGE, _Proto.LABEL_OPTIONAL
            field.type_name = f".{file.package}.{inner_name}"


def _read_outline(message: Message, shape: Shape) -> RequestOutline:
    record_count = max_record_bytes = max_shared_bytes = 0
    for field_number, content_shape in shape.items():
        content: Any = getattr(message, f"f{field_number}")
        if content_shape is Leaf.SHARED_DATA:
            max_shared_bytes += _find_max_bytes(content)
        elif content_shape is Leaf.RECORD:
            record_count += len(content)
            max_record_bytes = max(max_record_bytes, _find_max_bytes(content))
        elif isinstance(content_shape, Mapping):
            inner_outline = _read_outline(content, content_shape)
            record_count += inner_outline.record_count
            max_record_bytes = max(max_record_bytes, inner_outline.max_record_bytes)
            max_shared_bytes += inner_outline.max_shared_bytes
    return RequestOutline(record_count, max_record_bytes, max_shared_bytes)


def _find_max_bytes(leaves: Iterable[bytes]) -> int:
    """Return the largest size; a generator lets other threads run while a million are compared."""
    return max((len(leaf) for leaf in leaves), default=0)
