"""An event's id is computed: led by the event's time, one for each (spool, sequence) (rules/events#event-id)."""

import itertools
import uuid

from harness.stores.event_store import NOW_MS, EventStore, event, fresh_scope

TIMES = [0, 1, 999, 2**31 * 1000, NOW_MS, 4_102_444_800_000]
SPOOLS = [0, 1, 2**20 - 1, 2**20, 2**31, 2**32 - 1]
SEQS = [0, 1, 2**31, 2**32, 2**42 - 1]


def test_the_id_is_a_uuid7_of_the_events_time_and_one_for_each_position(event_store: EventStore) -> None:
    scope = fresh_scope()
    positions = list(itertools.product(TIMES, SPOOLS, SEQS))
    rows = [event(scope, timestamp_ms=at, spool=spool, seq=seq) for at, spool, seq in positions]
    event_store.insert(rows)
    sql = "SELECT id, toUnixTimestamp64Milli(timestamp), spool, seq FROM events WHERE {scope}"
    found = {(at, spool, seq): uuid.UUID(id_) for id_, at, spool, seq in event_store.select(sql, scope)}
    assert set(found) == set(positions)
    for (at, spool, seq), id_ in found.items():
        assert (id_.version, id_.variant) == (7, uuid.RFC_4122)
        assert id_.int >> 80 == at
        assert ((id_.int >> 64 & 0xFFF) << 20 | id_.int >> 42 & 0xFFFFF) == spool
        assert id_.int & (2**42 - 1) == seq
    assert len({(id_.int & (2**80 - 1)) for id_ in found.values()}) == len(SPOOLS) * len(SEQS)


def test_the_id_depends_on_nothing_else(event_store: EventStore) -> None:
    one, other = fresh_scope(), fresh_scope()
    event_store.insert([event(one, "a", actor="x", received_ms=1, spool=7, seq=9)])
    event_store.insert([event(other, "b", properties=b'{"k":1}', spool=7, seq=9)])
    ids = [event_store.select("SELECT id FROM events WHERE {scope}", scope) for scope in (one, other)]
    assert ids[0] == ids[1]


def test_ids_sort_by_time(event_store: EventStore) -> None:
    scope = fresh_scope()
    event_store.insert([event(scope, timestamp_ms=at, spool=2**32 - 1) for at in reversed(TIMES)])
    sql = "SELECT toString(id), toUnixTimestamp64Milli(timestamp) FROM events WHERE {scope}"
    assert [at for _, at in sorted(event_store.select(sql, scope))] == sorted(TIMES)
