"""The pages of actors and groups in the SQL that a person would write for the very data of `bench.history`.

It knows that each event has an actor and a group, and that the rare ones have few events, none of them hidden.
"""

from bench.history import RARE_ACTOR, RARE_GROUP
from bench.span import Asking, JsonRow, Span, labels_of
from tallyroom.core.times import iso_ms

_PAGE = 50


def actors(span: Span) -> Asking:
    """The busiest 50 actors with their labels."""
    rows = yield (
        "SELECT actor, count() AS events, toUnixTimestamp64Milli(min(timestamp)) AS first,"
        f" toUnixTimestamp64Milli(max(timestamp)) AS last FROM events {span.where()}"
        f" GROUP BY actor ORDER BY events DESC, actor LIMIT {_PAGE}"
    )
    labels = yield labels_of(span, {row["actor"] for row in rows})
    names = {row["actor"]: row["label"] for row in labels}
    return {"actors": [_actor(row, names[row["actor"]]) for row in rows]}


def behind(span: Span) -> Asking:
    """The busiest 50 actors of one event with their labels, and how many there are."""
    its = span.where("name = 'event_0'")
    rows = yield (
        "SELECT actor, count() AS events, toUnixTimestamp64Milli(min(timestamp)) AS first,"
        " toUnixTimestamp64Milli(max(timestamp)) AS last, count() OVER () AS total"
        f" FROM events {its} GROUP BY actor ORDER BY events DESC, actor LIMIT {_PAGE}"
    )
    labels = yield labels_of(span, {row["actor"] for row in rows})
    names = {row["actor"]: row["label"] for row in labels}
    return {"total": rows[0]["total"], "actors": [_actor(row, names[row["actor"]]) for row in rows]}


def rare_actor(span: Span) -> Asking:
    """All events of one actor, from which everything else follows."""
    its = span.where(f"actor = '{RARE_ACTOR}'")
    rows = yield (
        "SELECT id, toUnixTimestamp64Milli(timestamp) AS at, name, source, properties"
        f" FROM events {its} ORDER BY timestamp DESC"
    )
    [label] = yield labels_of(span, {RARE_ACTOR})
    total = {"actor": RARE_ACTOR, "events": len(rows), "first": rows[-1]["at"], "last": rows[0]["at"]}
    return _actor(total, label["label"]) | {"timeline": [{"id": row["id"]} for row in rows]}


def groups(span: Span) -> Asking:
    """The busiest 50 groups."""
    rows = yield (
        "SELECT strings['server_id'] AS server, count() AS events, toUnixTimestamp64Milli(max(timestamp)) AS last"
        f" FROM events {span.where()} GROUP BY server ORDER BY events DESC, server LIMIT {_PAGE}"
    )
    found = [{"groupKey": row["server"], "eventCount": row["events"], "lastSeen": iso_ms(row["last"])} for row in rows]
    return {"groups": found}


def rare_group(span: Span) -> Asking:
    """All events of one group, from which everything else follows."""
    its = span.where(f"strings['server_id'] = '{RARE_GROUP}'")
    rows = yield (
        "SELECT id, toUnixTimestamp64Milli(timestamp) AS at, name, source, properties, actor"
        f" FROM events {its} ORDER BY timestamp DESC"
    )
    labels = yield labels_of(span, {row["actor"] for row in rows})
    names = {row["actor"]: row["label"] for row in labels}
    recent = [{"id": row["id"], "actorLabel": names[row["actor"]]} for row in rows]
    times = {"firstSeen": iso_ms(rows[-1]["at"]), "lastSeen": iso_ms(rows[0]["at"])}
    return times | {"eventCount": len(rows), "recent": recent}


def full_scan(span: Span) -> str:
    """Looks at the actor of every event."""
    return f"SELECT countIf(actor = '{RARE_ACTOR}') FROM events {span.where()}"


def _actor(row: JsonRow, label: str) -> JsonRow:
    times = {"firstSeen": iso_ms(row["first"]), "lastSeen": iso_ms(row["last"])}
    return times | {"actorKey": row["actor"], "eventCount": row["events"], "label": label}
