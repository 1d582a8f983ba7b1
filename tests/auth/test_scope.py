"""Which environment a read is about (rules/actors-and-groups#environment)."""

import pytest

from tallyroom.auth.roles import Role
from tallyroom.auth.scope import environment_of
from tallyroom.auth.tenant import KeyPrincipal, SessionPrincipal
from tallyroom.core.errors import Forbidden, ValidationFailed
from tallyroom.db.connection import Database

KEY = KeyPrincipal("k", "acme", "development", "paid")
SESSION = SessionPrincipal("viewer", "acme", Role.VIEWER, "paid", b"")


@pytest.mark.parametrize("asked", [None, "development"])
async def test_a_key_reads_its_own_environment(database: Database, asked: str | None) -> None:
    async with database.session(write=False) as db:
        assert await environment_of(KEY, asked, db) == "development"


@pytest.mark.parametrize("asked", ["production", "nowhere", ""])
async def test_a_key_reads_no_other_environment(database: Database, asked: str) -> None:
    async with database.session(write=False) as db:
        with pytest.raises(Forbidden):
            await environment_of(KEY, asked, db)


@pytest.mark.parametrize(("asked", "meant"), [(None, "production"), ("development", "development")])
async def test_a_session_chooses_and_defaults_to_production(database: Database, asked: str | None, meant: str) -> None:
    async with database.session(write=False) as db:
        assert await environment_of(SESSION, asked, db) == meant


@pytest.mark.parametrize("asked", ["nowhere", "", "Production"])
async def test_an_unknown_environment_is_named(database: Database, asked: str) -> None:
    async with database.session(write=False) as db:
        with pytest.raises(ValidationFailed) as refused:
            await environment_of(SESSION, asked, db)
    assert refused.value.details[0].path == ["environment"]
