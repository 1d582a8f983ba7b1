"""Requests sent without waiting for answers: a few are read ahead, the rest waits (rules/safety#connections)."""

import re
from typing import Final

from uvicorn.protocols.http.flow_control import FlowControl

MOST_AHEAD: Final = 16
"""How many requests of a connection may be read that have no answer yet, the one that is being answered among them."""

FED_AHEAD: Final = MOST_AHEAD - 1
"""How many of them may be fed to the parser: one more hides where the end of its head was cut in two."""

END_OF_HEAD: Final = b"\r\n\r\n"
"""Every head ends with it, so that no piece holds more heads than these."""

_LINE_BREAKS = re.compile(rb"[\r\n]*")  # which may stand before a head


class Unparsed:
    """What came and is not parsed yet. A parser takes all that it is fed, so it is not fed more than it may take.

    Attributes:
        data: the bytes.
    """

    def __init__(self) -> None:
        self.data = memoryview(b"")

    def add(self, data: bytes) -> None:
        """Keep what came."""
        self.data = memoryview(bytes(self.data) + data if self.data else data)

    def clear(self) -> None:
        """Forget it."""
        self.data = memoryview(b"")

    def take(self, size: int) -> memoryview:
        """The next so many bytes, or fewer where there are no more."""
        piece, self.data = self.data[:size], self.data[size:]
        return piece

    def behind(self, heads: int, most: int) -> int:
        """How many bytes there are up to the ends of so many heads, or of bodies in chunks, which end like one."""
        text: bytes = self.data.obj  # type: ignore[assignment] # which it is
        start = len(text) - len(self.data)
        end = _LINE_BREAKS.match(text, start, start + most).end()  # type: ignore[union-attr] # it matches nothing, too
        for _ in range(heads):
            found = text.find(END_OF_HEAD, end, start + most)
            if found < 0:
                return most
            end = found + len(END_OF_HEAD)
        return end - start


class Flow(FlowControl):
    """The flow of a connection that is not read at all while something of it waits for its turn."""

    def __init__(self, transport: object) -> None:
        super().__init__(transport)  # type: ignore[arg-type] # only paused and resumed
        self._is_held = self._is_full = False

    def hold(self) -> None:
        """Read nothing, whoever asks for more."""
        self._is_held = True
        super().pause_reading()

    def let_go(self) -> None:
        """Read on, unless a request has enough of its body."""
        self._is_held = False
        if not self._is_full:
            super().resume_reading()

    def release(self) -> None:
        """Read on."""
        self._is_held = False
        self.resume_reading()

    def pause_reading(self) -> None:
        """Read nothing until the request asks for more."""
        self._is_full = True
        super().pause_reading()

    def resume_reading(self) -> None:
        """Read on, unless reading is held."""
        self._is_full = False
        if not self._is_held:
            super().resume_reading()
