"""What is stored of an incident whose value is missing (rules/alerts#gaps)."""

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any

import pytest

from harness.oracles.alert_rules import MINUTE_MS, rule
from harness.stores.alert_evaluation import Site
from harness.stores.event_store import NOW_MS, EventStore
from harness.stores.questions import Happened, insert
from tallyroom.core.ids import IdGenerator
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import Alert, Incident

AVERAGE = rule(measure="avg", property="n")


@pytest.fixture
async def site(database: Database, event_store: EventStore) -> AsyncIterator[Site]:
    site = Site(database, event_store)
    await site.found()
    yield site
    await site.back_tests.close()


@pytest.mark.long
async def test_an_incident_whose_value_is_missing_stays_open(site: Site) -> None:
    """Over restarts too: each beat is that of another evaluator, which knows only what is stored."""
    await site.add(AVERAGE, cooldown_minutes=2)
    insert(site.store, site.scope, [_worth(9, NOW_MS), _worth(9, NOW_MS + 20 * MINUTE_MS)])
    insert(site.store, site.scope, [_worth(1, NOW_MS + 40 * MINUTE_MS)])
    for minute in (0, 4, 5, 6, 9, 20, 24, 25, 26, 27, 40, 41):
        await site.another(site.store.reader).run(NOW_MS + minute * MINUTE_MS)
    minutes = [((at_ms - NOW_MS) // MINUTE_MS, type_, value) for at_ms, type_, value in await site.activity()]
    assert minutes == [(0, "fired", 9), (5, "nodata", None), (25, "nodata", None), (40, "resolved", 1)]
    told = [
        (_minute(each.timestamp), each.type, each.no_data_since and _minute(each.no_data_since))
        for each in site.messages
    ]
    assert told == [
        (0, "alert.fired", None),
        (4, "alert.reminder", None),
        (6, "alert.nodata", 5),
        (20, "alert.reminder", None),
        (24, "alert.reminder", None),
        (26, "alert.nodata", 25),
        (40, "alert.resolved", None),
    ]
    [incident] = await site.all(Incident)
    assert (incident.no_data_since_ms, incident.resolved_at_ms) == (None, NOW_MS + 40 * MINUTE_MS)


async def test_a_rule_that_is_changed_during_a_gap_decides_at_the_next_beat(site: Site) -> None:
    alert_id = await site.add(AVERAGE)
    insert(site.store, site.scope, [_worth(9, NOW_MS)])
    beats = iter(range(NOW_MS, NOW_MS + 99 * MINUTE_MS, 5 * MINUTE_MS))

    async def beat(**changed: Any) -> tuple[str, int | None]:
        async with site.database.session(write=True) as db:
            alert = await db.get_one(Alert, alert_id)
            for name, value in changed.items():
                setattr(alert, name, value)
        await site.evaluator.run(next(beats))
        [alert], [incident] = await site.all(Alert), await site.all(Incident)
        return alert.status, incident.no_data_since_ms

    assert await beat() == ("firing", None)
    assert await beat() == ("firing", NOW_MS + 5 * MINUTE_MS)
    assert await beat(measure="max") == ("firing", NOW_MS + 5 * MINUTE_MS)  # the gap goes on
    assert await beat(condition="nodata", threshold=None) == ("firing", None)
    assert await beat(measure="count", property=None, condition="above", threshold=2.0) == ("ok", None)


async def test_a_worker_of_the_previous_version_leaves_no_gap_behind(site: Site) -> None:
    """It knows nothing of gaps: it goes on with the incident when the value is back, or ends it."""
    alert_id = await site.add(AVERAGE)
    async with site.database.session(write=True) as db:
        db.add(Incident(id=IdGenerator().new(), alert_id=alert_id, fired_at_ms=NOW_MS, value=9, told=True))
    insert(site.store, site.scope, [_worth(9, NOW_MS + 2 * MINUTE_MS)])
    await site.evaluator.run(NOW_MS)
    [incident] = await site.all(Incident)
    assert incident.no_data_since_ms == NOW_MS
    await site.evaluator.run(NOW_MS + 2 * MINUTE_MS)
    [incident] = await site.all(Incident)
    assert (incident.no_data_since_ms, incident.no_data_told) == (None, False)


def _worth(value: float, at_ms: int) -> Happened:
    return Happened("a", at_ms, properties={"n": value})


def _minute(timestamp: str) -> int:
    return (round(datetime.fromisoformat(timestamp).timestamp() * 1000) - NOW_MS) // MINUTE_MS
