"""docs/howto/scale.md promises no more than there is."""

from pathlib import Path

from tallyroom.cluster.postgresql import database, worker_registry
from tallyroom.core.settings import PREFIX, SERVER_SETTINGS, Settings
from tallyroom.storage.event_store.backend.server.requirements import MIN_VERSION

ROOT = Path(__file__).parents[2]
UNTESTED = (
    "PostgreSQL, Redis and several workers are tested with real servers at every commit. "
    "ClickHouse over HTTP is tested against the same engine behind a small HTTP front. "
    "A replicated or sharded ClickHouse cluster is written and documented, and **has not been run by us**."
)


def text_of(page: str) -> str:
    return " ".join((ROOT / page).read_text(encoding="utf-8").split())


PAGE = text_of("docs/howto/scale.md")


def test_what_was_not_run_is_said_word_for_word() -> None:
    assert UNTESTED in PAGE


def test_it_names_each_setting() -> None:
    assert [name for name in (*SERVER_SETTINGS, f"{PREFIX}SECRET_KEY") if f"`{name}`" not in PAGE] == []
    named = {word.strip("`|.,:;") for word in PAGE.split() if word.startswith(f"`{PREFIX}")}
    assert named <= {f"{PREFIX}{field.upper()}" for field in Settings.__struct_fields__}


def test_its_numbers_are_those_of_the_code() -> None:
    connections = (
        database._READ_CONNECTION_COUNT
        + database._LOOK_UP_CONNECTION_COUNT
        + database._SCAN_CONNECTION_COUNT
        + len(("writes", "listens"))
    )
    assert f"up to {connections} connections" in PAGE
    assert (worker_registry.TRUST_SECONDS, worker_registry.LEASE_SECONDS) == (8, 10)
    assert "eight seconds" in PAGE
    assert "ten seconds" in PAGE
    assert f"**ClickHouse**, {MIN_VERSION[0]}.{MIN_VERSION[1]} or newer" in PAGE
