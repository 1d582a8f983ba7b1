"""A text reaches the store only if each of its reads stays in one workspace and environment."""

import pytest

from tallyroom.storage.event_store.scope import UnscopedQuery, compile_scope

MINE = "SELECT count() AS n FROM events WHERE {scope}"


@pytest.mark.parametrize(
    "sql",
    [
        MINE,
        "SELECT actor FROM actor_labels WHERE {scope} AND actor IN {actors:Array(String)}",
        f"{MINE} AND actor IN (SELECT actor FROM actor_labels WHERE {{scope}})",
        f"SELECT n FROM ({MINE}) WHERE n > 1",
        f"WITH mine AS ({MINE}) SELECT n FROM mine",
    ],
)
def test_a_query_whose_every_read_has_its_scope_passes(sql: str) -> None:
    assert compile_scope(sql).count(
        "workspace_id = {workspace_id:UUID} AND environment = {environment:String}"
    ) == sql.count("{scope}")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1",
        "SELECT count() FROM events",
        "select count() from events",
        "SELECT count() FROM actor_labels",
        "SELECT count() FROM\n  events",
        f"{MINE} UNION ALL SELECT count() FROM events",
        f"{MINE} AND actor IN (SELECT actor FROM actor_labels)",
        "SELECT count() FROM events JOIN actor_labels USING actor WHERE {scope}",
        "SELECT count() FROM events WHERE {scope} AND {scope}",
        f"{MINE} INTO OUTFILE '/tmp/x'",
        f"{MINE} into outfile '/tmp/x'",
        f"{MINE}; DROP TABLE events",
        f"{MINE};",
        f"{MINE} FORMAT CSV",
        f"{MINE} SETTINGS max_result_rows = 0",
        f"{MINE} UNION ALL SELECT count() FROM file('/etc/passwd')",
        f"{MINE} UNION ALL SELECT count() FROM url ('http://h/')",
        f"{MINE} UNION ALL SELECT n FROM numbers(3)",
        "SELECT count() FROM events JOIN file('/etc/passwd') AS f ON true WHERE {scope}",
        f"INSERT INTO events SELECT * FROM ({MINE})",
        "SYSTEM STOP MERGES events",
        "USE system",
        "SET readonly = 0",
    ],
)
def test_a_query_that_forgets_a_scope_or_is_more_than_a_select_is_refused(sql: str) -> None:
    with pytest.raises(UnscopedQuery):
        compile_scope(sql)


# Each has a read with its scope, and reads past it as well.
TRICKS = {
    "comma join": "SELECT count() AS n FROM events AS mine, events AS all WHERE mine.{scope}",
    "double quotes": f'{MINE} UNION ALL SELECT count() FROM "events"',
    "backticks": f"{MINE} UNION ALL SELECT count() FROM `events`",
    "database": f"{MINE} UNION ALL SELECT count() FROM default.events",
    "database, joined": "SELECT count() AS n FROM events AS e JOIN default.events AS f ON true WHERE {scope}",
    "database, with": "WITH o AS (SELECT * FROM default.events) SELECT count() AS n FROM events, o WHERE events.{scope}",
    "database, in": f"{MINE} OR actor IN (SELECT actor FROM default.events)",
    "comment as space": f"{MINE} UNION ALL SELECT count() FROM/**/events",
    "comment as space, function": f"{MINE} UNION ALL SELECT count() FROM/**/merge('default', '^events$')",
    "the view reads its table": f"{MINE} UNION ALL SELECT count() FROM actor_labels_of_events",
    "identifier as parameter": f"{MINE} UNION ALL SELECT count() FROM {{t:Identifier}}",
    "scope in a comment": "SELECT count() AS n FROM events /* WHERE {scope} */",
    "scope in a line comment": "SELECT count() AS n FROM events -- {scope}",
    "scope in a string": "SELECT count() AS n FROM events WHERE '{scope}' != ''",
    "scope in an alternative": f"{MINE} OR true",
    "scope denied": "SELECT count() AS n FROM events WHERE NOT ({scope})",
    "a file as a value": "SELECT length(file('/etc/hostname')) AS n FROM events WHERE {scope}",
    "a choice instead of an alternative": f"{MINE} AND true ? true : true",
    "comma after a sub-query": "SELECT count() AS n FROM (SELECT 1 FROM events WHERE {scope}) AS x, actor_labels_of_events AS v",
    "table function after a comma": (
        "SELECT count() AS n FROM (SELECT 1 FROM events WHERE {scope}) AS x, mergeTreeIndex('default', 'events') AS v"
    ),
    "in a table": f"{MINE} AND (1, 2) IN actor_labels_of_events",
    "a name of with, outside of it": (
        f"{MINE} AND 1 IN (WITH actor_labels_of_events AS (SELECT 1) SELECT 1)"
        " UNION ALL SELECT count() FROM actor_labels_of_events"
    ),
    "no select": "SHOW TABLES -- FROM events {scope}",
    "a kill": "KILL QUERY WHERE false -- FROM events {scope}",
}


@pytest.mark.parametrize("sql", TRICKS.values(), ids=TRICKS)
def test_no_trick_of_the_dialect_reads_past_the_scope(sql: str) -> None:
    with pytest.raises(UnscopedQuery):
        compile_scope(sql)


@pytest.mark.parametrize("spelling", ["FROM events WHERE {scope}", "from events AS e\n  where\t{scope}"])
def test_what_is_hidden_is_left_out_of_every_read_of_events(spelling: str) -> None:
    sql = f"SELECT n FROM (SELECT count() AS n {spelling}) UNION ALL SELECT count() {spelling} AND name = 'a'"
    assert compile_scope(sql).count("hidden_events") == 0
    assert (
        compile_scope(sql, hides_events=True).count("NOT IN (SELECT timestamp, spool, seq FROM hidden_events WHERE")
        == 2
    )


def test_one_list_shows_what_is_hidden() -> None:
    sql = "SELECT name FROM events WHERE {scope_with_hidden} AND seq IN (SELECT seq FROM hidden_events WHERE {scope})"
    assert compile_scope(sql, hides_events=True) == compile_scope(sql)
    assert "{scope" not in compile_scope(sql)
