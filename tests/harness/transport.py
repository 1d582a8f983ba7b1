"""A socket's transport, as far as a connection needs one."""

from typing import Any


class Transport:
    """Keeps what is written; the peer is 10.1.2.3."""

    def __init__(self) -> None:
        self.written = b""
        self.closed = self.paused = False

    def write(self, data: bytes) -> None:
        self.written += data

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
