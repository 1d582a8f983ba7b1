"""Evaluates all alerts at a beat (rules/alerts#beats).

The alerts of one environment whose windows have the same length share a query. What follows from it, with the messages,
is one transaction, which leaves out alerts that somebody has changed in the meantime.
"""

import asyncio
import logging
from collections.abc import Sequence

from tallyroom.alerts.evaluation.conditions import Observation
from tallyroom.alerts.evaluation.incidents import advance
from tallyroom.alerts.evaluation.observation import observe
from tallyroom.alerts.evaluation.outcomes import Outcome, OutcomeWriter
from tallyroom.alerts.evaluation.repository import AlertGroup, WatchedAlert, list_groups, list_watched
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Internal, RateLimited, Unavailable
from tallyroom.queries.answer import carry_out
from tallyroom.storage.event_store.errors import QuestionTooCostly
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.metadata.connection import Database

MAX_TOGETHER = 100
"""The most alerts in one query."""

_AT_ONCE = 2  # queries; the other connections are for people
_SHARE = 0.8  # of the time until the next beat; a query that began before may end after it

_log = logging.getLogger(__name__)


class AlertEvaluator:
    """Evaluates alerts.

    Args:
        reader: reads the event store.
        database: has the alerts.
        writer: stores what follows.
        clock: says how long an evaluation takes.
        seconds: the time between two beats.

    Attributes:
        evaluated: the number of evaluations since the start, each alert at each beat.
        failed: the number of those that had no answer.
    """

    def __init__(
        self, reader: EventReader, database: Database, writer: OutcomeWriter, clock: Clock, seconds: float
    ) -> None:
        self._reader = reader
        self._database = database
        self._writer = writer
        self._clock = clock
        self._seconds = seconds * _SHARE
        self._ends_at = 0.0
        self._begun: dict[AlertGroup, int] = {}
        self._turns = asyncio.Semaphore(_AT_ONCE)
        self.evaluated = 0
        self.failed = 0

    async def run(self, beat_ms: int) -> None:
        """Evaluate the alerts that have not been evaluated at this beat; a repetition does what is left.

        Workspaces take turns, and what takes too long is left for the next beat, so that none waits for another.

        Raises:
            Unavailable, RateLimited: the store or the metadata did not answer for any workspace.
        """
        async with self._database.session(write=False) as db:
            groups = await list_groups(db, beat_ms)
        if not groups:
            return
        await self._reader.fresh()
        self._begun = {group: self._begun.get(group, 0) for group in groups}
        self._ends_at = self._clock.monotonic() + self._seconds
        by_workspace: dict[str, list[AlertGroup]] = {}
        for group in sorted(groups, key=self._begun.__getitem__):
            by_workspace.setdefault(group.scope.workspace_id, []).append(group)
        ends = await asyncio.gather(
            *(self._workspace(workspace_groups, beat_ms) for workspace_groups in by_workspace.values())
        )
        failures = [end for end in ends if end is not None]
        if len(failures) == len(ends):
            raise failures[0]
        for failure in failures:
            _log.error("the alerts of a workspace wait for the next beat", exc_info=failure)

    async def _workspace(self, groups: Sequence[AlertGroup], beat_ms: int) -> Exception | None:
        """Evaluate the groups of one workspace one after the other; return why one of them was not."""
        failure: Exception | None = None
        for group in groups:
            if self._is_over():
                _log.warning("alerts take longer than a beat", extra={"workspace": group.scope.workspace_id})
                break
            self._begun[group] = beat_ms
            try:
                await self._group(group, beat_ms)
            except Exception as error:  # noqa: BLE001 # the others must not wait for what one cannot do
                failure = error
        return failure

    async def _group(self, group: AlertGroup, beat_ms: int) -> None:
        async with self._turns, self._database.session(write=False) as db:
            alerts = await list_watched(db, group, beat_ms)
        for first in range(0, len(alerts), MAX_TOGETHER):
            together = alerts[first : first + MAX_TOGETHER]
            try:
                await self._evaluate(together, beat_ms)
            except (Unavailable, RateLimited):
                self.failed += len(together)
                raise

    async def _evaluate(self, group: Sequence[WatchedAlert], beat_ms: int) -> None:
        """Evaluate alerts with one query, or in halves if that takes too much; an alert that does alone is left out."""
        if self._is_over():
            return
        if await self._is_evaluated(group, beat_ms):
            self.evaluated += len(group)
        elif len(group) == 1:
            self.failed += 1
            _log.warning("an alert cannot be evaluated", extra={"alert": group[0].id})
        else:
            half = len(group) // 2
            await self._evaluate(group[:half], beat_ms)
            await self._evaluate(group[half:], beat_ms)

    async def _is_evaluated(self, group: Sequence[WatchedAlert], beat_ms: int) -> bool:
        """Evaluate alerts with one query; return False if it has no answer."""
        async with self._turns:
            try:
                observations = await self._seen(group, beat_ms)
            except (QuestionTooCostly, Internal):
                return False
            outcomes = _outcomes(group, observations, beat_ms)
            if outcomes is None:
                return False
            await self._writer.write(outcomes, beat_ms)
            return True

    def _is_over(self) -> bool:
        return self._clock.monotonic() >= self._ends_at

    async def _seen(self, group: Sequence[WatchedAlert], beat_ms: int) -> list[Observation]:
        rules = [alert.rule for alert in group]
        return await carry_out(observe(rules, beat_ms), self._reader, group[0].scope)


def _outcomes(group: Sequence[WatchedAlert], observations: Sequence[Observation], beat_ms: int) -> list[Outcome] | None:
    """Judge alerts; return None if one of them cannot be judged, for which the others must not be silent."""
    try:
        return [
            Outcome(
                alert,
                observation.current,
                advance(alert.rule, alert.state, observation, beat_ms, alert.cooldown_minutes),
            )
            for alert, observation in zip(group, observations, strict=True)
        ]
    except Exception:  # noqa: BLE001 # a fault that one alert brings out must not silence the rest of its group
        _log.exception("an alert cannot be judged", extra={"alerts": len(group)})
        return None
