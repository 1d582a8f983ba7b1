"""Message types declared here instead of in a `.proto`, and the decoding of any message."""

from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError

from tallyroom.ingest.otlp.wire import Undecodable


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
        raise Undecodable("the body is not protobuf of this signal") from error
