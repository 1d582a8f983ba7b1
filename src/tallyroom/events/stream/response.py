"""The response of a stream: text, as long as a client listens that is allowed to."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass

from litestar.openapi.spec import OpenAPIMediaType, OpenAPIResponse, OpenAPIType, Operation, Schema
from litestar.response.base import ASGIResponse
from litestar.types import HTTPResponseBodyEvent, Receive, Send

MEDIA_TYPE = "text/event-stream"
HEADERS = {"x-accel-buffering": "no"}  # a buffering proxy would hold back the whole stream
HEARTBEAT = b": heartbeat\n"
HEARTBEAT_SECONDS = 15.0
_FAREWELL_SECONDS = 1.0

_log = logging.getLogger(__name__)


class StreamHead(ASGIResponse):
    """The headers of a stream without its body: the response to HEAD."""

    _should_set_content_length = False

    def __init__(self) -> None:
        super().__init__(media_type=MEDIA_TYPE, headers=HEADERS)


class StreamResponse(StreamHead):
    """Sends the texts of a stream and closes them at its end, at the latest when `wait_until_over` returns."""

    def __init__(self, texts: AsyncGenerator[bytes, None], wait_until_over: Callable[[], Awaitable[None]]) -> None:
        super().__init__()
        self._texts = texts
        self._wait_until_over = wait_until_over

    async def send_body(self, send: Send, receive: Receive) -> None:  # noqa: ARG002 # as the framework has it
        """Send until the stream is over. If the client leaves, the caller cancels this."""
        send_task = asyncio.ensure_future(self._send(send))
        over_task = asyncio.ensure_future(self._wait_until_over())
        try:
            await asyncio.wait({send_task, over_task}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (send_task, over_task):
                task.cancel()
            results = await asyncio.gather(send_task, over_task, return_exceptions=True)
        for error in (result for result in results if isinstance(result, Exception)):
            _log.error("a stream was interrupted", exc_info=error)
        with suppress(TimeoutError):  # do not wait for a client that does not read
            await asyncio.wait_for(send(_build_body_event(b"", has_more=False)), _FAREWELL_SECONDS)

    async def _send(self, send: Send) -> None:
        async with aclosing(self._texts) as texts:
            next_text_task = asyncio.ensure_future(anext(texts, None))
            try:
                while True:
                    done_tasks, _ = await asyncio.wait({next_text_task}, timeout=HEARTBEAT_SECONDS)
                    text = next_text_task.result() if done_tasks else HEARTBEAT
                    if text is None:
                        return
                    await send(_build_body_event(text, has_more=True))
                    if done_tasks:
                        next_text_task = asyncio.ensure_future(anext(texts, None))
            finally:
                next_text_task.cancel()
                await asyncio.gather(next_text_task, return_exceptions=True)


@dataclass
class StreamOperation(Operation):
    """The API reference's entry for a route that responds with a stream."""

    def __post_init__(self) -> None:
        """Name the media type of the response."""
        content = {MEDIA_TYPE: OpenAPIMediaType(Schema(type=OpenAPIType.STRING))}
        self.responses = {"200": OpenAPIResponse("Server-sent events, each with an event as JSON.", content=content)}


def _build_body_event(body: bytes, *, has_more: bool) -> HTTPResponseBodyEvent:
    return {"type": "http.response.body", "body": body, "more_body": has_more}
