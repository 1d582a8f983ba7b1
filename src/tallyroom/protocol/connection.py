"""A connection that bounds what its client may send ahead, how much of that is held, and how long the client may take.

Whenever it is the client's turn, a deadline runs. What it sends counts toward a common allowance until it is answered.
"""

import asyncio
import logging
from collections import deque
from typing import Any

from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from tallyroom.core.errors import RequestTimeout, TallyroomError, Unavailable
from tallyroom.protocol import deadlines
from tallyroom.protocol.allowance import Allowance
from tallyroom.protocol.backlog import Backlogs
from tallyroom.protocol.deadlines import RestDeadline, SilenceDeadline
from tallyroom.protocol.ending import MOST_WASTED_BYTES, LingeringTransport, whole_refusal
from tallyroom.protocol.head import content_length
from tallyroom.protocol.lifetime import Lifetime, endless
from tallyroom.protocol.parsing import ParseState
from tallyroom.protocol.pipelining import Flow
from tallyroom.protocol.request_app import RequestApp
from tallyroom.protocol.slicing import SlicingProtocol
from tallyroom.protocol.stand_ins import ANSWERED
from tallyroom.rest.body_limits import SMALL_BODY_BYTES

_NO_ROOM = "The server is receiving too much at once. Send the request again in a moment."

_log = logging.getLogger(__name__)


