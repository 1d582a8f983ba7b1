"""Walks over a request in JSON, record by record, so that only one of them is decoded at a time."""

from collections.abc import Iterator
from typing import Any

import msgspec
from google.protobuf import message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from tallyroom.core.errors import PayloadTooLarge
from tallyroom.ingest.otlp.json_values import Unfit, arguments, readers_of
from tallyroom.ingest.otlp.pack import Packer
from tallyroom.ingest.otlp.protobuf_walk import Path
from tallyroom.ingest.otlp.wire import Undecodable

MOST_VALUES = 1_500_000
"""The most values of a body: each takes memory, however few bytes it was sent in."""

_PIECE_BYTES = 1_000_000

_raw_object = msgspec.json.Decoder(dict[str, msgspec.Raw])
_raw_list = msgspec.json.Decoder(list[msgspec.Raw])
_values = msgspec.json.Decoder()


def walk_json(body: bytes, request: Descriptor, path: Path, packer: Packer) -> None:
    """Give every record of the request to the packer, encoded, each in the messages around it.

    Raises:
        Undecodable: the body is not JSON of this request.
        PayloadTooLarge: it has too many values.
    """
    if _signs(body) > MOST_VALUES:
        raise PayloadTooLarge(f"the body has more than {MOST_VALUES} values; send fewer records at once")
    try:
        _Walk(path, packer).message(0, request, 0, msgspec.Raw(body))
    except Unfit as unfit:
        raise Undecodable.at(unfit.path, unfit.reason) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Undecodable(f"the body is not JSON: {error}") from error
    except RecursionError:
        raise Undecodable("the body is nested too deeply") from None


def _signs(body: bytes) -> int:
    """Return an upper bound on the number of values, counted piece by piece because counting keeps Python's lock."""
    pieces = (body[start : start + _PIECE_BYTES] for start in range(0, len(body), _PIECE_BYTES))
    return sum(piece.count(sign) for piece in pieces for sign in (b"{", b"[", b","))


class _Walk:
    def __init__(self, path: Path, packer: Packer) -> None:
        self._path = path
        self._packer = packer

    def message(self, number: int, message: Descriptor, level: int, raw: msgspec.Raw) -> None:
        """Walk over the JSON object `raw`, which is field `number` of the message around it."""
        children: list[tuple[str, FieldDescriptor, msgspec.Raw]] = []
        own_fields: dict[str, Any] = {}
        readers = readers_of(message)
        for name, value in _object(raw).items():
            if name in readers and readers[name][0].number in self._path[level]:
                children.append((name, readers[name][0], value))
            elif name in readers:
                own_fields[name] = _values.decode(value)
        self._packer.enter(number, _encoded(message, own_fields))
        for name, field, value in children:
            try:
                self._children(field, level, value)
            except Unfit as unfit:
                raise unfit.inside(name) from None
        self._packer.leave()

    def _children(self, field: FieldDescriptor, level: int, raw: msgspec.Raw) -> None:
        message = field.message_type
        if message is None or bytes(raw) == b"null":
            return
        for index, element in _elements(field, raw):
            try:
                if level + 1 < len(self._path):
                    self.message(field.number, message, level + 1, element)
                else:
                    self._packer.record(field.number, _encoded(message, _values.decode(element)))
            except Unfit as unfit:
                raise (unfit if index is None else unfit.inside(index)) from None


def _object(raw: msgspec.Raw) -> dict[str, msgspec.Raw]:
    try:
        return _raw_object.decode(raw)
    except msgspec.ValidationError:
        raise Unfit("is not an object") from None


def _elements(field: FieldDescriptor, raw: msgspec.Raw) -> Iterator[tuple[int | None, msgspec.Raw]]:
    """Yield the objects in a field, each with its index in the list, or None if the field has just one."""
    if not field.is_repeated:
        yield None, raw
        return
    try:
        elements = _raw_list.decode(raw)
    except msgspec.ValidationError:
        raise Unfit("is not a list") from None
    yield from enumerate(elements)


def _encoded(message: Descriptor, value: Any) -> bytes:
    instance = message_factory.GetMessageClass(message)(**arguments(message, value))
    payload: bytes = instance.SerializeToString()
    return payload
