"""A metadata database with two workspaces, and the services of the authenticator on a clock that tests move."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet

from harness.clients.cookies import COOKIE
from harness.stores.metadata import opened
from tallyroom.auth.api_keys import KeyCache
from tallyroom.auth.authenticator import Authenticator
from tallyroom.auth.cookies import SessionCookies
from tallyroom.auth.passwords import Passwords
from tallyroom.auth.places.familiar import FamiliarPlaces
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.roles import Role
from tallyroom.auth.secrets import hash_secret, mint_key, mint_personal_token, mint_stats_token, visible_prefix
from tallyroom.auth.sessions import SessionStore
from tallyroom.auth.signatures import WebhookAuthenticator
from tallyroom.auth.stats_tokens import StatsTokenCache
from tallyroom.auth.tokens.cache import PersonalTokenCache
from tallyroom.core.errors import StatisticsRateLimited
from tallyroom.core.ids import IdGenerator
from tallyroom.core.settings import Settings
from tallyroom.core.vault import Vault
from tallyroom.storage.limits.sliding_window import SlidingWindow
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import (
    ApiKey,
    Environment,
    Membership,
    PersonalToken,
    StatsToken,
    User,
    Workspace,
)

TOKEN_LIMIT = 20
WEBHOOK_LIMIT = 30

MintKey = Callable[..., Awaitable[tuple[str, str]]]


@pytest.fixture
async def database(metadata: Path) -> AsyncIterator[Database]:
    database = opened(metadata)
    async with database.session(write=True) as db:
        for name in ("acme", "other"):
            db.add(Workspace(id=name, name=name, plan="paid", timezone="UTC", created_at_ms=0))
        await db.flush()
        for name in ("acme", "other"):
            for environment in ("production", "development"):
                db.add(Environment(workspace_id=name, name=environment, created_at_ms=0))
        for role in ("viewer", "developer", "admin", "owner"):
            db.add(User(id=role, email=f"{role}@example.com", name=role, password_hash="", created_at_ms=0))
            await db.flush()
            db.add(Membership(user_id=role, workspace_id="acme", role=role, joined_at_ms=1))
    yield database
    await database.close()


@pytest.fixture
def key_cache(database: Database, fake_clock: Any) -> KeyCache:
    return KeyCache(database, fake_clock)


@pytest.fixture
def sessions(database: Database, fake_clock: Any) -> SessionStore:
    return SessionStore(database, fake_clock, IdGenerator(fake_clock))


@pytest.fixture
async def owner(database: Database, sessions: SessionStore) -> MemberPrincipal:
    """The owner of acme, signed in there."""
    async with database.session(write=True) as db:
        token = await sessions.create(db, "owner", "acme")
    return MemberPrincipal("owner", "acme", Role.OWNER, "paid", hash_secret(token))


@pytest.fixture
def stats_tokens(database: Database, fake_clock: Any) -> StatsTokenCache:
    return StatsTokenCache(database, fake_clock)


@pytest.fixture
def personal_tokens(database: Database, fake_clock: Any) -> PersonalTokenCache:
    return PersonalTokenCache(database, fake_clock)


@pytest.fixture
def vault() -> Vault:
    return Vault([Fernet.generate_key().decode()])


@pytest.fixture
def signatures(database: Database, vault: Vault, fake_clock: Any) -> WebhookAuthenticator:
    return WebhookAuthenticator(database, vault, fake_clock)


@pytest.fixture
def authenticator(
    database: Database,
    key_cache: KeyCache,
    stats_tokens: StatsTokenCache,
    personal_tokens: PersonalTokenCache,
    sessions: SessionStore,
    vault: Vault,
    fake_clock: Any,
) -> Authenticator:
    return Authenticator(
        database,
        key_cache,
        stats_tokens,
        personal_tokens,
        WebhookAuthenticator(database, vault, fake_clock),
        SlidingWindow("statistics", TOKEN_LIMIT, fake_clock, StatisticsRateLimited),
        SlidingWindow("statistics", WEBHOOK_LIMIT, fake_clock, StatisticsRateLimited),
        sessions,
        SessionCookies(COOKIE, is_secure=False),
        Settings(),
        Passwords(time_cost=1, memory_kib=8),
        FamiliarPlaces(vault, fake_clock),
    )


@pytest.fixture
def mint(database: Database) -> MintKey:
    """Stores a new key of the workspace acme; answers its id and its secret."""

    async def mint(environment: str = "production", workspace_id: str = "acme") -> tuple[str, str]:
        id_generator = IdGenerator()
        secret = mint_key(id_generator, environment)
        key = ApiKey(
            id=id_generator.new(),
            workspace_id=workspace_id,
            environment=environment,
            name="k",
            prefix=visible_prefix(secret),
            secret_hash=hash_secret(secret),
            created_at_ms=0,
        )
        async with database.session(write=True) as db:
            db.add(key)
        return key.id, secret

    return mint


@pytest.fixture
def mint_stats(database: Database) -> MintKey:
    """Stores a new token of the Statistics API of the workspace acme; answers its id and its secret."""

    async def mint(scope: str = "read", bot_id: str | None = None) -> tuple[str, str]:
        id_generator = IdGenerator()
        secret = mint_stats_token(id_generator)
        token = StatsToken(
            id=id_generator.new(),
            workspace_id="acme",
            name="t",
            scope=scope,
            bot_id=bot_id,
            prefix=visible_prefix(secret),
            secret_hash=hash_secret(secret),
            created_at_ms=0,
        )
        async with database.session(write=True) as db:
            db.add(token)
        return token.id, secret

    return mint


@pytest.fixture
def mint_personal(database: Database) -> MintKey:
    """Stores a new personal access token of a member of the workspace acme; answers its id and its secret."""

    async def mint(
        user_id: str = "owner", scopes: str = "read", environment: str | None = None, expires_at_ms: int | None = None
    ) -> tuple[str, str]:
        id_generator = IdGenerator()
        secret = mint_personal_token(id_generator)
        token = PersonalToken(
            id=id_generator.new(),
            workspace_id="acme",
            created_by=user_id,
            name="t",
            scopes=scopes,
            environment=environment,
            prefix=visible_prefix(secret),
            secret_hash=hash_secret(secret),
            created_at_ms=0,
            expires_at_ms=expires_at_ms,
        )
        async with database.session(write=True) as db:
            db.add(token)
        return token.id, secret

    return mint
