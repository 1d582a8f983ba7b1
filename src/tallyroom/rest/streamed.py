"""Files that are sent while they are read, and cut off if reading fails."""

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any

from litestar import Response
from litestar.response.base import ASGIResponse
from litestar.response.streaming import ASGIStreamingResponse
from litestar.types import Receive, Send

from tallyroom.core.errors import TallyroomError

_log = logging.getLogger(__name__)


class StreamedResponse(ASGIStreamingResponse):
    """Sends pieces as chunks; an error ends the connection before the last chunk, so that clients see the cut."""

    async def send_body(self, send: Send, receive: Receive) -> None:
        """Send the pieces until they end, the client leaves, one of them fails, or the server stops."""
        try:
            await super().send_body(send, receive)
        except* TallyroomError as failures:  # the framework sends in a group of tasks
            _log.error("an export was interrupted", extra={"reason": str(failures.exceptions[0])})
        except* asyncio.CancelledError:
            _log.warning("an export was interrupted", extra={"reason": "the server is stopping"})


class FileResponse(Response[Any]):
    """A streamed file from a handler that otherwise answers JSON."""

    def __init__(self, pieces: AsyncIterator[bytes], media_type: str, headers: dict[str, str]) -> None:
        super().__init__(None, media_type=media_type, headers=headers)
        self.pieces = pieces

    def to_asgi_response(self, *_args: Any, **_options: Any) -> ASGIResponse:
        """Return the response that sends the file."""
        headers = {name: str(value) for name, value in self.headers.items()}
        return StreamedResponse(iterator=self.pieces, media_type=str(self.media_type), headers=headers)
