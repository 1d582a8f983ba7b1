"""Alerts with their evaluation on the real stores, and what they told."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import select

from conftest import FakeClock
from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from tallyroom.alerts.back_test.back_test import BackTester
from tallyroom.alerts.channel_types.message import AlertMessage
from tallyroom.alerts.evaluation.evaluation import AlertEvaluator
from tallyroom.alerts.evaluation.messages import AlertAnnouncer
from tallyroom.alerts.evaluation.outcomes import OutcomeWriter
from tallyroom.alerts.rule import AlertRule
from tallyroom.core.ids import IdGenerator
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import Alert, AlertActivity, Environment, Workspace


class Site:
    """Alerts of one environment and their evaluation; messages are kept in a list."""

    def __init__(self, database: Database, store: EventStore) -> None:
        self.database = database
        self.store = store
        self.scope = fresh_scope()
        self.messages: list[AlertMessage] = []
        self.clock = FakeClock()
        self.back_tests = BackTester(store.reader, FakeClock())
        self.evaluator = self.another(store.reader)

    def another(self, reader: EventReader) -> AlertEvaluator:
        """An evaluator beside the others."""
        messages = AlertAnnouncer(self.back_tests, self._enqueue, "https://tally.example.com")
        writer = OutcomeWriter(self.database, messages, IdGenerator())
        return AlertEvaluator(reader, self.database, writer, self.clock, 60)

    async def neighbor(self) -> "Site":
        """Another workspace on the same metadata and store, with the evaluator of this one."""
        other = Site(self.database, self.store)
        await other.found()
        return other

    async def found(self) -> None:
        """Make the workspace."""
        async with self.database.session(write=True) as db:
            workspace = {"id": self.scope.workspace_id, "name": "w", "plan": "paid", "timezone": "UTC"}
            db.add(Workspace(**workspace, created_at_ms=NOW_MS))
            await db.flush()
            db.add(Environment(workspace_id=self.scope.workspace_id, name="production", created_at_ms=NOW_MS))

    async def add(self, of: AlertRule, **given: Any) -> str:
        """Make an alert."""
        alert = self._alert(of, given)
        async with self.database.session(write=True) as db:
            db.add(alert)
        return alert.id

    async def add_all(self, rules: Iterable[AlertRule]) -> None:
        """Make many alerts at once."""
        async with self.database.session(write=True) as db:
            db.add_all([self._alert(of, {}) for of in rules])

    def _alert(self, of: AlertRule, given: dict[str, Any]) -> Alert:
        return Alert(
            id=IdGenerator().new(),
            workspace_id=self.scope.workspace_id,
            environment=self.scope.environment,
            **msgspec.to_builtins(of)
            | {
                "filters": msgspec.json.encode(of.filters).decode(),
                "formula": None if of.formula is None else msgspec.json.encode(of.formula).decode(),
            },
            **{"name": "Many", "severity": "warning", "cooldown_minutes": 30, "enabled": True, "status": "ok"} | given,
            created_at_ms=NOW_MS,
            updated_at_ms=NOW_MS,
        )

    async def all(self, model: type[Any]) -> Sequence[Any]:
        """All rows of a table."""
        async with self.database.session(write=False) as db:
            return (await db.scalars(select(model))).all()

    async def activity(self) -> list[tuple[int, str, float | None]]:
        """What alerts did, the oldest first."""
        return sorted((each.at_ms, each.type, each.value) for each in await self.all(AlertActivity))

    async def _enqueue(self, _db: Session, _channels: Sequence[str], message: AlertMessage) -> None:
        self.messages.append(message)
