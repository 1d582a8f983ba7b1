"""Feeds the parser a head, the rest of a body, or a slice of a chunked body at a time.

A parser calls back for each chunk, so once the chunks of a turn are used up, the rest waits unparsed for another turn.
"""

from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from tallyroom.server.protocol.fair_turns import ChunkTurns
from tallyroom.server.protocol.parsing import ParsingProtocol
from tallyroom.server.protocol.pipelining import END_OF_HEAD, MAX_FED_REQUESTS, Flow, UnparsedBytes

SMALL_BYTES: Final = 4_096
"""The most that is fed unsliced, if it has no more requests than may be read ahead; also the most of a head."""

_MAX_SLICE_BYTES = 16_384  # the most of a chunked body at once: fewer than 3,300 chunks
_SLICE_COST, _HEAD_COST = 16, 128  # in chunks


class SlicingProtocol(ParsingProtocol):
    """Feeds the parser no more than it may process; all connections share `turns`."""

    flow: Flow

    def __init__(self, turns: ChunkTurns, **uvicorn: Any) -> None:
        super().__init__(**uvicorn)
        self.unparsed = UnparsedBytes()
        self._turns = turns
        self._is_parsing = self._is_waiting = False

    @property
    def is_idle(self) -> bool:
        """Whether no request is active."""
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is None or cycle.response_complete

    def receive_data(self, data: bytes) -> None:
        """Parse incoming data: immediately if it is small, otherwise in slices."""
        if not self.unparsed.data and self._is_small(data):
            self.parse(data)
        else:
            self.unparsed.add(data)
            self.parse_unparsed()

    def charge_runs(self, run_count: int) -> None:
        """Charge the runs of a body to the turn."""
        self._turns.spend(run_count)

    def parse_unparsed(self) -> None:
        """Parse as much as may be read ahead and the turn allows; first heads and sized bodies need no turn."""
        if self._is_parsing:  # a request was answered immediately, which led back here
            return
        self._is_parsing = True
        is_first_piece = True
        while self.unparsed.data and not self.transport.is_closing():
            request_room = MAX_FED_REQUESTS - len(self.pipeline) - (not self.is_idle)
            if request_room < 1:
                self.flow.hold()
                break
            if self._turns.is_over and (self.is_chunked or not (is_first_piece or self.remaining_body_bytes)):
                self._wait_for_turn()
                break
            self.parse(self._take_slice(request_room))
            is_first_piece = False
        self._is_parsing = False

    def _take_slice(self, request_room: int) -> memoryview:
        if self.is_chunked:
            self._turns.spend(_SLICE_COST)
            return self.unparsed.pop(self.unparsed.find_end(request_room, _MAX_SLICE_BYTES))
        if self.remaining_body_bytes:
            return self.unparsed.pop(self.remaining_body_bytes)
        self._turns.spend(_HEAD_COST)
        return self.unparsed.pop(self.unparsed.find_end(1, SMALL_BYTES))

    def _is_small(self, data: bytes) -> bool:
        if len(data) > SMALL_BYTES:
            return len(data) <= self.remaining_body_bytes
        if self.is_chunked and self._turns.is_over:
            return False
        return data.count(END_OF_HEAD) + len(self.pipeline) < MAX_FED_REQUESTS

    def _wait_for_turn(self) -> None:
        self.flow.hold()
        if not self._is_waiting:
            self._is_waiting = True
            self._turns.enqueue(self._continue_parsing)

    def _continue_parsing(self) -> None:
        self._is_waiting = False
        self.parse_unparsed()
        if not self.unparsed.data and not self.pipeline and not self.transport.is_closing():
            self.flow.resume_unless_full()
