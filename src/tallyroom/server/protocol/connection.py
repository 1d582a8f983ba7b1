"""A connection that limits what its client may send ahead, how much of it is held, and how long the client may take."""

import asyncio
from typing import Any

from tallyroom.core.errors import RequestTimeout, TallyroomError, Unavailable
from tallyroom.rest.body_limits import SMALL_BODY_BYTES
from tallyroom.server.protocol import deadlines
from tallyroom.server.protocol.answering import NO_ROOM, AnsweringProtocol
from tallyroom.server.protocol.backlog import Backlogs
from tallyroom.server.protocol.deadlines import IdleDeadline, SilenceDeadline
from tallyroom.server.protocol.head import find_content_length
from tallyroom.server.protocol.lifetime import Lifetime
from tallyroom.server.protocol.lingering_close import MAX_WASTED_BYTES, build_raw_refusal
from tallyroom.server.protocol.memory_quota import Allowance
from tallyroom.server.protocol.parsing import ParseState
from tallyroom.server.protocol.pipelining import Flow
from tallyroom.server.protocol.quota_share import QuotaShare


class BoundedProtocol(AnsweringProtocol):
    """Accepts requests in order, in time, and within the allowance; the arguments are as in `ShortcutProtocol`."""

    def __init__(
        self, allowance: Allowance, backlogs: Backlogs, lifetime: Lifetime | None = None, **uvicorn: Any
    ) -> None:
        super().__init__(QuotaShare(allowance, self._give_way), lifetime, **uvicorn)
        self._backlogs = backlogs
        self._is_long_body = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Start the deadline for the first head."""
        super().connection_made(transport)
        self.backlog = self._backlogs.open_backlog(transport)
        self.flow = Flow(transport, self.backlog.note_growth)
        self._silence_deadline = SilenceDeadline(self.loop, self.backlog, self.flow, transport.close)
        self.idle_deadline = IdleDeadline(self.loop, self.timeout_keep_alive, self._is_resting, transport.close)
        self.set_next_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all timers, and report the loss to a request that is still being answered."""
        self.parse_state, self.is_lost = ParseState.OVER, True
        self.deadline.stop()
        self._silence_deadline.stop()
        self.idle_deadline.stop()
        self.backlog.end(exc)
        self.unparsed.clear()
        self.refusal = None
        self.pipeline.clear()
        if self.active_cycle is not None:
            self.active_cycle.disconnected = True
            self.active_cycle.message_event.set()
        super().connection_lost(exc)
        if self.active_cycle is None:
            self.share.release_all()

    def data_received(self, data: bytes) -> None:
        """Accept the data if there is room for it; otherwise refuse the request."""
        if self.parse_state is ParseState.OVER:
            self._count_wasted_bytes(len(data))
        elif not self.share.hold_piece(data):
            self.refuse(Unavailable(NO_ROOM))
        else:
            self.receive_data(data)
            if self.parse_state is ParseState.HEAD and self.is_idle:
                self.share.count_as_head()

    def eof_received(self) -> bool:  # type: ignore[override] # uvicorn's never keeps the connection
        """Note that the client sends nothing more; return whether it may still wait for an answer."""
        is_broken_off = self.parse_state is ParseState.BODY and self.active_cycle is self.cycle
        self.is_input_over = (self.active_cycle is not None or bool(self.pipeline)) and not is_broken_off
        if self.is_input_over:
            self._silence_deadline.start()
        return self.is_input_over

    def set_next_deadline(self) -> None:
        """Set the deadline for what has to arrive next."""
        if self.parse_state is ParseState.HEAD:
            self.deadline.start(deadlines.HEAD_SECONDS, self._on_deadline)
            return
        self._is_long_body = (find_content_length(self.headers) or 0) > SMALL_BODY_BYTES
        self.deadline.start(
            deadlines.BODY_SECONDS if self._is_long_body else deadlines.SMALL_BODY_SECONDS, self._on_deadline
        )

    def refuse(self, error: TallyroomError) -> None:
        """Stop reading, and refuse the incomplete request after the previous ones are answered."""
        if self.transport.is_closing():
            return
        release_position = self.parsed_bytes - self.head_bytes
        parse_state, self.parse_state = self.parse_state, ParseState.OVER
        self.deadline.stop()
        self.unparsed.clear()
        if self.is_idle:
            if parse_state is not ParseState.LEFTOVER:
                self.backlog.write(build_raw_refusal(error))
            self.close()
            return
        self.cycle.keep_alive = False
        if parse_state is ParseState.BODY:
            self.refusal = (self.cycle, error)
            release_position -= len(self.cycle.body)
            self.cycle.body.clear()
            self.cycle.message_event.set()
        else:
            self.headers, self.url = [], b""
        self.share.release_from(release_position)
        if parse_state is ParseState.BODY and self.active_cycle is self.cycle:
            self.share.count_as_refused()

    def close(self) -> None:
        """Close the connection after the last answer; a client that may still be sending gets time to read it."""
        if self.transport.is_closing():
            return
        if self.is_input_over or (self.parse_state is ParseState.BETWEEN and not self.unparsed.data):
            self.transport.close()
            return
        self.parse_state = ParseState.OVER
        self.unparsed.clear()
        self.share.release_all()
        self.wasted_bytes = 0
        self.deadline.start(deadlines.LINGER_SECONDS, self.transport.close)
        self.transport.write_eof()
        self.flow.release()

    def receive_body(self, body: bytes) -> None:
        """Receive a piece of the body; the rest of an already answered request's body is discarded."""
        if self.parse_state is ParseState.LEFTOVER:
            self.share.release_before(self.parsed_bytes)
            self._count_wasted_bytes(len(body))
        super().receive_body(body)

    def _give_way(self) -> bool:
        if self.transport.is_closing():
            return False
        if self.flow.write_paused and (self.active_cycle is None or self.share.is_of_strangers):
            self.backlog.drop()
            self.share.count_as_refused()
            return True
        is_between = self.parse_state is ParseState.BETWEEN and bool(self.unparsed.data)
        is_arriving = is_between or self.parse_state in {ParseState.HEAD, ParseState.BODY}
        if is_arriving:
            self.refuse(Unavailable(NO_ROOM))
        return is_arriving

    def _count_wasted_bytes(self, byte_count: int) -> None:
        self.wasted_bytes += byte_count
        if self.wasted_bytes > MAX_WASTED_BYTES:
            (self.transport.close if self.is_idle else self.flow.hold)()

    def _on_deadline(self) -> None:
        """Refuse what did not arrive in time, unless reading was paused or the body turned out to be a long one."""
        if self.flow.read_paused:
            self.set_next_deadline()
        elif self.request_start < 0 or self.parse_state is ParseState.LEFTOVER:
            self.transport.close()
        elif self.parse_state is ParseState.HEAD:
            self.refuse(RequestTimeout(f"The headers did not arrive within {deadlines.HEAD_SECONDS:g} seconds."))
        elif self._is_long_body or self.body_bytes <= SMALL_BODY_BYTES:
            seconds = deadlines.BODY_SECONDS if self._is_long_body else deadlines.SMALL_BODY_SECONDS
            self.refuse(RequestTimeout(f"The body did not arrive within {seconds:g} seconds."))
        else:
            self._is_long_body = True
            self.deadline.start(deadlines.BODY_SECONDS - deadlines.SMALL_BODY_SECONDS, self._on_deadline)

    def _is_resting(self) -> bool:
        return self.is_idle and self.parse_state is ParseState.BETWEEN and not self.backlog.waiting_bytes
