"""The pages of actors and groups in the SQL that a person would write for the very data of `bench.history`.

It knows that each event has an actor and a group, and that the rare ones have few events, none of them hidden.
"""

from bench.history import RARE_ACTOR, RARE_GROUP
from bench.span import AnswerGenerator, HandQuestion, JsonRow, Span, build_labels_sql
from tallyroom.core.times import iso_ms

_PAGE = 50


def actors(sort_column: str) -> HandQuestion:
    """The first 50 actors by a column, descending, with their labels."""

    def read_page(span: Span) -> AnswerGenerator:
        rows = yield (
            "SELECT actor, count() AS events, toUnixTimestamp64Milli(min(timestamp)) AS first,"
            f" toUnixTimestamp64Milli(max(timestamp)) AS last FROM events {span.build_where()}"
            f" GROUP BY actor ORDER BY {sort_column} DESC, actor LIMIT {_PAGE}"
        )
        label_rows = yield build_labels_sql(span, {row["actor"] for row in rows})
        label_by_actor = {row["actor"]: row["label"] for row in label_rows}
        return {"actors": [_actor(row, label_by_actor[row["actor"]]) for row in rows]}

    return read_page


def behind(span: Span) -> AnswerGenerator:
    """The busiest 50 actors of one event with their labels, and how many there are."""
    where_sql = span.build_where("name = 'event_0'")
    rows = yield (
        "SELECT actor, count() AS events, toUnixTimestamp64Milli(min(timestamp)) AS first,"
        " toUnixTimestamp64Milli(max(timestamp)) AS last, count() OVER () AS total"
        f" FROM events {where_sql} GROUP BY actor ORDER BY events DESC, actor LIMIT {_PAGE}"
    )
    label_rows = yield build_labels_sql(span, {row["actor"] for row in rows})
    label_by_actor = {row["actor"]: row["label"] for row in label_rows}
    return {"total": rows[0]["total"], "actors": [_actor(row, label_by_actor[row["actor"]]) for row in rows]}


def rare_actor(span: Span) -> AnswerGenerator:
    """All events of one actor, from which everything else follows."""
    where_sql = span.build_where(f"actor = '{RARE_ACTOR}'")
    rows = yield (
        "SELECT id, toUnixTimestamp64Milli(timestamp) AS at, name, source, properties"
        f" FROM events {where_sql} ORDER BY timestamp DESC"
    )
    [label] = yield build_labels_sql(span, {RARE_ACTOR})
    activity_row = {"actor": RARE_ACTOR, "events": len(rows), "first": rows[-1]["at"], "last": rows[0]["at"]}
    return _actor(activity_row, label["label"]) | {"timeline": [{"id": row["id"]} for row in rows]}


def groups(span: Span) -> AnswerGenerator:
    """The busiest 50 groups."""
    rows = yield (
        "SELECT strings['server_id'] AS server, count() AS events, toUnixTimestamp64Milli(max(timestamp)) AS last"
        f" FROM events {span.build_where()} GROUP BY server ORDER BY events DESC, server LIMIT {_PAGE}"
    )
    group_rows = [
        {"groupKey": row["server"], "eventCount": row["events"], "lastSeen": iso_ms(row["last"])} for row in rows
    ]
    return {"groups": group_rows}


def rare_group(span: Span) -> AnswerGenerator:
    """All events of one group, from which everything else follows."""
    where_sql = span.build_where(f"strings['server_id'] = '{RARE_GROUP}'")
    rows = yield (
        "SELECT id, toUnixTimestamp64Milli(timestamp) AS at, name, source, properties, actor"
        f" FROM events {where_sql} ORDER BY timestamp DESC"
    )
    label_rows = yield build_labels_sql(span, {row["actor"] for row in rows})
    label_by_actor = {row["actor"]: row["label"] for row in label_rows}
    recent_events = [{"id": row["id"], "actorLabel": label_by_actor[row["actor"]]} for row in rows]
    first_and_last = {"firstSeen": iso_ms(rows[-1]["at"]), "lastSeen": iso_ms(rows[0]["at"])}
    return first_and_last | {"eventCount": len(rows), "recent": recent_events}


def full_scan(span: Span) -> str:
    """Looks at the actor of every event."""
    return f"SELECT countIf(actor = '{RARE_ACTOR}') FROM events {span.build_where()}"


def _actor(row: JsonRow, label: str) -> JsonRow:
    first_and_last = {"firstSeen": iso_ms(row["first"]), "lastSeen": iso_ms(row["last"])}
    return first_and_last | {"actorKey": row["actor"], "eventCount": row["events"], "label": label}
