"""The application for one request: reading a request that cannot be read to its end raises its refusal."""

from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from tallyroom.core.errors import TallyroomError


class RequestApp:
    """The application, for one request.

    `pop_refusal` returns, once, why the request cannot be read to its end; None while it can. `on_end` is called when
    the application is done with the request.
    """

    def __init__(
        self,
        app: Any,
        cycle: RequestResponseCycle,
        pop_refusal: Callable[[RequestResponseCycle], TallyroomError | None],
        on_end: Callable[[RequestResponseCycle], object],
    ) -> None:
        self._app = app
        self._cycle = cycle
        self._pop_refusal = pop_refusal
        self._on_end = on_end
        self._keep_alive = cycle.keep_alive
        if cycle.waiting_for_100_continue:  # without a 100 Continue, a client may or may not send the body
            cycle.keep_alive = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve the request, as an ASGI application."""
        self._receive = receive
        try:
            await self._app(scope, self._receive_next, send)
        finally:
            self._on_end(self._cycle)

    async def _receive_next(self) -> Any:
        """Return the next message, or raise `TallyroomError` if the request cannot be read to its end."""
        self._raise_refusal()
        if self._cycle.waiting_for_100_continue:  # the client is about to get its 100 Continue
            self._cycle.keep_alive = self._keep_alive
        message = await self._receive()
        self._raise_refusal()
        return message

    def _raise_refusal(self) -> None:
        refusal = self._pop_refusal(self._cycle)
        if refusal is None:
            return
        try:
            raise refusal
        finally:
            del refusal  # breaks the reference cycle with this frame, which would keep the body alive
