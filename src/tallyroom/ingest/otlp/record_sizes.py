"""Finds out how many records a request has and how large they are, without looking at each.

If a message occurs twice where one is expected, protobuf merges the two and joins their repeated fields. So a message
type in which only the leaves are repeated, and nothing else that a request repeats, reads all leaves of a request into
one list, in C.
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, NamedTuple

from google.protobuf import descriptor_pb2
from google.protobuf.message import Message

from tallyroom.ingest.otlp.message_types import decoded, message_type

_Proto = descriptor_pb2.FieldDescriptorProto


class Leaf(Enum):
    """What a field of an outline holds."""

    RECORD = "record"
    SHARED_DATA = "shared"
    """Data that every record below it shares, such as its resource."""


Shape = Mapping[int, "Leaf | Shape"]
"""The field numbers of a message, and what each field holds."""


class OutlineNumbers(NamedTuple):
    """The outline of one request.

    Attributes:
        records: the number of records.
        largest: the bytes of the largest record.
        shared_size: the most bytes that one record can share with others.
    """

    records: int
    largest: int
    shared_size: int


class Outline:
    """Reads the outline of requests of one shape.

    Args:
        name: a unique name.
        shape: where the records are, and what they share.
    """

    def __init__(self, name: str, shape: Shape) -> None:
        file = descriptor_pb2.FileDescriptorProto(name=f"{name}.proto", package=name, syntax="proto2")
        _declare(file, "Request", shape)
        self._request = message_type(file, "Request")
        self._shape = shape

    def read(self, body: bytes) -> OutlineNumbers:
        """Return the outline of `body`.

        Raises:
            Undecodable: it is not a message.
        """
        return _outlined(decoded(self._request, body), self._shape)


def _declare(file: descriptor_pb2.FileDescriptorProto, name: str, shape: Shape) -> None:
    message = file.message_type.add(name=name)
    for number, holds in shape.items():
        field = message.field.add(name=f"f{number}", number=number)
        if isinstance(holds, Leaf):
            field.type, field.label = _Proto.TYPE_BYTES, _Proto.LABEL_REPEATED
        else:
            inner = f"{name}_{number}"
            _declare(file, inner, holds)
            field.type, field.label = _Proto.TYPE_MESSAGE, _Proto.LABEL_OPTIONAL
            field.type_name = f".{file.package}.{inner}"


def _outlined(message: Message, shape: Shape) -> OutlineNumbers:
    records = largest = shared_size = 0
    for number, holds in shape.items():
        content: Any = getattr(message, f"f{number}")
        if holds is Leaf.SHARED_DATA:
            shared_size += _largest(content)
        elif holds is Leaf.RECORD:
            records += len(content)
            largest = max(largest, _largest(content))
        elif isinstance(holds, Mapping):
            inner = _outlined(content, holds)
            records += inner.records
            largest = max(largest, inner.largest)
            shared_size += inner.shared_size
    return OutlineNumbers(records, largest, shared_size)


def _largest(leaves: Iterable[bytes]) -> int:
    """Return the most bytes of any; a million of them are looked through step by step, so others get a turn."""
    return max((len(leaf) for leaf in leaves), default=0)
