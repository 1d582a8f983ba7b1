"""Evaluates all alerts at a beat (rules/alerts#beats), unless the event store is behind (rules/alerts#delays).

The alerts of one environment whose windows have the same length share a query. One transaction stores its results and
messages, except for alerts that were changed in the meantime.
"""

import asyncio
import logging
from collections.abc import Collection, Sequence

from tallyroom.alerts.evaluation.conditions import Observation
from tallyroom.alerts.evaluation.incidents import AlertDelay, advance_state
from tallyroom.alerts.evaluation.observation import observe_rules
from tallyroom.alerts.evaluation.outcomes import Outcome, OutcomeWriter
from tallyroom.alerts.evaluation.repository import (
    AlertGroup,
    WatchedAlert,
    list_due_alerts,
    list_due_groups,
    record_delays,
)
from tallyroom.alerts.rule import PAST_DAY_COUNT
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Internal, RateLimited, Unavailable
from tallyroom.core.times import DAY_MS, MINUTE_MS
from tallyroom.queries.answer import run_query_plan
from tallyroom.storage.event_store.errors import QuestionTooCostly
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database

MAX_ALERTS_PER_QUERY = 100
"""The most alerts in one query."""

_MAX_CONCURRENT_QUERIES = 2  # queries; the other connections are for people
_BEAT_SHARE = 0.8  # of the time until the next beat; a query that began before may end after it
_CATCH_UP_SECONDS = 10.0  # within the rest of a beat of a minute; other hosts report their progress every second

_log = logging.getLogger(__name__)


