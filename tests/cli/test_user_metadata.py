"""Commands of the operator work on the metadata that the servers use, wherever it is."""

import asyncpg
import pytest

from harness.servers.command import Done, tallyroom

WORKSPACE = "INSERT INTO workspaces (id, name, plan, timezone, created_at_ms) VALUES ('w1', 'Acme', 'paid', 'UTC', 0)"


def command(dsn: str, *words: str) -> Done:
    """A subcommand whose settings name the database."""
    return tallyroom(*words, servers={"db_dsn": dsn})


@pytest.mark.long
async def test_a_plan_on_a_server_is_set_when_every_worker_knows_of_it(dsn: str) -> None:
    operator = await asyncpg.connect(dsn)
    await operator.execute(WORKSPACE)
    done = command(dsn, "workspace", "set-plan", "Acme", "free")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "Acme (w1) is now free; it was paid.\n"
    assert await operator.fetchval("SELECT plan FROM workspaces") == "free"
    await operator.execute("INSERT INTO workers VALUES (1, 'deaf', 'far', 's', 0, now() + interval '1 second')")
    assert command(dsn, "workspace", "set-plan", "Acme", "paid").returncode == 0
    lease_is_over = "SELECT lease_until < now() FROM workers"
    assert await operator.fetchval(lease_is_over), "it waits for a worker that hears nothing, until its lease ends"
    await operator.close()


async def test_a_database_of_another_version_is_refused(dsn: str) -> None:
    operator = await asyncpg.connect(dsn)
    await operator.execute("UPDATE alembic_version SET version_num = '9999_x'")
    await operator.close()
    done = command(dsn, "workspace", "list")
    assert done.returncode == 1
    assert "The metadata database has the schema 9999_x, but this program needs" in done.stderr


@pytest.mark.long
def test_a_server_that_does_not_answer_is_an_error() -> None:
    done = command("postgresql://127.0.0.1:1/none", "workspace", "list")
    assert done.returncode == 1
    assert done.stderr.startswith("tallyroom: The metadata database does not respond")
