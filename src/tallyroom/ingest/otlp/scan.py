"""Checks that all of a request can be decoded, without keeping the result.

As in record_sizes.py, repeated fields are declared as single: each value replaces the last, at half the cost.
"""

from google.protobuf import descriptor_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from tallyroom.ingest.otlp.message_types import build_message_class, decode_message

_Proto = descriptor_pb2.FieldDescriptorProto


class RequestChecker:
    """Decodes requests of one type."""

    def __init__(self, request_descriptor: Descriptor) -> None:
        self._file = descriptor_pb2.FileDescriptorProto(name="scan.proto", package="scan", syntax="proto3")
        self._declared_names: set[str] = set()
        self._message_class = build_message_class(self._file, self._declare_message(request_descriptor))

    def check(self, body: bytes) -> None:
        """Raise `Undecodable` if a value is not of its field's type."""
        decode_message(self._message_class, body)

    def _declare_message(self, descriptor: Descriptor) -> str:
        name = descriptor.full_name.replace(".", "_")
        if name not in self._declared_names:
            self._declared_names.add(name)
            fields = [self._build_field(field) for field in descriptor.fields]
            self._file.message_type.add(name=name, field=fields)
        return name

    def _build_field(self, field: FieldDescriptor) -> descriptor_pb2.FieldDescriptorProto:
        proto = _Proto(name=field.name, number=field.number, label=_Proto.LABEL_OPTIONAL)
        if field.message_type is not None:
            proto.type, proto.type_name = _Proto.TYPE_MESSAGE, f".scan.{self._declare_message(field.message_type)}"
        elif field.enum_type is not None:
            proto.type = _Proto.TYPE_INT32  # as it is encoded
        else:
            proto.type = field.type  # type: ignore[assignment] # both number the types alike
            if field.is_repeated:  # packed numbers
                proto.label = _Proto.LABEL_REPEATED
        return proto
