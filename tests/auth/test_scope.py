"""Which environment a read is about (rules/actors-and-groups#environment, rules/people#limited-token)."""

import msgspec
import pytest

from tallyroom.auth.principals import KeyPrincipal, MemberPrincipal, TokenGrant, TokenScope
from tallyroom.auth.roles import Role
from tallyroom.auth.scope import environment_of, scope_of, sees_environment
from tallyroom.core.errors import Forbidden, ValidationFailed
from tallyroom.storage.metadata.connection import Database

KEY = KeyPrincipal("k", "acme", "development", "paid")
SESSION = MemberPrincipal("viewer", "acme", Role.VIEWER, "paid", b"")


def by_token(environment: str | None) -> MemberPrincipal:
    grant = TokenGrant("t", frozenset({TokenScope.READ}), environment, None, Role.VIEWER)
    return msgspec.structs.replace(SESSION, token_grant=grant)


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


@pytest.mark.parametrize("asked", [None, "development"])
async def test_a_limited_token_reads_its_environment(database: Database, asked: str | None) -> None:
    limited = by_token("development")
    async with database.session(write=False) as db:
        assert await environment_of(limited, asked, db) == "development"
    assert (await scope_of(limited, asked, database)).environment == "development"


@pytest.mark.parametrize("asked", ["production", "nowhere", ""])
async def test_a_limited_token_reads_no_other(database: Database, asked: str) -> None:
    async with database.session(write=False) as db:
        with pytest.raises(Forbidden, match="This token can only read the development environment"):
            await environment_of(by_token("development"), asked, db)
    with pytest.raises(Forbidden):
        await scope_of(by_token("development"), asked, database)


async def test_a_token_without_a_limit_reads_like_its_maker(database: Database) -> None:
    async with database.session(write=False) as db:
        assert await environment_of(by_token(None), None, db) == "production"
        assert await environment_of(by_token(None), "development", db) == "development"
        with pytest.raises(ValidationFailed):
            await environment_of(by_token(None), "nowhere", db)


def test_who_sees_what() -> None:
    everyone: dict[str, KeyPrincipal | MemberPrincipal] = {
        "session": SESSION,
        "token": by_token(None),
        "limited": by_token("development"),
        "key": KEY,
    }
    seen = {
        who: [name for name in ("production", "development") if sees_environment(each, name)]
        for who, each in everyone.items()
    }
    both, one = ["production", "development"], ["development"]
    assert seen == {"session": both, "token": both, "limited": one, "key": one}
