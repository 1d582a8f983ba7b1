"""Message types declared here, by which protobuf measures and checks a request in C, without decoding each record.

Protobuf merges repeated messages where one is expected, and joins their repeated fields. So a type in which only the
leaves are repeated reads all leaves of a request into one list. In a type without repeated fields, each value replaces
the last, so that checking all values costs half as much.
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, NamedTuple

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import DecodeError, Message

from tallyroom.ingest.otlp.wire import Undecodable

_Proto = descriptor_pb2.FieldDescriptorProto


def build_message_class(file: descriptor_pb2.FileDescriptorProto, name: str) -> Any:
    """Return the class of the message `name` in `file`, separate from all other types."""
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(file.SerializeToString())
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{file.package}.{name}"))


def decode_message(message_class: Any, payload: bytes) -> Any:
    """Decode a message; raises `Undecodable` if the bytes are not such a message."""
    try:
        return message_class.FromString(payload)
    except DecodeError as error:
        raise Undecodable("the body is not protobuf for this signal") from error


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


class RequestChecker:
    """Decodes requests of one type, without keeping the result."""

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


def _build_request_class() -> Any:
    """Build a request type with resources and scopes as bytes; records are unknown fields to it."""
    file = descriptor_pb2.FileDescriptorProto(name="shared.proto", package="shared", syntax="proto2")
    for name, inner_name in (("Request", "Resource"), ("Resource", "Scope"), ("Scope", None)):
        message = file.message_type.add(name=name)
        if name != "Request":
            message.field.add(name="own", number=1, type=_Proto.TYPE_BYTES, label=_Proto.LABEL_REPEATED)
        if inner_name:
            number, type_name = 1 if name == "Request" else 2, f".shared.{inner_name}"
            field = message.field.add(name="inner", number=number, type_name=type_name)
            field.type, field.label = _Proto.TYPE_MESSAGE, _Proto.LABEL_REPEATED
    return build_message_class(file, "Request")


_REQUEST_CLASS = _build_request_class()


def count_shared_bytes(body: bytes) -> int:
    """Return the most shared bytes of one record, repeated resources and scopes joined; raises `Undecodable`."""
    max_bytes = 0
    for resource in decode_message(_REQUEST_CLASS, body).inner:
        scope_bytes = max((sum(map(len, scope.own)) for scope in resource.inner), default=0)
        max_bytes = max(max_bytes, sum(map(len, resource.own)) + scope_bytes)
    return max_bytes
