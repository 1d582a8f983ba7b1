"""Random events of groups, and the answers about groups counted by hand (rules/actors-and-groups#group)."""

import json
import random
from collections import Counter
from datetime import UTC, datetime
from typing import Any

from msgspec import UNSET

from harness.stores.event_store import NOW_MS, event
from tallyroom.core.ranges import RANGE_DURATION_MS, RollingRange
from tallyroom.core.times import iso_ms
from tallyroom.events.groups.schemas import GroupDetail, ListedGroup
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.row import SpoolRow

HOUR = 3_600_000
DAY = 24 * HOUR
NAMES = ["opened", "closed", "paid", "sent", "read", "lost", "won"]
# What a client may send as the property: some of it is text, and only that is a group.
VALUES: list[Any] = [
    "a",
    "A",
    "acme",
    "Acme",
    "a/b",
    "é",
    "e\u0301",
    "😀",
    "10",
    "9",
    "42",
    "\\",
    "it's",
    "%",
    " ",
    "true",
]
VALUES += ["", 42, 4.2, ["a"], [], ["a", "b"], {"a": "a"}, True, None]
ACTORS = ["", "", "ann", "bob", "eve"]
LABELS = ["", "", "Ann", "Bobby"]
OFFSETS = [0, 1, HOUR // 2, DAY, DAY + 1, 3 * DAY, -1, -HOUR, 400 * DAY]
OFFSETS += [edge + d for edge in RANGE_DURATION_MS.values() for d in (-1, 0, 1)]


def group_of(row: SpoolRow, prop_key: str) -> str:
    """The group of an event, "" without one (rules/actors-and-groups#group)."""
    value = json.loads(bytes(row.properties)).get(prop_key)
    return value if isinstance(value, str) else ""


def random_events(seed: int, scopes: list[Scope], count: int) -> list[SpoolRow]:
    chance = random.Random(seed)

    def properties() -> bytes:
        keys = [key for key in ("team", "Team", "server id") if chance.random() < 0.8]
        return json.dumps({key: chance.choice(VALUES) for key in keys} | {"n": chance.random()}).encode()

    return [
        event(
            chance.choice(scopes),
            chance.choice(NAMES),
            actor=chance.choice(ACTORS),
            label=chance.choice(LABELS),
            source=chance.choice(["", "web"]),
            properties=properties(),
            timestamp_ms=NOW_MS - chance.choice(OFFSETS),
            received_ms=NOW_MS + chance.choice([0, 0, 1]),
            spool=chance.choice([1, 2]),
        )
        for _ in range(count)
    ]


class Oracle:
    """The answers, counted by hand."""

    def __init__(self, rows: list[SpoolRow], scope: Scope) -> None:
        whose = (scope.workspace_id, scope.environment)
        self.rows = [row for row in rows if (row.workspace_id, row.environment) == whose]

    @staticmethod
    def position(row: SpoolRow) -> tuple[int, int, int, int]:
        return row.timestamp_ms, row.received_ms, row.spool, row.seq

    def in_range(self, time_range: RollingRange) -> list[SpoolRow]:
        return [row for row in self.rows if NOW_MS - RANGE_DURATION_MS[time_range] <= row.timestamp_ms <= NOW_MS]

    def groups(self, time_range: RollingRange, prop_key: str, q: str = "") -> list[ListedGroup]:
        events: dict[str, list[SpoolRow]] = {}
        for row in self.in_range(time_range):
            if group := group_of(row, prop_key):
                events.setdefault(group, []).append(row)
        rows = [self._listed(group, its) for group, its in events.items() if q.lower() in group.lower()]
        return sorted(rows, key=lambda row: (-row.event_count, row.group_key))

    @staticmethod
    def _listed(group: str, events: list[SpoolRow]) -> ListedGroup:
        newest_ms = max(row.timestamp_ms for row in events)
        return ListedGroup(group, len(events), iso_ms(newest_ms), len({row.actor for row in events} - {""}))

    def label(self, actor: str) -> str | None:
        labelled = [row for row in self.rows if row.actor == actor and row.actor_label]
        return max(labelled, key=self.position).actor_label if actor and labelled else None

    def detail(self, time_range: RollingRange, prop_key: str, group: str) -> dict[str, Any]:
        rows = [row for row in self.in_range(time_range) if group_of(row, prop_key) == group]
        recent = sorted(rows, key=self.position, reverse=True)[:100]
        days = {datetime.fromtimestamp(row.timestamp_ms / 1000, UTC).date() for row in rows}
        names = sorted(Counter(row.name for row in rows).items(), key=lambda each: (-each[1], each[0]))
        first, last = (iso_ms(pick(row.timestamp_ms for row in rows)) for pick in (min, max))
        return {
            "group_key": group,
            "prop_key": prop_key,
            "last_active": last,
            "event_count": len(rows),
            "per_day": int(len(rows) / len(days) + 0.5),
            "first_seen": first,
            "last_seen": last,
            "event_types": names[:5],
            "recent": [
                (
                    row.name,
                    row.source or None,
                    iso_ms(row.timestamp_ms),
                    bytes(row.properties),
                    row.actor or None,
                    self.label(row.actor),
                )
                for row in recent
            ],
        }


def plain(detail: GroupDetail) -> dict[str, Any]:
    """A detail that has nothing to say of itself, as the oracle words it; ids are the store's."""
    found: dict[str, Any] = {field: getattr(detail, field) for field in detail.__struct_fields__}
    assert found.pop("notices") is UNSET
    found["event_types"] = [(each.name, each.count) for each in detail.event_types]
    found["recent"] = [
        (each.name, each.source, each.timestamp, bytes(each.properties), each.actor_key, each.actor_label)
        for each in detail.recent
    ]
    return found
