"""store.migrate, each case in a process of its own, because this one holds the store of the other tests."""

from pathlib import Path

import pytest

from harness.servers.child import run_child
from tallyroom.storage.event_store.migrate import _join_alterations, _read_statements_by_version, _split_statements

PRELUDE = """
import os, sys
from pathlib import Path
from tallyroom.storage.event_store.backend.embedded.backend import EmbeddedBackend
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.event_store.migrate import StoreTooNew, TablesMissing, _read_statements_by_version, migrate

writer = Writer(EmbeddedBackend(Path(sys.argv[1])))

def tables():
    return writer.command("SELECT groupArray(name) FROM (SELECT name FROM system.tables WHERE database = 'default' ORDER BY name)").strip()

def versions():
    return writer.command("SELECT arraySort(groupArray(version)) FROM schema_migrations").strip()
"""
NAMES = (
    "actor_labels",
    "actor_labels_of_events",
    "bot_counters",
    "bot_counters_daily",
    "bot_counters_daily_of_counters",
    "bot_votes",
    "events",
    "hidden_events",
    "schema_migrations",
)
ALL = str(list(NAMES)).replace(" ", "")
NEWEST = max(_read_statements_by_version())
STATEMENTS = [statement for _, each in sorted(_read_statements_by_version().items()) for statement in each]
LATER_STATEMENTS = STATEMENTS[len(_read_statements_by_version()[1]) :]
EACH = f"[{','.join(str(version) for version in sorted(_read_statements_by_version()))}]"


def run(path: Path, code: str, exits: int = 0) -> list[str]:
    return run_child(PRELUDE + code, path, exits=exits).stdout.splitlines()


@pytest.mark.long
def test_a_fresh_store_gets_everything_once(tmp_path: Path) -> None:
    answer = run(tmp_path / "e", "print(migrate(writer), migrate(writer), versions()); print(tables()); writer.close()")
    assert answer == [f"{NEWEST} {NEWEST} {EACH}", ALL]
    assert run(tmp_path / "e", "print(migrate(writer), versions()); writer.close()") == [f"{NEWEST} {EACH}"]


@pytest.mark.long
def test_a_newer_store_is_refused_and_left_alone(tmp_path: Path) -> None:
    code = """
migrate(writer)
writer.command("INSERT INTO schema_migrations (version) VALUES (99)")
try:
    migrate(writer)
except StoreTooNew as error:
    print(error.message)
print(versions())
writer.close()
"""
    message, unchanged = run(tmp_path / "e", code)
    assert "99" in message
    assert unchanged == f"{EACH[:-1]},99]"


CRASHING = """
class Crashing:
    def __init__(self, countdown):
        self.countdown = countdown

    def command(self, sql, *arguments):
        self.countdown -= 1
        if self.countdown < 0:
            raise KeyboardInterrupt
        return writer.command(sql, *arguments)
"""


@pytest.mark.long
@pytest.mark.parametrize("every", [7, 1])
@pytest.mark.parametrize(
    ("old", "count"),
    [(0, len(_join_alterations(STATEMENTS)) + 1), (1, len(LATER_STATEMENTS) + NEWEST - 1)],
    ids=["new", "upgraded"],
)
def test_a_stop_between_any_two_statements_is_mended_by_the_next_start(
    tmp_path: Path, old: int, count: int, every: int
) -> None:
    stops = range(0, 2 + count, every)  # the ledger, the look into it, statements and notes
    code = f"""{CRASHING}
for countdown in {stops}:
    if {old}:
        migrate(writer, {old})
    try:
        migrate(Crashing(countdown))
    except KeyboardInterrupt:
        pass
    else:
        print("not stopped")
    print(migrate(writer), versions(), tables())
    for table in {sorted(NAMES, key=lambda name: "_of_" not in name)}:
        writer.command(f"DROP TABLE {{table}} SYNC")
writer.close()
"""
    assert run(tmp_path / "e", code) == [f"{NEWEST} {EACH} {ALL}"] * len(stops)


