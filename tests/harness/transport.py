"""A socket's transport, as far as a connection needs one."""

from typing import Any


class Transport:
    """Keeps what is written; the peer is 10.1.2.3.

    Attributes:
        closed: nothing is read any more.
        ended: nothing more is written, but what comes is still read.
    """

    def __init__(self) -> None:
        self.written = b""
        self.closed = self.ended = self.paused = False

    @property
    def over(self) -> bool:
        """Whether the client sees the end of the connection."""
        return self.closed or self.ended

    def write(self, data: bytes) -> None:
        assert not self.over, "nobody reads it"
        self.written += data

    def write_eof(self) -> None:
        self.ended = True

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    def get_extra_info(self, name: str) -> Any:
        return ("10.1.2.3", 4) if name == "peername" else None

    def pause_reading(self) -> None:
        self.paused = True

    def resume_reading(self) -> None:
        self.paused = False
