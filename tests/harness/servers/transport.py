"""A socket's transport, as far as a connection needs one."""

from typing import Any


class Transport:
    """Keeps what is written; the peer is 10.1.2.3.

    Attributes:
        closed: nothing is read any more.
        ended: nothing more is written, but what comes is still read.
        buffered: how many bytes wait in this process; those that wait in the kernel, a test asks of the backlogs.
        aborted: closed without waiting for what is to be written.
    """

    def __init__(self) -> None:
        self.written = b""
        self.closed = self.ended = self.paused = self.aborted = False
        self.buffered = 0

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

    def abort(self) -> None:
        self.closed = self.aborted = True

    def get_write_buffer_size(self) -> int:
        return self.buffered

    def is_closing(self) -> bool:
        return self.closed

    def get_extra_info(self, name: str) -> Any:
        return {"peername": self.getpeername(), "socket": self}.get(name)

    def setsockopt(self, *_: Any) -> None:
        """As a socket: take an option."""

    def getpeername(self) -> tuple[str, int]:
        return ("10.1.2.3", 4)

    def getsockname(self) -> tuple[str, int]:
        return ("10.1.2.2", 80)

    def fileno(self) -> int:
        """As a socket that is closed."""
        return -1

    def pause_reading(self) -> None:
        self.paused = True

    def resume_reading(self) -> None:
        self.paused = False
