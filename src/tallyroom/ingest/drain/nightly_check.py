"""Checks the whole event store against its checksums, slowly, every night (rules/safety#damaged-parts).

This finds damage while there is still a backup from before it.
"""

import logging
import threading

from tallyroom.core.clock import Clock
from tallyroom.core.priority import lower_priority
from tallyroom.core.times import datetime_from_ms
from tallyroom.ingest.drain.completeness import CompletenessCheck

CHECK_HOUR_UTC = 3  # UTC
_POLL_SECONDS = 300.0
_REST_FACTOR = 3.0  # seconds of rest for each second of reading
_JOIN_TIMEOUT_SECONDS = 2.0

_log = logging.getLogger(__name__)


class NightlyCheck:
    """The thread that checks the store, from `start` to `stop`.

    Args:
        completeness_check: reads the parts and sets damaged ones aside.
        clock: tells when it is night, and how long a part took.
    """

    def __init__(self, completeness_check: CompletenessCheck, clock: Clock) -> None:
        self._completeness_check = completeness_check
        self._clock = clock
        self._checked_date = datetime_from_ms(clock.now_ms()).date()  # a server that starts at night is busy enough
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="nightly", daemon=True)

    def start(self) -> None:
        """Start waiting for the night."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread; if the current part takes too long, it is abandoned."""
        self._stop.set()
        self._thread.join(_JOIN_TIMEOUT_SECONDS)

    def check_when_due(self) -> bool:
        """Check everything if it is night and that was not done today; return whether it was checked to the end."""
        now = datetime_from_ms(self._clock.now_ms())
        if now.hour != CHECK_HOUR_UTC or now.date() == self._checked_date:
            return False
        self._checked_date = now.date()
        part_count = damage_count = 0
        started_at = self._clock.monotonic()
        for part in self._completeness_check.check_parts():
            part_count, damage_count = part_count + 1, damage_count + bool(part.problem)
            if self._stop.wait((self._clock.monotonic() - started_at) * _REST_FACTOR):
                return False
            started_at = self._clock.monotonic()
        _log.info("the event store was checked", extra={"parts": part_count, "damaged": damage_count})
        return True

    def _run(self) -> None:
        lower_priority()
        while not self._stop.wait(_POLL_SECONDS):
            try:
                self.check_when_due()
            except Exception:  # noqa: BLE001 # there is another night
                _log.exception("the event store was not checked")
