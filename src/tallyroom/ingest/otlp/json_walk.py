"""Walks over a request in JSON, record by record, so that only one of them is decoded at a time."""

from collections.abc import Iterator
from typing import Any

import msgspec
from google.protobuf import message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from tallyroom.core.errors import PayloadTooLarge
from tallyroom.ingest.otlp.json_values import InvalidValue, find_field_readers, read_arguments
from tallyroom.ingest.otlp.pack import Packer
from tallyroom.ingest.otlp.protobuf_walk import RecordPath
from tallyroom.ingest.otlp.wire import Undecodable

MAX_VALUES = 1_500_000
"""The most values of a body: each takes memory, even if it has few bytes."""

_PIECE_BYTES = 1_000_000

_object_decoder = msgspec.json.Decoder(dict[str, msgspec.Raw])
_list_decoder = msgspec.json.Decoder(list[msgspec.Raw])
_value_decoder = msgspec.json.Decoder()


def walk_json(body: bytes, request_descriptor: Descriptor, record_path: RecordPath, packer: Packer) -> None:
    """Encode every record and give it to the packer; raises `Undecodable`, or `PayloadTooLarge` above `MAX_VALUES`."""
    if _count_max_values(body) > MAX_VALUES:
        raise PayloadTooLarge(f"the body has more than {MAX_VALUES} values; send fewer records at once")
    try:
        _Walk(record_path, packer).walk_message(0, request_descriptor, 0, msgspec.Raw(body))
    except InvalidValue as error:
        raise Undecodable.at(error.path, error.reason) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Undecodable(f"the body is not JSON: {error}") from error
    except RecursionError:
        raise Undecodable("the body is nested too deeply") from None


def _count_max_values(body: bytes) -> int:
    """Return an upper bound on the number of values, counted in pieces because counting keeps Python's lock."""
    pieces = (body[start : start + _PIECE_BYTES] for start in range(0, len(body), _PIECE_BYTES))
    return sum(piece.count(character) for piece in pieces for character in (b"{", b"[", b","))


class _Walk:
    def __init__(self, record_path: RecordPath, packer: Packer) -> None:
        self._record_path = record_path
        self._packer = packer

    def walk_message(self, field_number: int, descriptor: Descriptor, level: int, raw_json: msgspec.Raw) -> None:
        children: list[tuple[str, FieldDescriptor, msgspec.Raw]] = []
        own_fields: dict[str, Any] = {}
        field_and_reader_by_name = find_field_readers(descriptor)
        for name, value in _read_object(raw_json).items():
            if (
                name in field_and_reader_by_name
                and field_and_reader_by_name[name][0].number in self._record_path[level]
            ):
                children.append((name, field_and_reader_by_name[name][0], value))
            elif name in field_and_reader_by_name:
                own_fields[name] = _value_decoder.decode(value)
        self._packer.open_message(field_number, _encode_message(descriptor, own_fields))
        for name, field, value in children:
            try:
                self._walk_children(field, level, value)
            except InvalidValue as error:
                raise error.add_outer_step(name) from None
        self._packer.close_message()

    def _walk_children(self, field: FieldDescriptor, level: int, raw_json: msgspec.Raw) -> None:
        descriptor = field.message_type
        if descriptor is None or bytes(raw_json) == b"null":
            return
        for index, element in _iterate_elements(field, raw_json):
            try:
                if level + 1 < len(self._record_path):
                    self.walk_message(field.number, descriptor, level + 1, element)
                else:
                    self._packer.add_record(field.number, _encode_message(descriptor, _value_decoder.decode(element)))
            except InvalidValue as error:
                raise (error if index is None else error.add_outer_step(index)) from None


def _read_object(raw_json: msgspec.Raw) -> dict[str, msgspec.Raw]:
    try:
        return _object_decoder.decode(raw_json)
    except msgspec.ValidationError:
        raise InvalidValue("is not an object") from None


def _iterate_elements(field: FieldDescriptor, raw_json: msgspec.Raw) -> Iterator[tuple[int | None, msgspec.Raw]]:
    """Yield the objects in a field, each with its index in the list, or None if the field has just one."""
    if not field.is_repeated:
        yield None, raw_json
        return
    try:
        elements = _list_decoder.decode(raw_json)
    except msgspec.ValidationError:
        raise InvalidValue("is not a list") from None
    yield from enumerate(elements)


def _encode_message(descriptor: Descriptor, value: Any) -> bytes:
    instance = message_factory.GetMessageClass(descriptor)(**read_arguments(descriptor, value))
    payload: bytes = instance.SerializeToString()
    return payload
