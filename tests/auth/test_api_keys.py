"""The cache of API keys: right at every moment, fast, and bounded."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from harness.stores.metadata import opened
from harness.stores.metadata_edits import run_beside
from tallyroom.auth import credential_cache, repository
from tallyroom.auth.api_keys import KeyCache, KeyRefused
from tallyroom.auth.principals import KeyPrincipal
from tallyroom.auth.secrets import mint_key, mint_session_token
from tallyroom.core.ids import IdGenerator
from tallyroom.storage.metadata.connection import ChangeKind, Database
from tallyroom.storage.metadata.models import ApiKey, Workspace


def bearer(secret: str) -> bytes:
    return f"Bearer {secret}".encode()


async def revoke(database: Database, key_id: str) -> None:
    async with database.session(write=True) as db:
        await db.execute(update(ApiKey).where(ApiKey.id == key_id).values(revoked_at_ms=1))


async def test_a_key_decides_workspace_and_environment(key_cache: KeyCache, mint: Any) -> None:
    key_id, secret = await mint("development")
    assert await key_cache.authenticate(bearer(secret)) == KeyPrincipal(key_id, "acme", "development", "paid")


async def test_the_scheme_ignores_case(key_cache: KeyCache, mint: Any) -> None:
    _, secret = await mint()
    assert (await key_cache.authenticate(f"bearer {secret}".encode())).workspace_id == "acme"


async def test_every_refusal_is_the_same(key_cache: KeyCache, database: Database, mint: Any) -> None:
    key_id, revoked = await mint()
    await revoke(database, key_id)
    valid = (await mint())[1]
    headers = [
        None,
        b"",
        b"Bearer",
        b"Bearer ",
        b"Bearer  " + valid.encode(),
        b"Basic " + valid.encode(),
        valid.encode(),
        bearer(valid) + b" ",
        bearer(valid[:-1]),
        bearer("tr_live_\xe9"),
        b"Bearer \xff\xfe",
        b"Bearer " + b"x" * 1_000_000,
        bearer(mint_key(IdGenerator(), "production")),
        bearer(mint_session_token(IdGenerator())),
        bearer(revoked),
    ]
    answers = set()
    for header in headers:
        with pytest.raises(KeyRefused) as refused:
            await key_cache.authenticate(header)
        answers.add((refused.value.status, refused.value.slug, refused.value.message, str(refused.value.headers)))
    assert len(answers) == 1


async def test_whose_key_was_refused_is_known_for_a_revoked_one(
    key_cache: KeyCache, database: Database, mint: Any
) -> None:
    key_id, secret = await mint()
    await revoke(database, key_id)
    with pytest.raises(KeyRefused) as refused:
        await key_cache.authenticate(bearer(secret))
    assert refused.value.workspace_id == "acme"
    with pytest.raises(KeyRefused) as refused:
        await key_cache.authenticate(bearer(mint_key(IdGenerator(), "production")))
    assert refused.value.workspace_id is None


async def test_a_revocation_holds_for_the_next_request(key_cache: KeyCache, database: Database, mint: Any) -> None:
    for _ in range(20):
        key_id, secret = await mint()
        await key_cache.authenticate(bearer(secret))
        await revoke(database, key_id)
        with pytest.raises(KeyRefused):
            await key_cache.authenticate(bearer(secret))


async def test_a_revocation_by_another_opening_of_the_file_holds(
    key_cache: KeyCache, metadata: Path, mint: Any
) -> None:
    key_id, secret = await mint()
    await key_cache.authenticate(bearer(secret))
    other = opened(metadata)
    await revoke(other, key_id)
    await other.close()
    with pytest.raises(KeyRefused):
        await key_cache.authenticate(bearer(secret))


async def test_a_change_of_plan_by_the_command_line_holds(key_cache: KeyCache, metadata: Path, mint: Any) -> None:
    _, secret = await mint()
    assert (await key_cache.authenticate(bearer(secret))).plan == "paid"
    run_beside(metadata.parent, "UPDATE workspaces SET plan = 'free' WHERE id = 'acme'")
    await asyncio.sleep(0)  # a later request is a later turn of the event loop
    assert (await key_cache.authenticate(bearer(secret))).plan == "free"


async def test_a_revocation_during_the_look_up_is_not_missed(
    key_cache: KeyCache, metadata: Path, mint: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, secret = await mint()
    find_key = repository.find_key

    async def find_then_revoke(*args: Any) -> Any:
        found = await find_key(*args)
        run_beside(metadata.parent, "UPDATE api_keys SET revoked_at_ms = 1")
        return found

    with monkeypatch.context() as patch:
        patch.setattr(repository, "find_key", find_then_revoke)
        await key_cache.authenticate(bearer(secret))  # it began before the revocation
    await asyncio.sleep(0)
    with pytest.raises(KeyRefused):
        await key_cache.authenticate(bearer(secret))


async def test_a_look_up_that_a_revocation_overtakes_is_not_cached(
    key_cache: KeyCache, database: Database, mint: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    key_id, secret = await mint()
    find_key, found, told = repository.find_key, asyncio.Event(), asyncio.Event()

    async def find_slowly(*args: Any) -> Any:
        key = await find_key(*args)
        found.set()
        await told.wait()
        return key

    with monkeypatch.context() as patch:
        patch.setattr(repository, "find_key", find_slowly)
        early = asyncio.create_task(key_cache.authenticate(bearer(secret)))
        await found.wait()
    await revoke(database, key_id)
    with pytest.raises(KeyRefused):
        await key_cache.authenticate(bearer(secret))
    told.set()
    assert (await early).key_id == key_id  # it began before the revocation
    with pytest.raises(KeyRefused):
        await key_cache.authenticate(bearer(secret))


async def test_look_ups_of_one_key_at_once_agree(
    key_cache: KeyCache, mint: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    key_id, secret = await mint()
    find_key = repository.find_key

    async def find_later(*args: Any) -> Any:
        await asyncio.sleep(0)
        return await find_key(*args)

    with monkeypatch.context() as patch:
        patch.setattr(repository, "find_key", find_later)
        found = await asyncio.gather(*(key_cache.authenticate(bearer(secret)) for _ in range(5)))
    assert {principal.key_id for principal in found} == {key_id}
    assert key_cache.get_cached(bearer(secret)) in found


async def test_a_known_key_is_not_looked_up_again(
    key_cache: KeyCache, mint: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, secret = await mint()
    first = await key_cache.authenticate(bearer(secret))
    monkeypatch.setattr(repository, "find_key", None)
    assert await key_cache.authenticate(bearer(secret)) is first


async def test_the_version_is_asked_once_in_a_turn_of_the_event_loop(
    key_cache: KeyCache, database: Database, mint: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, secret = await mint()
    await key_cache.authenticate(bearer(secret))
    asked = 0
    version = database.change_version

    def count(kind: ChangeKind) -> int:
        nonlocal asked
        asked += 1
        return version(kind)

    monkeypatch.setattr(database, "change_version", count)
    for turn in range(1, 4):
        await asyncio.sleep(0)
        for _ in range(5):
            await key_cache.authenticate(bearer(secret))
        assert asked == turn


async def test_unknown_keys_take_no_memory(key_cache: KeyCache) -> None:
    for _ in range(50):
        with pytest.raises(KeyRefused):
            await key_cache.authenticate(bearer(mint_key(IdGenerator(), "production")))
    assert not key_cache._principal_by_header
    assert not key_cache._last_used_ms_by_id


async def test_the_cache_is_bounded(key_cache: KeyCache, mint: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(credential_cache, "_MAX_ENTRIES", 3)
    secrets = [(await mint())[1] for _ in range(5)]
    for secret in secrets:
        await key_cache.authenticate(bearer(secret))
        assert len(key_cache._principal_by_header) <= 3


async def test_the_last_use_is_written_by_the_flush(
    key_cache: KeyCache, database: Database, fake_clock: Any, mint: Any
) -> None:
    key_id, secret = await mint()
    await mint()
    await key_cache.authenticate(bearer(secret))
    fake_clock.advance(5)
    await key_cache.authenticate(bearer(secret))
    await key_cache.flush_last_used()
    async with database.session(write=False) as db:
        used = dict((await db.execute(select(ApiKey.id, ApiKey.last_used_at_ms))).all())
    assert used.pop(key_id) == fake_clock.now_ms()
    assert list(used.values()) == [None]


async def test_a_first_use_is_written_soon_and_further_ones_with_the_flush(
    key_cache: KeyCache, database: Database, fake_clock: Any, mint: Any
) -> None:
    async def last_use() -> int | None:
        async with database.session(write=False) as db:
            used: int | None = await db.scalar(select(ApiKey.last_used_at_ms))
            return used

    _, secret = await mint()
    for flush in (key_cache.flush_newly_used, key_cache.flush_last_used, key_cache.flush_last_used):
        await flush()
    await key_cache.authenticate(bearer(secret))
    await key_cache.flush_newly_used()
    first = await last_use()
    assert first == fake_clock.now_ms()
    fake_clock.advance(5)
    await key_cache.authenticate(bearer(secret))
    await key_cache.flush_newly_used()
    assert await last_use() == first
    await key_cache.flush_last_used()
    assert await last_use() == fake_clock.now_ms()
    fake_clock.advance(5)
    await key_cache.authenticate(bearer(secret))
    await key_cache.flush_last_used()
    await key_cache.flush_last_used()
    fake_clock.advance(60_000)
    await key_cache.authenticate(bearer(secret))
    await key_cache.flush_newly_used()
    assert await last_use() == fake_clock.now_ms()


async def test_a_flush_without_news_writes_nothing(key_cache: KeyCache, database: Database) -> None:
    before = database.change_version("access")
    await key_cache.flush_last_used()
    assert database.change_version("access") == before


async def test_a_flush_that_fails_is_made_up_for(
    key_cache: KeyCache, mint: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, secret = await mint()
    await key_cache.authenticate(bearer(secret))
    with monkeypatch.context() as patch:
        patch.setattr(repository, "store_last_used", None)
        with pytest.raises(TypeError):
            await key_cache.flush_last_used()
    assert len(key_cache._last_used_ms_by_id) == 1
    await key_cache.flush_last_used()
    assert not key_cache._last_used_ms_by_id


async def test_a_flush_survives_a_key_that_is_gone(key_cache: KeyCache, database: Database, mint: Any) -> None:
    key_id, secret = await mint()
    _, kept = await mint()
    await key_cache.authenticate(bearer(secret))
    await key_cache.authenticate(bearer(kept))
    async with database.session(write=True) as db:
        await db.delete(await db.get_one(ApiKey, key_id))
    await key_cache.flush_last_used()
    async with database.session(write=False) as db:
        assert (await db.scalars(select(ApiKey.last_used_at_ms))).one() is not None
        assert await db.get(Workspace, "acme") is not None


async def test_a_key_is_remembered_until_the_database_changes(
    key_cache: KeyCache, database: Database, mint: Any
) -> None:
    key_id, secret = await mint()
    assert key_cache.get_cached(bearer(secret)) is None
    principal = await key_cache.authenticate(bearer(secret))
    assert key_cache.get_cached(bearer(secret)) == principal
    await revoke(database, key_id)
    await asyncio.sleep(0)  # the next turn of the loop
    assert key_cache.get_cached(bearer(secret)) is None
