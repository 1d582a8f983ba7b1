"""Compares this machine's clock with the server's, once for each process."""

import json
from contextlib import suppress
from datetime import datetime
from typing import Any

from tallyroom_client.clock import Clock
from tallyroom_client.event import EPOCH
from tallyroom_client.problems import Problem, ProblemReporter
from tallyroom_client.sending.connection import Connection, NoAnswer

_MAX_DIFFERENCE_MS = 300_000


class ClockCheck:
    """Asks for the server's time after the first success; a server that does not tell it is not asked again."""

    def __init__(self, connection: Connection, clock: Clock, problems: ProblemReporter) -> None:
        self._connection = connection
        self._clock = clock
        self._problems = problems
        self._is_done = False

    def run_once(self) -> None:
        """Report a clock that is more than five minutes off."""
        if self._is_done:
            return
        self._is_done = True
        with suppress(NoAnswer, ValueError, TypeError, KeyError):
            server_ms = _moment_ms(json.loads(self._connection.get_key().body)["now"])
            difference_ms = self._clock.now_ms() - server_ms
            if abs(difference_ms) > _MAX_DIFFERENCE_MS:
                direction = "ahead of" if difference_ms > 0 else "behind"
                message = f"this machine's clock is {abs(difference_ms) // 60_000} minutes {direction} the server's"
                self._problems.report(Problem("clock", message))


def _moment_ms(now: Any) -> int:
    moment = datetime.fromisoformat(str(now).replace("Z", "+00:00"))  # Python 3.10 does not read the Z
    return round((moment - EPOCH).total_seconds() * 1000)
