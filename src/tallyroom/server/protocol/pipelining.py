"""Requests sent without waiting for answers: a few are read ahead, the rest wait (rules/safety#connections)."""

import re
from collections.abc import Callable
from typing import Final

from uvicorn.protocols.http.flow_control import FlowControl

MAX_REQUESTS_AHEAD: Final = 16
"""The most unanswered requests of a connection that may be read, including the one being answered."""

MAX_FED_REQUESTS: Final = MAX_REQUESTS_AHEAD - 1
"""The most that may be fed to the parser: another one can be hidden where the end of its head was cut in two."""

END_OF_HEAD: Final = b"\r\n\r\n"  # the end of every head, so a piece contains no more heads than this
_LINE_BREAKS = re.compile(rb"[\r\n]*")  # may precede a head


class UnparsedBytes:
    """Bytes that are not parsed yet: a parser processes everything that it is fed."""

    def __init__(self) -> None:
        self.data = memoryview(b"")

    def add(self, data: bytes) -> None:
        """Append bytes that arrived."""
        self.data = memoryview(bytes(self.data) + data if self.data else data)

    def clear(self) -> None:
        """Discard all bytes."""
        self.data = memoryview(b"")

    def pop(self, byte_count: int) -> memoryview:
        """Remove and return the next `byte_count` bytes, or fewer if there are no more."""
        piece, self.data = self.data[:byte_count], self.data[byte_count:]
        return piece

    def find_end(self, head_count: int, max_bytes: int) -> int:
        """Return the number of bytes, at most `max_bytes`, up to the end of `head_count` heads or chunked bodies."""
        buffer: bytes = self.data.obj  # type: ignore[assignment] # that is its type
        start_index = len(buffer) - len(self.data)
        end_index = _LINE_BREAKS.match(buffer, start_index, start_index + max_bytes).end()  # type: ignore[union-attr] # it matches nothing, too
        for _ in range(head_count):
            found_index = buffer.find(END_OF_HEAD, end_index, start_index + max_bytes)
            if found_index < 0:
                return max_bytes
            end_index = found_index + len(END_OF_HEAD)
        return end_index - start_index


class Flow(FlowControl):
    """The flow control of a connection; `on_full` is called when nothing more should be written."""

    def __init__(self, transport: object, on_full: Callable[[], object]) -> None:
        super().__init__(transport)  # type: ignore[arg-type] # only paused and resumed
        self._on_full = on_full
        self._is_held = self._is_full = False

    def pause_writing(self) -> None:
        """Stop writing until the client has taken most of what waits."""
        super().pause_writing()
        self._on_full()

    def hold(self) -> None:
        """Stop reading, even if a request asks for more."""
        self._is_held = True
        super().pause_reading()

    def resume_unless_full(self) -> None:
        """Resume reading, unless a request has enough of its body."""
        self._is_held = False
        if not self._is_full:
            super().resume_reading()

    def release(self) -> None:
        """Resume reading in any case."""
        self._is_held = False
        self.resume_reading()

    def pause_reading(self) -> None:
        """Stop reading until the request asks for more."""
        self._is_full = True
        super().pause_reading()

    def resume_reading(self) -> None:
        """Resume reading, unless it is held."""
        self._is_full = False
        if not self._is_held:
            super().resume_reading()
