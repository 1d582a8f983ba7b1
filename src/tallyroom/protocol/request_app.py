"""A request as the application meets it: one that cannot be read to its end refuses itself when it is read."""

from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from tallyroom.core.errors import TallyroomError


class RequestApp:
    """The application, for one request.

    Args:
        app: the application.
        cycle: the request.
        refusal: why the request cannot be read to its end, told once; None as long as it can.
        at_end: called when the application is done with the request.
    """

    def __init__(
        self,
        app: Any,
        cycle: RequestResponseCycle,
        refusal: Callable[[RequestResponseCycle], TallyroomError | None],
        at_end: Callable[[RequestResponseCycle], object],
    ) -> None:
        self._app = app
        self._cycle = cycle
        self._refusal = refusal
        self._at_end = at_end
        self._keep_alive = cycle.keep_alive
        if cycle.waiting_for_100_continue:  # nobody knows whether a client that is never told to go on sends the body
            cycle.keep_alive = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve it, as an ASGI application."""
        self._receive = receive
        try:
            await self._app(scope, self._next, send)
        finally:
            self._at_end(self._cycle)

    async def _next(self) -> Any:
        """The next message.

        Raises:
            TallyroomError: there is none that belongs to the body.
        """
        self._tell()
        if self._cycle.waiting_for_100_continue:  # which it is about to be told
            self._cycle.keep_alive = self._keep_alive
        message = await self._receive()
        self._tell()
        return message

    def _tell(self) -> None:
        refusal = self._refusal(self._cycle)
        if refusal is None:
            return
        try:
            raise refusal
        finally:
            del refusal  # or else it would hold this frame, and this frame it, and both the body
