"""The routes of the fast path, and the heads of requests that have taken it (docs/decisions/0007)."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from tallyroom.rest.answer import DirectHandler, Header
from tallyroom.server.protocol.pipelining import END_OF_HEAD

MAX_KNOWN_HEAD_BYTES: Final = 1_024
MAX_KNOWN_HEADS: Final = 2_000  # ~3 MB; beyond that, all are forgotten


class KnownHead(NamedTuple):
    """What the parser made of a head; the same bytes between two requests mean the same again."""

    handler: DirectHandler
    url: bytes
    headers: list[Header]
    body_bytes: int
    is_kept_alive: bool


class DirectRoutes:
    """Handlers by (method, path), and the heads that their clients repeat; all connections share them."""

    def __init__(self, handlers: Mapping[tuple[str, str], DirectHandler]) -> None:
        self._handlers = {(method.encode(), path.encode()): handler for (method, path), handler in handlers.items()}
        self._head_by_bytes: dict[bytes, KnownHead] = {}

    def find_handler(self, method: bytes, target: bytes) -> DirectHandler | None:
        """Return the handler of a request; None if it takes the usual path."""
        return self._handlers.get((method, target))

    def find_head(self, piece: bytes) -> KnownHead | None:
        """Return the head with which a piece begins, if the piece is one whole request and the head is known."""
        head_end = _find_head_end(piece)
        head = self._head_by_bytes.get(piece[:head_end])
        return head if head is not None and head_end + head.body_bytes == len(piece) else None

    def remember_head(self, piece: bytes, head: KnownHead) -> None:
        """Remember the head with which a piece begins, unless it is large or the piece is not one whole request."""
        head_end = _find_head_end(piece)
        if head_end > MAX_KNOWN_HEAD_BYTES or head_end + head.body_bytes != len(piece):
            return
        if len(self._head_by_bytes) >= MAX_KNOWN_HEADS:
            self._head_by_bytes.clear()
        self._head_by_bytes[piece[:head_end]] = head


def _find_head_end(piece: bytes) -> int:
    return piece.find(END_OF_HEAD) + len(END_OF_HEAD)
