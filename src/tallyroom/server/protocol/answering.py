"""Answers the requests of a connection in order (rules/safety#connections).

No request is started for a client that does not read: what it has sent waits, and counts toward no family of routes.
"""

from collections import deque
from typing import Any

from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from tallyroom.core.errors import TallyroomError, Unavailable
from tallyroom.server.protocol.backlog import Backlog
from tallyroom.server.protocol.deadlines import IdleDeadline
from tallyroom.server.protocol.lifetime import Lifetime, is_never_final
from tallyroom.server.protocol.lingering_close import MAX_WASTED_BYTES, LingeringTransport
from tallyroom.server.protocol.parsing import ParseState
from tallyroom.server.protocol.quota_share import QuotaShare
from tallyroom.server.protocol.request_app import RequestApp
from tallyroom.server.protocol.slicing import SlicingProtocol
from tallyroom.server.protocol.stand_ins import ANSWERED_REQUEST

NO_ROOM = "The server is receiving too much at once. Send the request again in a moment."


class AnsweringProtocol(SlicingProtocol):
    """Starts a request when the previous ones are answered, their answers are read, and its family has room for it.

    A `lifetime` of None leaves the end of the connection to the client. `uvicorn` are the arguments of uvicorn's
    connections, and the turns that all connections share.

    Attributes:
        active_cycle: the request that the application is handling.
        is_input_over: whether the client sends nothing more.
        is_lost: whether the client is gone.
        wasted_bytes: the bytes that came after the last answer.
        refusal: the request that cannot be read to its end, and the reason.
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
        """Start the next request, or become idle, once the answer is sent.

        This is uvicorn's method, except for the idle timer and the limit on reading ahead.
        """
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