class AlertEvaluator:
    """Evaluates alerts.

    `evaluated_count` counts each alert at each beat, `failed_count` those without an answer, and `delayed_count` those
    that kept their status because the event store was behind.
    """

    def __init__(
        self,
        reader: EventReader,
        database: Database,
        outcome_writer: OutcomeWriter,
        clock: Clock,
        beat_interval_seconds: float,
    ) -> None:
        self._reader = reader
        self._database = database
        self._outcome_writer = outcome_writer
        self._clock = clock
        self._beat_interval_seconds = beat_interval_seconds
        self._deadline = 0.0
        self._last_beat_at_ms_by_group: dict[AlertGroup, int] = {}
        self._query_slots = asyncio.Semaphore(_MAX_CONCURRENT_QUERIES)
        self._last_delay: AlertDelay | None = None
        self.evaluated_count = 0
        self.failed_count = 0
        self.delayed_count = 0

    @property
    def delay_seconds(self) -> float:
        """How long alerts have kept their status at this worker's last beat; 0 if that beat is no longer recent."""
        if self._last_delay is None:
            return 0.0
        age_seconds = (self._clock.now_ms() - self._last_delay.beat_at_ms) / 1000
        return 0.0 if age_seconds > 2 * self._beat_interval_seconds else self._last_delay.duration_ms / 1000

    async def run(self, beat_at_ms: int) -> None:
        """Evaluate the alerts that have not been evaluated at this beat, until most of it is over.

        Workspaces take turns. The alerts of environments whose newest events are not in the store yet keep their
        status until the next beat. Raises `Unavailable` or `RateLimited` if the store or the metadata did not answer
        for any of the others.
        """
        async with self._database.session(write=False) as db:
            groups = await list_due_groups(db, beat_at_ms)
        if not groups:
            return
        stale_scopes = await self._find_stale_scopes(groups, beat_at_ms)
        self._last_delay = await self._delay_alerts(stale_scopes, beat_at_ms) if stale_scopes else None
        groups = [group for group in groups if group.scope not in stale_scopes]
        if not groups:
            return
        self._last_beat_at_ms_by_group = {group: self._last_beat_at_ms_by_group.get(group, 0) for group in groups}
        self._deadline = self._clock.monotonic() + self._beat_interval_seconds * _BEAT_SHARE
        groups_by_workspace_id: dict[str, list[AlertGroup]] = {}
        for group in sorted(groups, key=self._last_beat_at_ms_by_group.__getitem__):
            groups_by_workspace_id.setdefault(group.scope.workspace_id, []).append(group)
        failure_per_workspace = await asyncio.gather(
            *(self._evaluate_workspace(groups, beat_at_ms) for groups in groups_by_workspace_id.values())
        )
        failures = [failure for failure in failure_per_workspace if failure is not None]
        if len(failures) == len(failure_per_workspace):
            raise failures[0]
        for failure in failures:
            _log.error("a workspace's alerts could not be evaluated; retrying at the next beat", exc_info=failure)

    async def _find_stale_scopes(self, groups: Sequence[AlertGroup], beat_at_ms: int) -> set[Scope]:
        longest_window_ms = max(group.window_minutes for group in groups) * MINUTE_MS
        from_ms = beat_at_ms - PAST_DAY_COUNT * DAY_MS - 2 * longest_window_ms
        scopes = list({group.scope for group in groups})
        freshness = await asyncio.gather(
            *(self._reader.catch_up_with_all_hosts(_CATCH_UP_SECONDS, from_ms=from_ms, scope=scope) for scope in scopes)
        )
        return {scope for scope, is_fresh in zip(scopes, freshness, strict=True) if not is_fresh}

    async def _delay_alerts(self, scopes: Collection[Scope], beat_at_ms: int) -> AlertDelay:
        """Record that due alerts keep their status: without the newest events, their conditions may be wrong."""
        async with self._database.session(write=True) as db:
            delay = await record_delays(db, scopes, beat_at_ms)
        self.delayed_count += delay.alert_count
        log_fields = {"alerts": delay.alert_count, "seconds": delay.duration_ms // 1000}
        _log.warning("alerts keep their status because the event store is behind", extra=log_fields)
        return delay

    async def _evaluate_workspace(self, groups: Sequence[AlertGroup], beat_at_ms: int) -> Exception | None:
        """Evaluate the groups of one workspace one after the other; return the error of a group that failed."""
        failure: Exception | None = None
        for group in groups:
            if self._is_past_deadline():
                _log.warning(
                    "evaluating alerts takes longer than the time between beats",
                    extra={"workspace": group.scope.workspace_id},
                )
                break
            self._last_beat_at_ms_by_group[group] = beat_at_ms
            try:
                await self._evaluate_group(group, beat_at_ms)
            except Exception as error:  # noqa: BLE001 # the others must not wait for what one cannot do
                failure = error
        return failure

    async def _evaluate_group(self, group: AlertGroup, beat_at_ms: int) -> None:
        async with self._query_slots, self._database.session(write=False) as db:
            alerts = await list_due_alerts(db, group, beat_at_ms)
        for start in range(0, len(alerts), MAX_ALERTS_PER_QUERY):
            chunk = alerts[start : start + MAX_ALERTS_PER_QUERY]
            try:
                await self._evaluate_alerts(chunk, beat_at_ms)
            except (Unavailable, RateLimited):
                self.failed_count += len(chunk)
                raise

    async def _evaluate_alerts(self, alerts: Sequence[WatchedAlert], beat_at_ms: int) -> None:
        """Evaluate alerts with one query, or in halves if that costs too much; a single alert that does is left out."""
        if self._is_past_deadline():
            return
        if await self._try_evaluate(alerts, beat_at_ms):
            self.evaluated_count += len(alerts)
        elif len(alerts) == 1:
            self.failed_count += 1
            _log.warning("an alert cannot be evaluated", extra={"alert": alerts[0].id})
        else:
            half_count = len(alerts) // 2
            await self._evaluate_alerts(alerts[:half_count], beat_at_ms)
            await self._evaluate_alerts(alerts[half_count:], beat_at_ms)

    async def _try_evaluate(self, alerts: Sequence[WatchedAlert], beat_at_ms: int) -> bool:
        """Evaluate alerts with one query; return False if it has no answer."""
        rules = [alert.rule for alert in alerts]
        async with self._query_slots:
            try:
                observations = await run_query_plan(observe_rules(rules, beat_at_ms), self._reader, alerts[0].scope)
            except (QuestionTooCostly, Internal):
                return False
            outcomes = _judge_alerts(alerts, observations, beat_at_ms)
            if outcomes is None:
                return False
            await self._outcome_writer.write_outcomes(outcomes, beat_at_ms)
            return True

    def _is_past_deadline(self) -> bool:
        return self._clock.monotonic() >= self._deadline


def _judge_alerts(
    alerts: Sequence[WatchedAlert], observations: Sequence[Observation], beat_at_ms: int
) -> list[Outcome] | None:
    """Judge alerts; return None if one of them cannot be judged, so that the others can be retried without it."""
    outcomes: list[Outcome] = []
    try:
        for alert, observation in zip(alerts, observations, strict=True):
            transition = advance_state(alert.rule, alert.state, observation, beat_at_ms, alert.cooldown_minutes)
            outcomes.append(Outcome(alert, observation.current_sample, transition))
    except Exception:  # noqa: BLE001 # a fault that one alert brings out must not silence the rest of its group
        _log.exception("the state of an alert cannot be determined", extra={"alerts": len(alerts)})
        return None
    return outcomes