@pytest.mark.long
def test_a_process_that_dies_between_statements_is_mended_by_the_next(tmp_path: Path) -> None:
    code = f"""{CRASHING}
try:
    migrate(Crashing(3))
except KeyboardInterrupt:
    os._exit(9)
"""
    run(tmp_path / "e", code, exits=9)
    assert run(tmp_path / "e", "print(migrate(writer), versions(), tables()); writer.close()") == [
        f"{NEWEST} {EACH} {ALL}"
    ]


@pytest.mark.parametrize(
    ("text", "statements"),
    [
        ("SELECT 1;", ["SELECT 1"]),
        ("-- a; b\nSELECT 1;\n  -- c;\nSELECT 2\n;\n", ["SELECT 1", "SELECT 2"]),
        ("", []),
        (";;\n;", []),
    ],
)
def test_statements_end_at_semicolons_outside_comments(text: str, statements: list[str]) -> None:
    assert _split_statements(text) == statements


@pytest.mark.parametrize(
    ("statements", "joined"),
    [
        ([], []),
        (["ALTER TABLE a ADD x\nInt8", "ALTER TABLE a ADD y Int8"], ["ALTER TABLE a ADD x\nInt8, ADD y Int8"]),
        (
            ["ALTER TABLE a ADD x Int8", "ALTER TABLE b ADD y Int8"],
            ["ALTER TABLE a ADD x Int8", "ALTER TABLE b ADD y Int8"],
        ),
        (["ALTER TABLE a ADD x Int8", "CREATE b", "ALTER TABLE a ADD y Int8"], None),
    ],
)
def test_only_changes_of_one_table_in_a_row_are_joined(statements: list[str], joined: list[str] | None) -> None:
    assert _join_alterations(statements) == (statements if joined is None else joined)


def test_a_new_store_is_the_same_as_an_upgraded_one(tmp_path: Path) -> None:
    code = f"""
def definitions():
    return writer.command("SELECT name, create_table_query FROM system.tables WHERE database = 'default' ORDER BY name")

migrate(writer)
new = definitions()
for table in {sorted(NAMES, key=lambda name: "_of_" not in name)}:
    writer.command(f"DROP TABLE {{table}} SYNC")
for version in sorted(_read_statements_by_version()):
    migrate(writer, version)
print(len(new.splitlines()), new == definitions())
writer.close()
"""
    assert run(tmp_path / "e", code) == [f"{len(NAMES)} True"]


def test_an_upgrade_is_told_once_and_a_new_store_is_none(tmp_path: Path) -> None:
    code = "[migrate(writer, to, lambda *told: print(*told)) for to in (1, None, None)]; writer.close()"
    assert run(tmp_path / "e", code) == [f"1 {NEWEST}"]


def test_every_statement_can_run_twice() -> None:
    statements = [statement for version in _read_statements_by_version().values() for statement in version]
    assert statements
    repeatable = ("IF NOT EXISTS", "IF EXISTS", "MODIFY SETTING")
    assert all(any(words in statement for words in repeatable) for statement in statements)


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    ["events", "actor_labels", "actor_labels_of_events"],
)
def test_a_store_that_has_lost_a_table_is_refused_and_not_begun_anew(tmp_path: Path, name: str) -> None:
    run(tmp_path / "e", "migrate(writer); writer.close()")
    [description] = (tmp_path / "e").glob(f"store/*/*/{name}.sql")
    away = tmp_path / "away.sql"
    description.rename(away)
    code = """
try:
    migrate(writer)
except TablesMissing as error:
    print(error.message)
writer.close()
"""
    [sentence] = run(tmp_path / "e", code)
    assert sentence.startswith(f"The event store has lost the definition of {name}. ")
    away.rename(description)
    assert run(tmp_path / "e", "print(migrate(writer)); writer.close()") == [str(NEWEST)]
