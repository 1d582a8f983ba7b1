"""Time zones: every name that is taken is one that the event store can count days in."""

from harness.store import EventStore
from tallyroom.core.timezones import known_timezones


def test_the_event_store_knows_every_zone(event_store: EventStore) -> None:
    stored = set(event_store.writer.command("SELECT time_zone FROM system.time_zones").splitlines())
    assert {"UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu"} <= known_timezones()
    assert known_timezones() <= stored
