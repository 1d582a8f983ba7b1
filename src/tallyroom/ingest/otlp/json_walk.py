"""Walks over a request in JSON, record by record, so that only one of them is decoded at a time."""

from collections.abc import Iterator
from typing import Any

import msgspec
from google.protobuf import message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from tallyroom.core.errors import PayloadTooLarge
from tallyroom.ingest.otlp.json_values import InvalidValue, find_field_readers, read_arguments
from tallyroom.ingest.otlp.pack import Packer
from tallyroom.ingest.otlp.protobuf_walk import Path
from tallyroom.ingest.otlp.wire import Undecodable

MAX_VALUES = 1_500_000
"""The most values of a body: each takes memory, however few bytes it was sent in."""

_PIECE_BYTES = 1_000_000

_object_decoder = msgspec.json.Decoder(dict[str, msgspec.Raw])
_list_decoder = msgspec.json.Decoder(list[msgspec.Raw])
_value_decoder = msgspec.json.Decoder()


def walk_json(body: bytes, request: Descriptor, path: Path, packer: Packer) -> None:
    """Give every record of the request to the packer, encoded, each in the messages around it.

    Raises:
        Undecodable: the body is not JSON of this request.
        PayloadTooLarge: it has too many values.
    """
    if _count_signs(body) > MAX_VALUES:
        raise PayloadTooLarge(f"the body has more than {MAX_VALUES} values; send fewer records at once")
    try:
        _Walk(path, packer).walk_message(0, request, 0, msgspec.Raw(body))
    except InvalidValue as error:
        raise Undecodable.at(error.path, error.reason) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Undecodable(f"the body is not JSON: {error}") from error
    except RecursionError:
        raise Undecodable("the body is nested too deeply") from None


def _count_signs(body: bytes) -> int:
    """Return an upper bound on the number of values, counted piece by piece because counting keeps Python's lock."""
    pieces = (body[start : start + _PIECE_BYTES] for start in range(0, len(body), _PIECE_BYTES))
    return sum(piece.count(sign) for piece in pieces for sign in (b"{", b"[", b","))


class _Walk:
    def __init__(self, path: Path, packer: Packer) -> None:
        self._path = path
        self._packer = packer

    def walk_message(self, number: int, message: Descriptor, level: int, raw: msgspec.Raw) -> None:
        """Walk over the JSON object `raw`, which is field `number` of the message around it."""
        children: list[tuple[str, FieldDescriptor, msgspec.Raw]] = []
        own_fields: dict[str, Any] = {}
        readers = find_field_readers(message)
        for name, value in _read_object(raw).items():
            if name in readers and readers[name][0].number in self._path[level]:
                children.append((name, readers[name][0], value))
            elif name in readers:
                own_fields[name] = _value_decoder.decode(value)
        self._packer.open_message(number, _encode_message(message, own_fields))
        for name, field, value in children:
            try:
                self._walk_children(field, level, value)
            except InvalidValue as error:
                raise error.add_outer_step(name) from None
        self._packer.close_message()

    def _walk_children(self, field: FieldDescriptor, level: int, raw: msgspec.Raw) -> None:
        message = field.message_type
        if message is None or bytes(raw) == b"null":
            return
        for index, element in _iterate_elements(field, raw):
            try:
                if level + 1 < len(self._path):
                    self.walk_message(field.number, message, level + 1, element)
                else:
                    self._packer.add_record(field.number, _encode_message(message, _value_decoder.decode(element)))
            except InvalidValue as error:
                raise (error if index is None else error.add_outer_step(index)) from None


def _read_object(raw: msgspec.Raw) -> dict[str, msgspec.Raw]:
    try:
        return _object_decoder.decode(raw)
    except msgspec.ValidationError:
        raise InvalidValue("is not an object") from None


def _iterate_elements(field: FieldDescriptor, raw: msgspec.Raw) -> Iterator[tuple[int | None, msgspec.Raw]]:
    """Yield the objects in a field, each with its index in the list, or None if the field has just one."""
    if not field.is_repeated:
        yield None, raw
        return
    try:
        elements = _list_decoder.decode(raw)
    except msgspec.ValidationError:
        raise InvalidValue("is not a list") from None
    yield from enumerate(elements)


def _encode_message(message: Descriptor, value: Any) -> bytes:
    instance = message_factory.GetMessageClass(message)(**read_arguments(message, value))
    payload: bytes = instance.SerializeToString()
    return payload
