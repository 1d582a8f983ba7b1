"""The response of an export: sent while it is read, and cut off if it fails."""

import asyncio
import logging
from dataclasses import dataclass

from litestar.openapi.spec import OpenAPIMediaType, OpenAPIResponse, OpenAPIType, Operation, Schema
from litestar.response.streaming import ASGIStreamingResponse
from litestar.types import Receive, Send

from tallyroom.analytics.export.formats import FORMS
from tallyroom.core.errors import TallyroomError

_log = logging.getLogger(__name__)


class ExportResponse(ASGIStreamingResponse):
    """Sends pieces as chunks; an error ends the connection before the last chunk, so a partial file is recognizable."""

    async def send_body(self, send: Send, receive: Receive) -> None:
        """Send the pieces until they end, the client leaves, one of them fails, or the server stops."""
        try:
            await super().send_body(send, receive)
        except* TallyroomError as failures:  # the framework sends in a group of tasks
            _log.error("an export was broken off", extra={"reason": str(failures.exceptions[0])})
        except* asyncio.CancelledError:
            _log.warning("an export was broken off", extra={"reason": "the server is stopping"})


@dataclass
class ExportOperation(Operation):
    """The entry in the API reference of a route that answers with such a file."""

    def __post_init__(self) -> None:
        """Name the media types of the file."""
        content = {
            form.media_type.partition(";")[0]: OpenAPIMediaType(Schema(type=OpenAPIType.STRING))
            for form in FORMS.values()
        }
        self.responses = {"200": OpenAPIResponse("The events, as a file.", content=content)}
