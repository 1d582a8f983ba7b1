"""Walks over an encoded request, record by record, without decoding it."""

from tallyroom.core.errors import PayloadTooLarge
from tallyroom.ingest.otlp.pack import Packer
from tallyroom.ingest.otlp.wire import iterate_fields

MAX_FIELDS = 500_000

RecordPath = tuple[frozenset[int], ...]
"""For each level of a request, the fields that lead to its records; at the last level, the records themselves."""


def walk_protobuf(body: bytes, record_path: RecordPath, packer: Packer) -> None:
    """Give every record to the packer; raises `Undecodable`, or `PayloadTooLarge` if the body has too many parts."""
    _Walk(body, record_path, packer).walk_message(0, 0, 0, len(body))


class _Walk:
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
                raise PayloadTooLarge(f"the body has more than {MAX_FIELDS} parts; send fewer records at once")
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
