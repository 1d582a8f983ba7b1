"""An upgrade keeps what an older version has written."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

from tallyroom.storage.metadata.migrate import migrate

_FOUNDED = "INSERT INTO workspaces VALUES ('acme', 'Acme', 'paid', 'UTC', 7);"

_EVERYTHING = f"""
    INSERT INTO users VALUES ('ann', 'ann@example.com', 'Ann', 'hash', 5);
    {_FOUNDED}
    INSERT INTO memberships VALUES ('ann', 'acme', 'owner');
    INSERT INTO environments VALUES ('acme', 'production', NULL, 7);
    INSERT INTO api_keys VALUES ('key', 'acme', 'production', 'n', 'tr_live_0000', x'00', 8, 'ann', NULL, NULL);
    INSERT INTO sessions VALUES (x'01', 'ann', 'acme', 9, 9, 99);
"""


def at_revision(folder: Path, revision: str, rows: str) -> Path:
    """A database as a version left it, with these rows."""
    made = folder / "metadata.sqlite"
    config = Config()
    config.set_main_option("script_location", "tallyroom.storage.metadata:migrations")
    with create_engine(f"sqlite:///{made}", poolclass=NullPool).begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    with closing(sqlite3.connect(made)) as database:
        database.executescript(rows)
    return made


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database as the first version left it, with one of everything."""
    return at_revision(tmp_path, "0001_identity", _EVERYTHING)


@pytest.mark.long
def test_everything_is_still_there(path: Path) -> None:
    tables = ("users", "workspaces", "memberships", "environments", "api_keys", "sessions")
    migrate(path)
    with closing(sqlite3.connect(path)) as database:
        for table in tables:
            assert database.execute(f"SELECT count(*) FROM {table}").fetchone() == (1,), table


@pytest.mark.long
def test_a_listing_that_was_fed_is_private(tmp_path: Path) -> None:
    path = at_revision(tmp_path, "0004_listings", f"{_FOUNDED} INSERT INTO listings VALUES ('acme', 12);")
    migrate(path)
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT * FROM listings").fetchall() == [("acme", 12, 0, None)]


def test_a_bot_that_was_fed_keeps_its_counters_and_nothing_was_chosen_for_it(tmp_path: Path) -> None:
    fed = "INSERT INTO bots SELECT 'acme', '17', 1, 0, 5, 5, 'n', '', 0, '[]', 0, '', '', '', '', '', '', NULL, '[]', 0"
    rest = ", NULL, 9, 5, NULL, NULL, 3, 5" + ", NULL" * 7 + ", 0, 0, 0, 0, NULL"
    path = at_revision(tmp_path, "0005_public_listings", f"{_FOUNDED} {fed}{rest};")
    migrate(path)
    with closing(sqlite3.connect(path)) as database:
        found = database.execute("SELECT monthly_votes, counter_source, counter_source_ms FROM bots").fetchall()
        assert found == [(3, None, None)]


@pytest.mark.long
@pytest.mark.parametrize(
    ("server_count", "shard_count", "shards", "is_whole", "remaining"),
    [
        (None, None, None, None, None),
        (9, None, None, 1, None),
        (9, 3, '{"0":4,"2":5}', None, '{"0":4,"2":5}'),  # two of three: not a whole count yet
        (9, None, '{"0":4,"2":5}', None, '{"0":4,"2":5}'),
        (9, 2, '{"0":4,"1":5}', 1, '{"0":4,"1":5}'),
        (30, 3, '{"0":4,"2":5}', 1, None),  # a whole count came after them
    ],
)
def test_a_bot_whose_shards_posted_has_a_whole_count_or_not(
    tmp_path: Path,
    server_count: int | None,
    shard_count: int | None,
    shards: str | None,
    is_whole: int | None,
    remaining: str | None,
) -> None:
    fed = "INSERT INTO bots SELECT 'acme', '17', 1, 0, 5, 5, 'n', '', 0, '[]', 0, '', '', '', '', '', '', NULL, '[]', 0"
    rest = ", NULL" * 14 + ", 0" * 4 + ", NULL" * 3
    path = at_revision(tmp_path, "0025_moved_away", f"{_FOUNDED} {fed}{rest};")
    with closing(sqlite3.connect(path)) as database, database:
        known = "UPDATE bots SET server_count = ?, server_count_ms = 5, shard_count = ?, shard_count_ms = 5, shards = ?"
        database.execute(known, (server_count, shard_count, shards))
    migrate(path)
    with closing(sqlite3.connect(path)) as database:
        found = database.execute("SELECT server_count_is_whole, shards, shards_ms FROM bots").fetchall()
        assert found == [(is_whole, remaining, None)]


