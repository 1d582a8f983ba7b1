"""A log line that thousands of connections can cause, written once a minute with their number."""

import asyncio
import logging
from collections import Counter
from contextvars import Context
from typing import Final

PAUSE_SECONDS: Final = 60.0


class ThrottledLog:
    """Writes the first line immediately, and then one a minute for each reason, with the number of connections."""

    def __init__(self, log: logging.Logger, message: str) -> None:
        self._log = log
        self._message = message
        self._connection_count_by_reason: Counter[str] = Counter()
        self._is_pausing = False

    def count_connections(self, reason: str, connection_count: int = 1) -> None:
        """Count connections with this reason."""
        self._connection_count_by_reason[reason] += connection_count
        if not self._is_pausing:
            self._write()

    def _write(self) -> None:
        self._is_pausing = self._connection_count_by_reason.total() > 0
        for reason, connection_count in self._connection_count_by_reason.items():
            if connection_count:
                self._log.info(self._message, extra={"connections": connection_count, "reason": reason})
        self._connection_count_by_reason.clear()
        if self._is_pausing:
            asyncio.get_running_loop().call_later(PAUSE_SECONDS, self._write, context=Context())
