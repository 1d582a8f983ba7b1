"""Ends the work for a client that has left, so that the event store serves others."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from litestar.types import ASGIApp, HTTPDisconnectEvent, HTTPScope, Receive, Send

from tallyroom.core.errors import TallyroomError

READ_ONLY_OPTION = "asks"  # for handlers that only read although their method is POST: ``@post(..., asks=True)``
_DISCONNECT: HTTPDisconnectEvent = {"type": "http.disconnect"}


PRESENCE_KEY = "presence"  # the key of the `Presence` in the state of a request


class Presence:
    """The presence of one client; used on one event loop."""

    def __init__(self) -> None:
        self._has_left = False
        self._dependent_tasks: set[asyncio.Task[Any]] = set()

    def leave(self) -> None:
        """Record that the client has left, and cancel every task that requires it."""
        self._has_left = True
        for task in self._dependent_tasks:
            task.cancel()

    @contextmanager
    def cancel_on_leave(self) -> Iterator[None]:
        """Cancel the current task if the client leaves during a block, or has left before."""
        task = asyncio.current_task()
        if self._has_left or task is None:
            raise asyncio.CancelledError
        self._dependent_tasks.add(task)
        try:
            yield
        finally:
            self._dependent_tasks.discard(task)


async def serve_until_disconnect(app: ASGIApp, scope: HTTPScope, receive: Receive, send: Send) -> bool:
    """Serve a request; if the client leaves and the request only reads, cancel `app` and return True.

    A request that changes something completes, unless it has not begun (`Presence.cancel_on_leave`).
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
    """Passes messages on one at a time, and notices when the client leaves; `waits_for_app` defers a 100 Continue."""

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
