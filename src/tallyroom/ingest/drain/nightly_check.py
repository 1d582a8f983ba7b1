"""Checks the whole store against its checksums every night, while older backups exist (rules/safety#damaged-parts)."""

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
    """The thread that checks the store at night, from `start` to `stop`."""

    def __init__(self, completeness_check: CompletenessCheck, clock: Clock) -> None:
        self._completeness_check = completeness_check
        self._clock = clock
        self._checked_date = datetime_from_ms(clock.now_ms()).date()  # a start at night is work enough
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
        """Check everything once per night; return whether a check was completed now."""
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
            except Exception:  # noqa: BLE001 # the next night tries again
                _log.exception("the event store was not checked")