class BoundedProtocol(SlicingProtocol):
    """Takes requests in order, in time, and within the allowance.

    Args:
        allowance: the bytes that all connections together may hold.
        backlogs: what all connections have written and their clients have not taken.
        lifetime: how long this one may go on; None for as long as its client likes.
        uvicorn: the arguments that uvicorn gives every connection, and the turns that all connections share.
    """

    def __init__(
        self, allowance: Allowance, backlogs: Backlogs, lifetime: Lifetime | None = None, **uvicorn: Any
    ) -> None:
        super().__init__(**uvicorn)
        self.is_final = lifetime.begin(self.loop) if lifetime else endless
        self.answering: RequestResponseCycle | None = None
        self._share = allowance.share(self._give_way)
        self._backlogs = backlogs
        self._starts: deque[int] = deque()  # of the requests in `pipeline`
        self._refused: tuple[RequestResponseCycle, TallyroomError] | None = None
        self._is_long = self._is_lost = self._is_last = False  # `_is_last`: the client sends nothing more
        self._wasted_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Start the deadline for the first head of a client that has connected."""
        super().connection_made(transport)
        self.backlog = self._backlogs.begin(transport)
        self.flow = Flow(transport, self.backlog.grow)
        self._silence = SilenceDeadline(self.loop, self.backlog, self.flow, transport.close)
        self._rest = RestDeadline(self.loop, self.timeout_keep_alive, self._rests, transport.close)
        self.watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all timers, and tell a request that is still being answered that its client is gone."""
        if exc is not None:
            _log.info("a client broke off", extra={"reason": str(exc)})
        self.parse_state, self._is_lost = ParseState.OVER, True
        self.deadline.stop()
        self._silence.stop()
        self._rest.stop()
        self.backlog.end()
        self.unparsed.clear()
        self._refused = None
        self.pipeline.clear()
        if self.answering is not None:
            self.answering.disconnected = True
            self.answering.message_event.set()
        super().connection_lost(exc)
        if self.answering is None:
            self._share.give_back_all()

    def data_received(self, data: bytes) -> None:
        """Take the data if there is room for it; otherwise refuse the request."""
        if self.parse_state is ParseState.OVER:
            self._waste(len(data))
        elif not self._share.take_piece(data):
            self.refuse(Unavailable(_NO_ROOM))
        else:
            self.take_in(data)
            if self.parse_state is ParseState.HEAD:
                self._share.wait_for_head()

    def eof_received(self) -> bool:  # type: ignore[override] # uvicorn's never keeps the connection
        """Note that the client sends nothing more; it may have left, or may wait for answers to complete requests.

        Returns:
            Whether the connection stays open, which it does while a complete request is being answered.
        """
        is_broken_off = self.parse_state is ParseState.BODY and self.answering is self.cycle
        self._is_last = self.answering is not None and not is_broken_off
        if self._is_last:
            self._silence.begin()
        return self._is_last

    def watch(self) -> None:
        """Set the deadline for what has to arrive next."""
        if self.parse_state is ParseState.HEAD:
            self.deadline.set(deadlines.HEAD_SECONDS, self._be_late)
            return
        self._is_long = (content_length(self.headers) or 0) > SMALL_BODY_BYTES
        self.deadline.set(deadlines.BODY_SECONDS if self._is_long else deadlines.SMALL_BODY_SECONDS, self._be_late)

    def refuse(self, error: TallyroomError) -> None:
        """Read nothing more, and refuse what cannot be read to its end, after answering the requests before it."""
        if self.transport.is_closing():
            return
        parse_state, self.parse_state = self.parse_state, ParseState.OVER
        self.deadline.stop()
        self.unparsed.clear()
        if self.is_idle:
            if parse_state is not ParseState.LEFTOVER:
                self.backlog.write(whole_refusal(error))
            self.close()
            return
        self.cycle.keep_alive = False
        if parse_state is ParseState.BODY:
            self._refused = (self.cycle, error)
            self.cycle.message_event.set()

    def close(self) -> None:
        """Close the connection after the last answer; a client that may still be sending gets time to read it."""
        if self.transport.is_closing():
            return
        if self._is_last or (self.parse_state is ParseState.BETWEEN and not self.unparsed.data):
            self.transport.close()
            return
        self.parse_state = ParseState.OVER
        self.unparsed.clear()
        self._share.give_back_all()
        self._wasted_bytes = 0
        self.deadline.set(deadlines.LINGER_SECONDS, self.transport.close)
        self.transport.write_eof()
        self.flow.release()

    def on_headers_complete(self) -> None:
        """Count what arrives toward the family of the request."""
        self._share.begin(self.url)
        super().on_headers_complete()

    def begin_request(self) -> None:
        """Start the request whose head is complete, or queue it behind others and then read nothing more."""
        super().begin_request()
        if self.pipeline:
            self._starts.appendleft(self.start)
            self.flow.hold()

    def take_body(self, body: bytes) -> None:
        """Take a piece of the body; the rest of a body whose request is already answered is thrown away."""
        if self.parse_state is ParseState.LEFTOVER:
            self._share.give_back_to(self.parsed_bytes)
            self._waste(len(body))
        super().take_body(body)

    def on_response_complete(self) -> None:
        """Begin the next request, or a rest, once the answer is sent.

        This is uvicorn's method, except for the timer of the rest and the bound on what is read ahead.
        """
        self.server_state.total_requests += 1
        self.answering = None
        if self.transport.is_closing():
            return
        self._rest.begin()
        if self.pipeline:
            self._share.give_back_to(self._starts.pop())
            self._start_asgi_task(*self.pipeline.pop())
        elif self._is_last and not self.unparsed.data:
            self.transport.close()
        else:
            self._forget()
        if self.unparsed.data:
            self.parse_on()
        if self.flow.read_paused and not self.pipeline and not self.unparsed.data:
            self.flow.release()

    def served(self, cycle: RequestResponseCycle) -> None:
        """Note that the application is done with a request, which held its body even if the client was gone."""
        if self.answering is cycle:
            self.answering = None
        if self._is_lost:
            self._share.give_back_all()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self.answering = cycle
        cycle.keep_alive = cycle.keep_alive and not self.is_final()
        cycle.transport = LingeringTransport(self.transport, self.backlog.write, self.close)  # type: ignore[assignment] # has all that is used of it
        super()._start_asgi_task(cycle, RequestApp(app, cycle, self._refusal_of, self.served))

    def _refusal_of(self, cycle: RequestResponseCycle) -> TallyroomError | None:
        if self._refused is None or self._refused[0] is not cycle:
            return None
        (_, refusal), self._refused = self._refused, None
        return refusal

    def _forget(self) -> None:
        """Let go of everything that is answered."""
        self.cycle = ANSWERED  # type: ignore[assignment] # has all that is used of it
        is_next_head = self.parse_state is ParseState.HEAD
        self._share.rest(self.start if is_next_head else self.parsed_bytes)
        if is_next_head:
            return
        if self.parse_state is ParseState.BODY:
            self.parse_state, self._wasted_bytes = ParseState.LEFTOVER, 0
            if self.body_left > MOST_WASTED_BYTES:
                self.close()
        self.headers, self.url = [], b""
        self.scope = None  # type: ignore[assignment] # as before the first request

    def _give_way(self) -> bool:
        is_arriving = self.parse_state in {ParseState.HEAD, ParseState.BODY} and not self.transport.is_closing()
        if is_arriving:
            self.refuse(Unavailable(_NO_ROOM))
        return is_arriving

    def _waste(self, size: int) -> None:
        self._wasted_bytes += size
        if self._wasted_bytes > MOST_WASTED_BYTES:
            (self.transport.close if self.is_idle else self.flow.hold)()

    def _be_late(self) -> None:
        """Refuse what did not arrive in time, unless reading was paused or the body turned out to be a long one."""
        if self.flow.read_paused:
            self.watch()
        elif self.start < 0 or self.parse_state is ParseState.LEFTOVER:
            self.transport.close()
        elif self.parse_state is ParseState.HEAD:
            self.refuse(RequestTimeout(f"The head did not arrive within {deadlines.HEAD_SECONDS:g} seconds."))
        elif self._is_long or self.body_bytes <= SMALL_BODY_BYTES:
            seconds = deadlines.BODY_SECONDS if self._is_long else deadlines.SMALL_BODY_SECONDS
            self.refuse(RequestTimeout(f"The body did not arrive within {seconds:g} seconds."))
        else:
            self._is_long = True
            self.deadline.set(deadlines.BODY_SECONDS - deadlines.SMALL_BODY_SECONDS, self._be_late)

    def _rests(self) -> bool:
        return self.is_idle and self.parse_state is ParseState.BETWEEN and not self.backlog.waiting