def test_an_alert_keeps_its_channels_and_incidents(tmp_path: Path) -> None:
    rows = f"""
        {_FOUNDED}
        INSERT INTO environments VALUES ('acme', 'production', NULL, 7);
        INSERT INTO alert_channels VALUES ('channel', 'acme', 'n', 'email', 'x', 'x', NULL, 1, 1, 1);
        INSERT INTO alerts VALUES ('alert', 'acme', 'production', 'n', 'order', 'count', NULL, '[]', NULL, 'above', 5, 60,
            'warning', 30, 1, 'firing', 9, 6, 9, 1, 1);
        INSERT INTO alert_recipients VALUES ('alert', 'channel', 0);
        INSERT INTO incidents VALUES ('incident', 'alert', 9, NULL, 6, 1);
    """
    path = at_revision(tmp_path, "0010_digests", rows)
    migrate(path)
    with closing(sqlite3.connect(path)) as database:
        watched = database.execute("SELECT id, event, measure, filters, formula, updated_at_ms FROM alerts").fetchall()
        assert watched == [("alert", "order", "count", "[]", None, 1)]
        assert database.execute("SELECT * FROM alert_recipients").fetchall() == [("alert", "channel", 0)]
        assert database.execute("SELECT * FROM incidents").fetchall() == [
            ("incident", "alert", 9, None, 6, 1, None, None)
        ]
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []


@pytest.mark.long
def test_who_was_there_first_joined_when_the_workspace_was_made(path: Path) -> None:
    migrate(path)
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT joined_at_ms FROM memberships").fetchall() == [(7,)]


def test_annotations_get_keys_and_the_past_of_alerts_its_environment(tmp_path: Path) -> None:
    rows = f"""
        {_FOUNDED}
        INSERT INTO environments VALUES ('acme', 'production', NULL, 7);
        INSERT INTO annotations (id, workspace_id, environment, label, color, time_ms, created_at_ms)
        VALUES ('a', 'acme', 'production', 'v1', '#000000', 1, 1), ('b', 'acme', 'production', 'v2', '#000000', 1, 1);
        INSERT INTO alerts (id, workspace_id, environment, name, event, measure, filters, condition, window_minutes,
            severity, cooldown_minutes, enabled, status, created_at_ms, updated_at_ms)
        VALUES ('here', 'acme', 'production', 'n', 'e', 'count', '[]', 'nodata', 5, 'info', 0, 1, 'ok', 1, 1);
        INSERT INTO alert_activity (id, workspace_id, alert_id, alert_name, type, condition, severity, at_ms)
        VALUES ('1', 'acme', 'here', 'n', 'fired', 'nodata', 'info', 1),
            ('2', 'acme', 'deleted', 'n', 'fired', 'nodata', 'info', 1);
    """
    path = at_revision(tmp_path, "0010_digests", rows)
    migrate(path)
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT id, key FROM annotations ORDER BY id").fetchall() == [("a", None), ("b", None)]
        told = database.execute("SELECT id, environment FROM alert_activity ORDER BY id").fetchall()
        assert told == [("1", "production"), ("2", None)]
        database.execute("UPDATE annotations SET key = 'k' WHERE id = 'a'")
        with pytest.raises(sqlite3.IntegrityError):
            database.execute("UPDATE annotations SET key = 'k' WHERE id = 'b'")
