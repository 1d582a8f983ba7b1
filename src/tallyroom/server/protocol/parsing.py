"""Parses the bytes of a connection into requests: nothing grows without limit or is ambiguous."""

from enum import Enum, auto
from typing import Any, Final

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from tallyroom.core.errors import TallyroomError, ValidationFailed
from tallyroom.server.protocol.chunks import TOO_SMALL, UNKNOWN_CODING, has_small_chunks, join_transfer_codings
from tallyroom.server.protocol.deadlines import Deadline
from tallyroom.server.protocol.head import (
    MAX_HEAD_BYTES,
    TOO_LARGE,
    build_head_without_offer,
    find_content_length,
    is_head_too_large,
)

_WHITE_SPACE: Final = b" \t"
_VERSIONS: Final = {"1.0", "1.1"}


class _Refused(ValueError):
    """The client's bytes are refused; the text is the reason."""


class ParseState(Enum):
    """Which part of a request the next bytes belong to."""

    HEAD = auto()
    BODY = auto()
    LEFTOVER = auto()  # the rest of a body whose request is already answered
    BETWEEN = auto()
    OVER = auto()  # nothing more is read


class ParsingProtocol(HttpToolsProtocol):
    """The reading side of uvicorn's connection: limited, ignoring trailers and upgrade offers."""

    def __init__(self, **uvicorn: Any) -> None:
        self._body_runs: list[bytes] = []
        self.on_body = self._body_runs.append  # type: ignore[assignment] # a frame for each chunk costs tenfold
        super().__init__(**uvicorn)
        self.is_chunked = False
        self.headers = []
        self.parse_state = ParseState.HEAD
        self.deadline = Deadline(self.loop)
        self.body_bytes = 0
        self.parsed_bytes = 0
        self.request_start = -1  # the number of bytes parsed before the piece in which the newest request begins
        self._refusal: TallyroomError | None = None
        self._piece_start = self._piece_bytes = 0
        self.head_bytes = 0  # the size of an incomplete head, without the piece in which it began
        self._body_start = 0  # bytes parsed up to the end of the piece in which the head ended
        self._framing_bytes = 0  # bytes of a chunked body that are not data

    @property
    def remaining_body_bytes(self) -> int:
        """The number of bytes of the body still to come; 0 if there is no body or its length is not stated."""
        is_reading_body = self.parse_state is ParseState.BODY or self.parse_state is ParseState.LEFTOVER
        content_length = find_content_length(self.headers) if is_reading_body else None
        return 0 if content_length is None else content_length - self.body_bytes

    def parse(self, piece: bytes | memoryview) -> None:
        """Feed the parser, and refuse anything that grows without limit."""
        self._piece_start, self._piece_bytes = self.parsed_bytes, len(piece)
        self.parsed_bytes += len(piece)
        earlier_body_bytes = self.body_bytes
        try:
            try:
                self.parser.feed_data(piece)
            except httptools.HttpParserUpgrade as offer:
                self._parse_after_offer(offer, piece)
        except httptools.HttpParserError:
            self._body_runs.clear()
            self.refuse(self._refusal or ValidationFailed("This is not an HTTP request."))
            return
        if self._body_runs:
            self._receive_body_runs()
        if self.is_chunked and self._piece_start >= self._body_start:
            self._framing_bytes += len(piece) - (self.body_bytes - earlier_body_bytes)
        if self.parse_state is not ParseState.BETWEEN:
            self._check_growth()

    def charge_runs(self, run_count: int) -> None:
        """Note that a body came in `run_count` runs of bytes, at least one for each chunk."""
        raise NotImplementedError

    def set_next_deadline(self) -> None:
        """Set the deadline for what has to arrive next."""
        raise NotImplementedError

    def refuse(self, error: TallyroomError) -> None:
        """Stop reading, and refuse the request."""
        raise NotImplementedError

    def begin_request(self) -> None:
        """Start the request whose head is complete; only here, because the fast path needs no scope."""
        url, headers, expect_100_continue = self.url, self.headers, self.expect_100_continue
        super().on_message_begin()
        self.url, self.headers, self.expect_100_continue = url, headers, expect_100_continue
        self.scope["headers"] = headers
        super().on_headers_complete()

    def end_request(self) -> None:
        """Finish the request after all of it has arrived."""
        super().on_message_complete()

    def on_message_begin(self) -> None:
        """Prepare for another request."""
        self.parse_state, self.request_start = ParseState.HEAD, self._piece_start
        self.head_bytes = self._framing_bytes = self.body_bytes = 0
        self.url, self.headers, self.expect_100_continue = b"", [], False

    def on_header(self, name: bytes, value: bytes) -> None:
        """Record a header; ignore a trailer, as nothing may rely on it."""
        if self.parse_state is ParseState.HEAD:
            self.headers.append((name.lower(), value.rstrip(_WHITE_SPACE)))

    def on_headers_complete(self) -> None:
        """Check the complete head, and start the request unless its head must be parsed again without an offer."""
        if is_head_too_large(self.headers, self.parsed_bytes - self.request_start):
            self.refuse_head(ValidationFailed(TOO_LARGE))
        version = self.parser.get_http_version()
        if version not in _VERSIONS:
            self.refuse_head(ValidationFailed("Only HTTP/1.0 and HTTP/1.1 are supported."))
        header_names = [name for name, _ in self.headers]
        host_count = header_names.count(b"host")
        if host_count > 1 or (host_count == 0 and version != "1.0"):  # RFC 9112, 3.2
            self.refuse_head(ValidationFailed("A request must have exactly one Host header."))
        self.is_chunked = b"transfer-encoding" in header_names
        if self.is_chunked and join_transfer_codings(self.headers) != b"chunked":
            self.refuse_head(ValidationFailed(UNKNOWN_CODING))
        if b"expect" in header_names:
            self.expect_100_continue = (b"expect", b"100-continue") in [(n, value.lower()) for n, value in self.headers]
        self.parse_state = ParseState.BODY
        self.head_bytes, self._body_start = 0, self.parsed_bytes
        self.deadline.stop()
        if not self.parser.should_upgrade():
            self.begin_request()

    def receive_body(self, body: bytes) -> None:
        """Receive a piece of the body."""
        self.body_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Finish the request; the next bytes begin another."""
        if self.parser.should_upgrade():
            return
        if self._body_runs:
            self._receive_body_runs()
        self.parse_state, self.is_chunked = ParseState.BETWEEN, False
        self.deadline.stop()
        self.end_request()

    def _check_growth(self) -> None:
        """Refuse what grows without limit; otherwise make sure that a deadline runs for the rest."""
        if self._is_head_too_large():
            self.refuse(ValidationFailed(TOO_LARGE))
        elif has_small_chunks(self._framing_bytes, self.body_bytes):
            self.refuse(ValidationFailed(TOO_SMALL))
        elif not self.deadline.is_running:
            self.set_next_deadline()

    def _is_head_too_large(self) -> bool:
        if self.parse_state is not ParseState.HEAD:
            return False
        if self.request_start < self._piece_start:
            self.head_bytes += self._piece_bytes
        return self.head_bytes > MAX_HEAD_BYTES or is_head_too_large(
            self.headers, self.parsed_bytes - self.request_start
        )

    def _receive_body_runs(self) -> None:
        """Receive all body bytes that have arrived as one piece, no matter how many chunks there were."""
        run_count = len(self._body_runs)
        body = b"".join(self._body_runs)
        self._body_runs.clear()
        if self.is_chunked:
            self.charge_runs(run_count)
        self.receive_body(body)

    def refuse_head(self, error: TallyroomError) -> None:
        """Stop the parser, and refuse the request."""
        self._refusal = error
        raise _Refused(error.message)

    def _parse_after_offer(self, offer: httptools.HttpParserUpgrade, piece: bytes | memoryview) -> None:
        """Continue after an upgrade offer, at which the parser stops, and after any others in the piece."""
        remaining_piece = memoryview(piece)[offer.args[0] :]
        self._ignore_offer()
        while remaining_piece:
            try:
                self.parser.feed_data(remaining_piece)
            except httptools.HttpParserUpgrade as next_offer:
                remaining_piece = remaining_piece[next_offer.args[0] :]
                self._ignore_offer()
            else:
                return

    def _ignore_offer(self) -> None:
        method = self.parser.get_method()
        if method == b"CONNECT":
            self._refusal = ValidationFailed("This server is not a proxy.")
            raise httptools.HttpParserError
        head = build_head_without_offer(method, self.url, self.parser.get_http_version(), self.headers)
        self.parser = httptools.HttpRequestParser(self)
        self.parser.set_dangerous_leniencies(lenient_data_after_close=True)  # as in uvicorn's parser
        self.parser.feed_data(head)
