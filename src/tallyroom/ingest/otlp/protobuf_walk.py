"""Walks over an encoded request, record by record, without decoding it."""

from tallyroom.core.errors import PayloadTooLarge
from tallyroom.ingest.otlp.pack import Packer
from tallyroom.ingest.otlp.wire import fields

MOST_FIELDS = 500_000

Path = tuple[frozenset[int], ...]
"""For each level of a request, the fields that lead to its records; those of the last level are the records."""


def walk(body: bytes, path: Path, packer: Packer) -> None:
    """Give every record of the request to the packer, each in the messages around it.

    Raises:
        Undecodable: the body is not a message.
        PayloadTooLarge: it has too many parts.
    """
    _Walk(body, path, packer).message(0, 0, 0, len(body))


class _Walk:
    def __init__(self, body: bytes, path: Path, packer: Packer) -> None:
        self._body = body
        self._path = path
        self._packer = packer
        self._count = 0

    def message(self, number: int, level: int, start: int, stop: int) -> None:
        """Walk over the message of field `number` from `start` to `stop`."""
        children, own_fields = [], bytearray()
        for field in fields(self._body, start, stop):
            self._count += 1
            if self._count > MOST_FIELDS:
                raise PayloadTooLarge(f"the body has more than {MOST_FIELDS} parts; send fewer records at once")
            if field.inner is not None and field.number in self._path[level]:
                children.append((field.number, field.inner, field.stop))
            else:
                own_fields += self._body[field.start : field.stop]
        self._packer.enter(number, bytes(own_fields))
        for inner_number, inner_start, inner_stop in children:
            if level + 1 < len(self._path):
                self.message(inner_number, level + 1, inner_start, inner_stop)
            else:
                self._packer.record(inner_number, self._body[inner_start:inner_stop])
        self._packer.leave()
