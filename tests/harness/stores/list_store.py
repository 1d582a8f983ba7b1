"""An event store for tests of the drain that keeps lines in memory."""

from types import SimpleNamespace

import msgspec

from tallyroom.storage.spool.row import split_lines


class ListStore:
    """An event store that keeps lines by token."""

    def __init__(self) -> None:
        self.backend = SimpleNamespace(inserts_late=False)
        self.tokens: set[str] = set()
        self.lines: list[bytes] = []
        self._events: set[tuple[object, ...]] = set()

    def insert_events(self, body: bytes, token: str) -> None:
        if token in self.tokens:
            return
        self.tokens.add(token)
        for line in split_lines(body):
            self.lines.append(line)
            self._events.add(self._key(line))

    def has_event(self, *event: object) -> bool:
        return event in self._events

    def derive_labels(self, *_: int) -> None:
        pass

    def _key(self, line: bytes) -> tuple[object, ...]:
        row = msgspec.json.decode(line)
        return row[0], row[1], row[6], row[2], row[4], row[5]
