"""How the plain ASGI endpoints write an answer; the framework's handlers do it themselves."""

import msgspec
from litestar.types import HTTPResponseBodyEvent, HTTPResponseStartEvent, Send

from tallyroom.core.errors import TallyroomError, error_body

_JSON = (b"content-type", b"application/json")

Header = tuple[bytes, bytes]


async def send_json(send: Send, status: int, body: bytes, headers: list[Header]) -> int:
    """Send `body`, JSON text, with `headers` beside type and length; returns the status, 0 when the client is gone."""
    start: HTTPResponseStartEvent = {
        "type": "http.response.start",
        "status": status,
        "headers": [_JSON, (b"content-length", b"%d" % len(body)), *headers],
    }
    end: HTTPResponseBodyEvent = {"type": "http.response.body", "body": body, "more_body": False}
    try:
        await send(start)
        await send(end)
    except RuntimeError:  # what the server's transport raises when the client closed it in this very moment
        return 0
    return status


async def send_error(send: Send, error: TallyroomError, request_id: str) -> int:
    """Send a refusal in the one error shape."""
    headers = [(name.encode(), value.encode()) for name, value in error.headers.items()]
    headers.append((b"x-request-id", request_id.encode()))
    return await send_json(send, error.status, msgspec.json.encode(error_body(error, request_id)), headers)
