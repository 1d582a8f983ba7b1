"""Ends the work for a client that has left, so that the event store serves others."""

import asyncio
from typing import Any

from litestar.types import ASGIApp, HTTPDisconnectEvent, HTTPScope, Receive, Send

from tallyroom.core.errors import TallyroomError
from tallyroom.rest.presence import PRESENCE_KEY, Presence

READ_ONLY_OPTION = "asks"
"""For handlers that only read although their method is POST: ``@post(..., asks=True)``."""

_DISCONNECT: HTTPDisconnectEvent = {"type": "http.disconnect"}


async def serve_until_disconnect(app: ASGIApp, scope: HTTPScope, receive: Receive, send: Send) -> bool:
    """Serve a request; if the client leaves and the request only reads, cancel `app` and return True.

    A request that changes something runs to completion, because its effect must not depend on a client's patience; but
    it may report that it has not begun yet, by `Presence.required`.
    """
    message_queue = _MessageQueue(receive, waits_for_app=_expects_continue(scope))
    app_task = asyncio.ensure_future(app(scope, message_queue.receive, send))
    disconnect_task = asyncio.create_task(message_queue.wait_for_disconnect())
    presence = scope.setdefault("state", {})[PRESENCE_KEY] = Presence()
    try:
        await asyncio.wait({app_task, disconnect_task}, return_when=asyncio.FIRST_COMPLETED)
        if not app_task.done():
            presence.leave()
            if _is_read_only(scope):
                app_task.cancel()
            await asyncio.wait({app_task})
            if app_task.cancelled():
                return True
        await app_task
    except asyncio.CancelledError:  # the server stops; the app may still send an ending, such as an export's
        app_task.cancel()
        await app_task
    finally:
        for task in (app_task, disconnect_task):
            task.cancel()
        await asyncio.gather(app_task, disconnect_task, return_exceptions=True)
    return False


class _MessageQueue:
    """Passes messages on one at a time, and notices when the client leaves.

    With `waits_for_app`, nothing is received until the application asks for it, because that tells the client to
    continue.
    """

    def __init__(self, receive: Receive, *, waits_for_app: bool) -> None:
        self._receive = receive
        self._messages: asyncio.Queue[Any] = asyncio.Queue(maxsize=1)  # no more of a body than the app reads
        self._receive_event = asyncio.Event()
        self._has_left = False
        if not waits_for_app:
            self._receive_event.set()

    async def receive(self) -> Any:
        """Return the next message; raises `TallyroomError` if the connection accepts no more of the body."""
        self._receive_event.set()
        message = _DISCONNECT if self._has_left else await self._messages.get()
        if not isinstance(message, TallyroomError):
            return message
        try:
            raise message
        finally:
            del message  # breaks a reference cycle with this frame, which would keep the body

    async def wait_for_disconnect(self) -> None:
        await self._receive_event.wait()
        while (message := await self._receive_next())["type"] != "http.disconnect":
            await self._messages.put(message)
        self._has_left = True
        if self._messages.full():
            self._messages.get_nowait()
        self._messages.put_nowait(_DISCONNECT)

    async def _receive_next(self) -> Any:
        """Return the next message; an error goes to the application, which may still answer it."""
        while True:
            try:
                return await self._receive()
            except TallyroomError as refusal:
                await self._messages.put(refusal)


def _expects_continue(scope: HTTPScope) -> bool:
    return any(name == b"expect" for name, _ in scope["headers"])


def _is_read_only(scope: HTTPScope) -> bool:
    if scope["method"] == "GET":
        return True
    handler: Any = scope.get("route_handler")  # None if routing failed
    return handler is not None and bool(handler.opt.get(READ_ONLY_OPTION))
