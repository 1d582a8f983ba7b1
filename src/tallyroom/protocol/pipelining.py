"""Requests that a client sends without waiting for answers: a few are read ahead, the rest waits unread."""

from typing import Final

from uvicorn.protocols.http.flow_control import FlowControl

MOST_AHEAD: Final = 16
"""How many requests of a connection may be read that have no answer yet, the one that is being answered among them."""

FED_AHEAD: Final = MOST_AHEAD - 1
"""How many of them may be fed to the parser: one more hides where the end of its head was cut in two."""

END_OF_HEAD: Final = b"\r\n\r\n"
"""Every head ends with it, so that no piece holds more heads than these."""


class Unparsed:
    """What came and is not parsed yet. A parser takes all that it is fed, so it is not fed more than it may take."""

    def __init__(self) -> None:
        self._data = memoryview(b"")

    def __bool__(self) -> bool:
        return len(self._data) > 0

    def add(self, data: bytes) -> None:
        """Keep what came."""
        self._data = memoryview(bytes(self._data) + data if self._data else data)

    def clear(self) -> None:
        """Forget it."""
        self._data = memoryview(b"")

    def take(self, heads: int, body_left: int) -> memoryview:
        """The next piece: the rest of a body whose length is known, or else what has the ends of so many heads."""
        end = min(body_left, len(self._data)) if body_left else self._behind(heads)
        piece, self._data = self._data[:end], self._data[end:]
        return piece

    def _behind(self, heads: int) -> int:
        text: bytes = self._data.obj  # type: ignore[assignment] # which it is
        start = end = len(text) - len(self._data)
        for _ in range(heads):
            found = text.find(END_OF_HEAD, end)
            if found < 0:
                return len(self._data)
            end = found + len(END_OF_HEAD)
        return end - start


class Flow(FlowControl):
    """The flow of a connection that is not read at all while requests wait for their turn."""

    def __init__(self, transport: object) -> None:
        super().__init__(transport)  # type: ignore[arg-type] # only paused and resumed
        self._is_held = False

    def hold(self) -> None:
        """Read nothing, whoever asks for more."""
        self._is_held = True
        self.pause_reading()

    def release(self) -> None:
        """Read on."""
        self._is_held = False
        self.resume_reading()

    def resume_reading(self) -> None:
        """Read on, unless reading is held."""
        if not self._is_held:
            super().resume_reading()
