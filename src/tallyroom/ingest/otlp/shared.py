"""Measures the data that the records of a request share, message by message."""

from collections.abc import Sequence
from typing import Any

from google.protobuf import descriptor_pb2

from tallyroom.ingest.otlp.message_types import build_message_class, decode_message

_Proto = descriptor_pb2.FieldDescriptorProto


def _build_request_class() -> Any:
    """Build a request type with resources and scopes as bytes; records are unknown fields to it."""
    file = descriptor_pb2.FileDescriptorProto(name="shared.proto", package="shared", syntax="proto2")
    for name, inner_name in (("Request", "Resource"), ("Resource", "Scope"), ("Scope", None)):
        message = file.message_type.add(name=name)
        if name != "Request":
            message.field.add(name="own", number=1, type=_Proto.TYPE_BYTES, label=_Proto.LABEL_REPEATED)
        if inner_name:
            field_number = 1 if name == "Request" else 2
            message.field.add(
                name="inner",
                number=field_number,
                type=_Proto.TYPE_MESSAGE,
                type_name=f".shared.{inner_name}",
                label=_Proto.LABEL_REPEATED,
            )
    return build_message_class(file, "Request")


_REQUEST_CLASS = _build_request_class()


def count_shared_bytes(body: bytes) -> int:
    """Return the most shared bytes of one record, repeated resources and scopes joined; raises `Undecodable`."""
    max_bytes = 0
    for resource in decode_message(_REQUEST_CLASS, body).inner:
        scope_bytes = max((_count_bytes(scope.own) for scope in resource.inner), default=0)
        max_bytes = max(max_bytes, _count_bytes(resource.own) + scope_bytes)
    return max_bytes


def _count_bytes(parts: Sequence[bytes]) -> int:
    return sum(map(len, parts))
