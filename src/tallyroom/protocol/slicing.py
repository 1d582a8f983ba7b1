"""From what comes at once to what the parser is fed: a head, the rest of a body, or a slice of one in chunks.

A parser takes all that it is fed, and it calls back for each chunk. So what holds many is fed in slices, and when the
chunks of a turn are used up it waits for another, unread.
"""

from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from tallyroom.protocol.parsing import ParsingProtocol
from tallyroom.protocol.pipelining import END_OF_HEAD, FED_AHEAD, Flow, Unparsed
from tallyroom.protocol.turns import Turns

SMALL_BYTES: Final = 4_096
"""What may be fed as it came, when no more requests are in it than may be ahead; and of a head at once."""

_CHUNKED_BYTES = 16_384  # of a body in chunks at once, fewer than 3,300 chunks
_SLICE_COST, _HEAD_COST = 16, 128  # in chunks


class SlicingProtocol(ParsingProtocol):
    """Feeds the parser no more than it may take.

    Args:
        turns: of all connections together.
        uvicorn: what uvicorn gives every connection.
    """

    flow: Flow

    def __init__(self, turns: Turns, **uvicorn: Any) -> None:
        super().__init__(**uvicorn)
        self.unparsed = Unparsed()
        self._turns = turns
        self._is_parsing_on = self._is_waiting = False

    @property
    def is_idle(self) -> bool:
        """Whether no request is under way."""
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is None or cycle.response_complete

    def take_in(self, data: bytes) -> None:
        """Parse what came: at once if it can only be little."""
        if not self.unparsed.data and self._is_little(data):
            self.parse(data)
        else:
            self.unparsed.add(data)
            self.parse_on()

    def spend(self, runs: int) -> None:
        """Tell the turn what a body cost."""
        self._turns.spend(runs)

    def parse_on(self) -> None:
        """Parse what came as far as it may be ahead and the turn goes; the rest waits for answers, or another turn.

        A head and a body that tells its length wait for nobody.
        """
        if self._is_parsing_on:  # an answer was there at once
            return
        self._is_parsing_on = True
        is_first = True
        while self.unparsed.data and not self.transport.is_closing():
            room = FED_AHEAD - len(self.pipeline) - (not self.is_idle)
            if room < 1:
                self.flow.hold()
                break
            if self._turns.is_over and (self.is_chunked or not (is_first or self.body_left)):
                self._wait()
                break
            self.parse(self._slice(room))
            is_first = False
        self._is_parsing_on = False

    def _slice(self, room: int) -> memoryview:
        if self.is_chunked:
            self._turns.spend(_SLICE_COST)
            return self.unparsed.take(self.unparsed.behind(room, _CHUNKED_BYTES))
        if self.body_left:
            return self.unparsed.take(self.body_left)
        self._turns.spend(_HEAD_COST)
        return self.unparsed.take(self.unparsed.behind(1, SMALL_BYTES))

    def _is_little(self, data: bytes) -> bool:
        if len(data) > SMALL_BYTES:
            return len(data) <= self.body_left
        if self.is_chunked and self._turns.is_over:
            return False
        return data.count(END_OF_HEAD) + len(self.pipeline) < FED_AHEAD

    def _wait(self) -> None:
        self.flow.hold()
        if not self._is_waiting:
            self._is_waiting = True
            self._turns.wait(self._go_on)

    def _go_on(self) -> None:
        self._is_waiting = False
        self.parse_on()
        if not self.unparsed.data and not self.pipeline and not self.transport.is_closing():
            self.flow.let_go()
