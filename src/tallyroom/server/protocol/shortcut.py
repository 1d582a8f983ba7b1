"""The fast path of a connection, for a small request to a hot route while no other is active (docs/decisions/0007)."""

from collections.abc import Callable
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from tallyroom.core.errors import TallyroomError
from tallyroom.rest.answer import MAX_EXCHANGE_BYTES, DirectHandler, Header, HttpAnswer, build_headers
from tallyroom.server.protocol.answering import EventStandIn
from tallyroom.server.protocol.backlog import Backlogs
from tallyroom.server.protocol.connection import BoundedProtocol
from tallyroom.server.protocol.direct_routes import DirectRoutes, KnownHead
from tallyroom.server.protocol.fair_turns import ChunkTurns
from tallyroom.server.protocol.lifetime import Lifetime
from tallyroom.server.protocol.memory_quota import Allowance
from tallyroom.server.protocol.parsing import ParseState

MAX_BODY_REST_SECONDS = 0.1  # how long the fast path waits for the rest of a body; the usual path handles slow ones


class ShortcutProtocol(BoundedProtocol):
    """A connection with a fast path for `routes`."""

    def __init__(
        self,
        routes: DirectRoutes,
        allowance: Allowance,
        backlogs: Backlogs,
        turns: ChunkTurns,
        lifetime: Lifetime | None = None,
        **uvicorn: Any,
    ) -> None:
        super().__init__(allowance, backlogs, lifetime, turns=turns, **uvicorn)
        self._routes = routes
        self._new_head: KnownHead | None = None  # of the newest request that a handler has accepted
        self._waiting_handler: DirectHandler | None = None  # set while the body of its request is incomplete
        self._is_kept_alive = True
        self._body: bytes | bytearray = b""

    def set_next_deadline(self) -> None:
        """Set the deadline for what has to arrive next; on the fast path, it is short."""
        if self._waiting_handler is None:
            super().set_next_deadline()
        elif self.expect_100_continue:
            self._leave_shortcut()
        else:
            self.deadline.start(MAX_BODY_REST_SECONDS, self._leave_shortcut)

    def refuse(self, error: TallyroomError) -> None:
        """Stop reading; the application refuses a request that waits for the rest of its body."""
        if self._waiting_handler is not None and not self.transport.is_closing():
            self._leave_shortcut()
        super().refuse(error)

    def receive_data(self, data: bytes) -> None:
        """Parse incoming data, unless it is a whole request whose head is known."""
        if self.parse_state is not ParseState.BETWEEN or self.unparsed.data or not self.is_idle:
            super().receive_data(data)
            return
        head = self._routes.find_head(data)
        if head is not None and self._repeat(head, data):
            return
        self._pop_new_head()  # of an earlier piece
        super().receive_data(data)
        if (new_head := self._pop_new_head()) is not None:
            self._routes.remember_head(data, new_head)

    def begin_request(self) -> None:
        """Start the request, or wait for the rest of it on the fast path."""
        handler = self._routes.find_handler(self.parser.get_method(), self.url)
        # A client that does not read its answers takes the usual path, which waits for it.
        if handler is None or not self.is_idle or self.flow.write_paused:
            super().begin_request()
        else:
            self._waiting_handler, self._body = handler, b""
            self._is_kept_alive = self.parser.get_http_version() != "1.0" and self.parser.should_keep_alive()

    def receive_body(self, body: bytes) -> None:
        """Receive a piece of the body."""
        if self._waiting_handler is None:
            super().receive_body(body)
            return
        self.body_bytes += len(body)
        if not self._body:
            self._body = body
        elif isinstance(self._body, bytearray):
            self._body += body
        else:
            self._body = bytearray(self._body) + body
        if self.body_bytes > MAX_EXCHANGE_BYTES:
            self._leave_shortcut()

    def end_request(self) -> None:
        """Finish the request after all of it has arrived."""
        if self._waiting_handler is None:
            super().end_request()
        else:
            head = KnownHead(self._waiting_handler, self.url, self.headers, self.body_bytes, self._is_kept_alive)
            if self._answer_directly(head.handler):
                self._new_head = head
            else:
                self._leave_shortcut()
                super().end_request()

    def _pop_new_head(self) -> KnownHead | None:
        head, self._new_head = self._new_head, None
        return head

    def _repeat(self, head: KnownHead, data: bytes) -> bool:
        """Answer a request as if its head had been parsed; return False, with nothing done, if the handler declines."""
        if self.flow.write_paused or not self.share.join_family(head.url):
            return False
        self.request_start = self.parsed_bytes
        self.parsed_bytes += len(data)
        self.url, self.headers, self._is_kept_alive = head.url, head.headers, head.is_kept_alive
        self._body = data[len(data) - head.body_bytes :]
        if self._answer_directly(head.handler):
            return True
        self.parsed_bytes, self._body = self.request_start, b""
        return False

    def _answer_directly(self, handler: DirectHandler) -> bool:
        headers, body, is_kept_alive = self.headers, bytes(self._body), self._is_kept_alive and not self.is_final()
        previous_cycle, exchange = self.cycle, _Exchange(self, is_kept_alive, headers, body)
        self.cycle = self.active_cycle = exchange  # type: ignore[assignment] # has all that the connection asks of it
        if not handler(exchange):
            self.cycle, self.active_cycle = previous_cycle, None
            return False
        self._waiting_handler, self._body = None, b""
        return True

    def _leave_shortcut(self) -> None:
        body, self._waiting_handler, self._body = bytes(self._body), None, b""
        super().begin_request()
        if body:
            self.body_bytes = 0  # they are counted again below
            super().receive_body(body)
        if self.parse_state is ParseState.BODY:
            super().set_next_deadline()


class _Exchange:
    """A request on the fast path; to the connection, it looks like uvicorn's own request-response cycle."""

    message_event: Final = EventStandIn

    def __init__(self, connection: ShortcutProtocol, keep_alive: bool, headers: list[Header], body: bytes) -> None:  # noqa: FBT001 # as uvicorn has it
        self._connection = connection
        self.client = connection.client[0] if connection.client else ""
        self.headers = headers
        self.body = body
        self.request_id = ""
        self.on_answer: Callable[[int], object] = int  # a no-op that accepts a number
        self.keep_alive = keep_alive
        self.disconnected = False
        self.response_complete = False

    def answer(self, answer: HttpAnswer) -> None:
        """Send the answer, and let the connection continue with its next request."""
        connection = self._connection
        if self.disconnected or connection.transport.is_closing():
            connection.note_served(self)  # type: ignore[arg-type] # as above
            return
        headers = [*connection.server_state.default_headers, *build_headers(answer)]
        if not self.keep_alive:
            headers.append((b"connection", b"close"))
        headers_and_body = b"\r\n".join([*map(b": ".join, headers), b"", answer.body])
        connection.backlog.write(STATUS_LINE[answer.status] + headers_and_body)
        self.response_complete = True
        self.on_answer(answer.status)
        if not self.keep_alive:
            connection.close()
        connection.on_response_complete()
