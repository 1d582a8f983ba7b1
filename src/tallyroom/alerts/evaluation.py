"""Evaluates all alerts at a beat (rules/alerts#beats).

The alerts of one environment whose windows have the same length share a query. What follows from it, with the messages,
is one transaction, which leaves out alerts that somebody has changed in the meantime.
"""

import asyncio
import logging
from collections.abc import Sequence

from tallyroom.alerts.conditions import Observation
from tallyroom.alerts.incidents import advance
from tallyroom.alerts.observation import observe
from tallyroom.alerts.outcomes import Outcome, OutcomeWriter
from tallyroom.alerts.repository import AlertGroup, WatchedAlert, list_groups, list_watched
from tallyroom.core.errors import RateLimited, Unavailable
from tallyroom.db.connection import Database
from tallyroom.engine.answer import carry_out
from tallyroom.store.errors import QuestionTooCostly
from tallyroom.store.read import EventReader

MOST_TOGETHER = 100
"""The most alerts in one query."""

_AT_ONCE = 2  # queries; the other connections are for people

_log = logging.getLogger(__name__)


class AlertEvaluator:
    """Evaluates alerts.

    Args:
        reader: reads the event store.
        database: has the alerts.
        writer: stores what follows.

    Attributes:
        evaluated: the number of evaluations since the start, each alert at each beat.
        failed: the number of those that had no answer.
    """

    def __init__(self, reader: EventReader, database: Database, writer: OutcomeWriter) -> None:
        self._reader = reader
        self._database = database
        self._writer = writer
        self.evaluated = 0
        self.failed = 0

    async def run(self, beat_ms: int) -> None:
        """Evaluate the alerts that have not been evaluated at this beat; a repetition does what is left.

        Raises:
            Unavailable, RateLimited: the store or the metadata did not answer for some alerts; all others are done.
        """
        async with self._database.session(write=False) as db:
            groups = await list_groups(db, beat_ms)
        if not groups:
            return
        await self._reader.fresh()
        turns = asyncio.Semaphore(_AT_ONCE)
        ends = await asyncio.gather(*(self._in_turn(turns, group, beat_ms) for group in groups), return_exceptions=True)
        for end in ends:
            if isinstance(end, BaseException):
                raise end

    async def _in_turn(self, turns: asyncio.Semaphore, group: AlertGroup, beat_ms: int) -> None:
        async with turns:
            async with self._database.session(write=False) as db:
                watched = await list_watched(db, group, beat_ms)
            for first in range(0, len(watched), MOST_TOGETHER):
                together = watched[first : first + MOST_TOGETHER]
                try:
                    await self._evaluate(together, beat_ms)
                except (Unavailable, RateLimited):
                    self.failed += len(together)
                    raise

    async def _evaluate(self, group: Sequence[WatchedAlert], beat_ms: int) -> None:
        """Evaluate alerts with one query, or in halves if that takes too much; an alert that does alone is left out."""
        try:
            seen = await self._seen(group, beat_ms)
        except QuestionTooCostly:
            if len(group) == 1:
                self.failed += 1
                _log.warning("an alert takes too long to evaluate", extra={"alert": group[0].id})
                return
            half = len(group) // 2
            await self._evaluate(group[:half], beat_ms)
            await self._evaluate(group[half:], beat_ms)
            return
        outcomes = [_outcome(alert, each, beat_ms) for alert, each in zip(group, seen, strict=True)]
        await self._writer.write(outcomes, beat_ms)
        self.evaluated += len(group)

    async def _seen(self, group: Sequence[WatchedAlert], beat_ms: int) -> list[Observation]:
        rules = [alert.rule for alert in group]
        return await carry_out(observe(rules, beat_ms), self._reader, group[0].scope)


def _outcome(alert: WatchedAlert, seen: Observation, beat_ms: int) -> Outcome:
    return Outcome(alert, seen.current, advance(alert.rule, alert.state, seen, beat_ms, alert.cooldown_minutes))
