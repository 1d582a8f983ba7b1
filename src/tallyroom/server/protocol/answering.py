"""Answers the requests of a connection in order, and only to clients that read (rules/safety#connections)."""

from collections import deque
from collections.abc import Callable
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from tallyroom.core.errors import TallyroomError, Unavailable
from tallyroom.server.protocol.backlog import Backlog
from tallyroom.server.protocol.deadlines import IdleDeadline
from tallyroom.server.protocol.lifetime import Lifetime, is_never_final
from tallyroom.server.protocol.lingering_close import MAX_WASTED_BYTES, LingeringTransport
from tallyroom.server.protocol.parsing import ParseState
from tallyroom.server.protocol.quota_share import QuotaShare
from tallyroom.server.protocol.slicing import SlicingProtocol

NO_ROOM = "The server is receiving too much data at once. Try again shortly."


class EventStandIn:
    """Replaces the event with which uvicorn wakes a request's task, if there is no task."""

    @staticmethod
    def set() -> None:
        """Do nothing."""


class RequestStandIn:
    """Replaces the last answered request, which uvicorn would keep, so that an idle connection frees its bytes."""

    response_complete: Final = True
    message_event: Final = EventStandIn


ANSWERED_REQUEST: Final = RequestStandIn()


class AnsweringProtocol(SlicingProtocol):
    """Starts a request when the previous ones are answered, their answers are read, and its family has room for it.

    `refusal` is the request that cannot be read to its end, and the reason. `wasted_bytes` came after the last answer.
    """

    backlog: Backlog
    idle_deadline: IdleDeadline

    def __init__(self, share: QuotaShare, lifetime: Lifetime | None, **uvicorn: Any) -> None:
        super().__init__(**uvicorn)
        self.is_final = lifetime.start_connection(self.loop) if lifetime else is_never_final
        self.share = share
        self.active_cycle: RequestResponseCycle | None = None
        self.refusal: tuple[RequestResponseCycle, TallyroomError] | None = None
        self.is_input_over = self.is_lost = False
        self.wasted_bytes = 0
        self._queued_starts: deque[tuple[int, bytes]] = deque()  # of the requests in `pipeline`, with their targets

    def close(self) -> None:
        """Close the connection after the last answer."""
        raise NotImplementedError

    def on_headers_complete(self) -> None:
        """Count incoming bytes toward the request's family, or refuse the request if the family has no room."""
        if self.is_idle and self.flow.write_paused:
            self.share.count_as_head()
        elif self.is_idle and not self.share.join_family(self.url):
            self.refuse_head(Unavailable(NO_ROOM))
        super().on_headers_complete()

    def begin_request(self) -> None:
        """Start the request whose head is complete, or queue it behind others and stop reading."""
        super().begin_request()
        if self.pipeline:
            self._queued_starts.appendleft((self.request_start, self.url))
            self.flow.hold()

    def on_response_complete(self) -> None:
        """Start the next request, or become idle, once the answer is sent; replaces uvicorn's method."""
        self.server_state.total_requests += 1
        self.active_cycle = None
        if self.transport.is_closing():
            return
        self.idle_deadline.start()
        if self.pipeline:
            self._begin_queued()
        elif self.is_input_over and not self.unparsed.data:
            self.transport.close()
        else:
            self._release_answered()
        self._continue_reading()

    def resume_writing(self) -> None:
        """Continue after the client has taken most of its answers."""
        super().resume_writing()
        if self.pipeline and self.active_cycle is None and not self.transport.is_closing():
            self._begin_queued()
            self._continue_reading()

    def note_served(self, cycle: RequestResponseCycle) -> None:
        """Note that the application is done with a request, whose body it held even if the client was gone."""
        if self.active_cycle is cycle:
            self.active_cycle = None
        if self.is_lost:
            self.share.release_all()

    def _begin_queued(self) -> None:
        """Start the next request, or refuse it and all behind it if its family has no room."""
        start_position, target = self._queued_starts[-1]
        if self.flow.write_paused:
            self.share.release_to_next_head(start_position)
            return
        self._queued_starts.pop()
        cycle, app = self.pipeline.pop()
        self.share.release_before(start_position)
        if self.share.join_family(target):
            self._start_asgi_task(cycle, app)
        else:
            self.pipeline.clear()
            self._queued_starts.clear()
            self.cycle = ANSWERED_REQUEST  # type: ignore[assignment] # as in `_release_answered`
            self.refuse(Unavailable(NO_ROOM))

    def _continue_reading(self) -> None:
        if self.unparsed.data:
            self.parse_unparsed()
        if self.flow.read_paused and not self.pipeline and not self.unparsed.data:
            self.flow.release()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        if self.flow.write_paused:  # no request is started for a client that does not read
            self.pipeline.appendleft((cycle, app))
            return
        self.active_cycle = cycle
        cycle.keep_alive = cycle.keep_alive and not self.is_final()
        cycle.transport = LingeringTransport(self.transport, self.backlog.write, self.close)  # type: ignore[assignment] # has all that is used of it
        super()._start_asgi_task(cycle, RequestApp(app, cycle, self._pop_refusal, self.note_served))

    def _pop_refusal(self, cycle: RequestResponseCycle) -> TallyroomError | None:
        if self.refusal is None or self.refusal[0] is not cycle:
            return None
        (_, error), self.refusal = self.refusal, None
        return error

    def _release_answered(self) -> None:
        self.cycle = ANSWERED_REQUEST  # type: ignore[assignment] # has all that is used of it
        is_next_head = self.parse_state is ParseState.HEAD
        self.share.release_to_next_head(self.request_start if is_next_head else self.parsed_bytes)
        if is_next_head:
            return
        if self.parse_state is ParseState.BODY:
            self.parse_state, self.wasted_bytes = ParseState.LEFTOVER, 0
            if self.remaining_body_bytes > MAX_WASTED_BYTES:
                self.close()
        self.headers, self.url = [], b""
        self.scope = None  # type: ignore[assignment] # as before the first request


class RequestApp:
    """The application, for one request; `pop_refusal` returns, once, why it cannot be read to its end."""

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
