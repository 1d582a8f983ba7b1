"""What the records of a request share with each other, message by message."""

from collections.abc import Sequence
from typing import Any

from google.protobuf import descriptor_pb2

from tallyroom.ingest.otlp.message_types import decoded, message_type

_Proto = descriptor_pb2.FieldDescriptorProto


def _declared() -> Any:
    """A request with resources and scopes as bytes; its records are fields that it does not know."""
    file = descriptor_pb2.FileDescriptorProto(name="shared.proto", package="shared", syntax="proto2")
    for name, inner in (("Request", "Resource"), ("Resource", "Scope"), ("Scope", None)):
        message = file.message_type.add(name=name)
        if name != "Request":
            message.field.add(name="own", number=1, type=_Proto.TYPE_BYTES, label=_Proto.LABEL_REPEATED)
        if inner:
            number = 1 if name == "Request" else 2
            message.field.add(
                name="inner",
                number=number,
                type=_Proto.TYPE_MESSAGE,
                type_name=f".shared.{inner}",
                label=_Proto.LABEL_REPEATED,
            )
    return message_type(file, "Request")


_REQUEST = _declared()


def shared_bytes(body: bytes) -> int:
    """Return the most bytes of resource and scope that one record can have: protobuf joins those that occur twice.

    Raises:
        Undecodable: `body` is not a message.
    """
    most = 0
    for resource in decoded(_REQUEST, body).inner:
        scopes = max((_size(scope.own) for scope in resource.inner), default=0)
        most = max(most, _size(resource.own) + scopes)
    return most


def _size(parts: Sequence[bytes]) -> int:
    return sum(map(len, parts))
