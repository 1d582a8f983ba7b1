"""Walks over a request, record by record, so that at most one of them is decoded at a time."""

from collections.abc import Iterator
from typing import Any

import msgspec
from google.protobuf import message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from tallyroom.core.errors import PayloadTooLarge
from tallyroom.ingest.otlp.json_values import InvalidValue, find_field_readers, read_arguments
from tallyroom.ingest.otlp.pack import Packer
from tallyroom.ingest.otlp.wire import Undecodable, iterate_fields

MAX_FIELDS = 500_000
MAX_VALUES = 1_500_000
"""The most values of a body: each takes memory, even if it has few bytes."""

_PIECE_BYTES = 1_000_000

_object_decoder = msgspec.json.Decoder(dict[str, msgspec.Raw])
_list_decoder = msgspec.json.Decoder(list[msgspec.Raw])
_value_decoder = msgspec.json.Decoder()

RecordPath = tuple[frozenset[int], ...]
"""For each level of a request, the fields that lead to its records; at the last level, the records themselves."""


def walk_protobuf(body: bytes, record_path: RecordPath, packer: Packer) -> None:
    """Give every record to the packer; raises `Undecodable`, or `PayloadTooLarge` if the body has too many parts."""
    _ProtobufWalk(body, record_path, packer).walk_message(0, 0, 0, len(body))


class _ProtobufWalk:
    def __init__(self, body: bytes, record_path: RecordPath, packer: Packer) -> None:
        self._body = body
        self._record_path = record_path
        self._packer = packer
        self._field_count = 0

    def walk_message(self, field_number: int, level: int, start: int, stop: int) -> None:
        children, own_fields = [], bytearray()
        for field in iterate_fields(self._body, start, stop):
            self._field_count += 1
            if self._field_count > MAX_FIELDS:
                raise PayloadTooLarge(f"The body has more than {MAX_FIELDS} parts. Send fewer records at once.")
            if field.value_start is not None and field.number in self._record_path[level]:
                children.append((field.number, field.value_start, field.stop))
            else:
                own_fields += self._body[field.start : field.stop]
        self._packer.open_message(field_number, bytes(own_fields))
        for child_number, child_start, child_stop in children:
            if level + 1 < len(self._record_path):
                self.walk_message(child_number, level + 1, child_start, child_stop)
            else:
                self._packer.add_record(child_number, self._body[child_start:child_stop])
        self._packer.close_message()


def walk_json(body: bytes, request_descriptor: Descriptor, record_path: RecordPath, packer: Packer) -> None:
    """Encode every record and give it to the packer; raises `Undecodable`, or `PayloadTooLarge` above `MAX_VALUES`."""
    if _count_max_values(body) > MAX_VALUES:
        raise PayloadTooLarge(f"The body has more than {MAX_VALUES} values. Send fewer records at once.")
    try:
        _JsonWalk(record_path, packer).walk_message(0, request_descriptor, 0, msgspec.Raw(body))
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


class _JsonWalk:
    def __init__(self, record_path: RecordPath, packer: Packer) -> None:
        self._record_path = record_path
        self._packer = packer

    def walk_message(self, field_number: int, descriptor: Descriptor, level: int, raw_json: msgspec.Raw) -> None:
        children: list[tuple[str, FieldDescriptor, msgspec.Raw]] = []
        own_fields: dict[str, Any] = {}
        field_and_reader_by_name = find_field_readers(descriptor)
        for name, value in _read_object(raw_json).items():
            if name not in field_and_reader_by_name:
                continue
            field, _ = field_and_reader_by_name[name]
            if field.number in self._record_path[level]:
                children.append((name, field, value))
            else:
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
