"""What a person who resolves an incident sends (rules/alerts#message-content)."""

import pytest

from conftest import FakeClock
from harness.oracles.alert_rules import rule
from harness.servers.small_app import founder
from harness.stores.alert_evaluation import Site
from harness.stores.event_store import NOW_MS, EventStore
from harness.stores.questions import Happened, insert
from tallyroom.alerts.evaluation.messages import AlertAnnouncer
from tallyroom.alerts.rules import resolution
from tallyroom.alerts.rules.resolution import IncidentResolver
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.core.ids import IdGenerator
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database

__all__ = ["founder"]


@pytest.mark.parametrize("is_fresh", [True, False])
async def test_a_chart_is_left_out_while_the_newest_events_are_missing(
    database: Database,
    event_store: EventStore,
    founder: MemberPrincipal,
    fake_clock: FakeClock,
    monkeypatch: pytest.MonkeyPatch,
    is_fresh: bool,
) -> None:
    async def allow(*_arguments: object) -> None:
        pass

    async def catch_up(*_: object) -> bool:
        return is_fresh

    site = Site(database, event_store)
    site.scope = Scope(founder.workspace_id, "production")
    alert_id = await site.add(rule())
    insert(event_store, site.scope, [Happened("a", NOW_MS - 1)] * 3)
    await site.evaluator.run(NOW_MS)
    announcer = AlertAnnouncer(site.back_tests, site._enqueue, "https://tally.example.com")
    resolver = IncidentResolver(database, event_store.reader, announcer, fake_clock, IdGenerator(fake_clock))
    monkeypatch.setattr(resolution, "recheck_role", allow)
    monkeypatch.setattr(event_store.reader, "wait_caught_up", catch_up)
    await resolver.resolve(founder, alert_id)
    assert [message.type for message in site.messages] == ["alert.fired", "alert.resolved"]
    assert bool(site.messages[-1].points) == is_fresh
    await site.back_tests.close()
