"""Where a person has signed in, known by a keyed hash, and forgotten with their password."""

from pathlib import Path
from typing import Any

from cryptography.fernet import Fernet

from harness.stores.metadata_edits import at_rest
from tallyroom.auth.places.familiar import MAX_PLACES, FamiliarPlaces
from tallyroom.auth.resets import set_password_ending_sessions
from tallyroom.core.vault import Vault
from tallyroom.storage.metadata.connection import Database

HOME = "192.0.2.7"


async def note(database: Database, places: FamiliarPlaces, *names: str, user: str = "owner") -> None:
    for place in names:
        async with database.session(write=True) as db:
            await places.note_sign_in(db, user, place)


async def has(database: Database, places: FamiliarPlaces, *names: str, user: str = "owner") -> list[bool]:
    return [await places.is_familiar(database, user, place) for place in names]


async def test_a_place_is_familiar_to_its_user_alone(database: Database, vault: Vault, fake_clock: Any) -> None:
    places = FamiliarPlaces(vault, fake_clock)
    await note(database, places, HOME)
    await note(database, places, HOME)
    assert await has(database, places, HOME, "192.0.2.8") == [True, False]
    assert await has(database, places, HOME, user="viewer") == [False]
    assert await has(database, places, HOME, user="") == [False]


async def test_the_newest_are_kept(database: Database, vault: Vault, fake_clock: Any) -> None:
    places = FamiliarPlaces(vault, fake_clock)
    names = [f"198.51.100.{number}" for number in range(MAX_PLACES + 1)]
    for name in (*names[:MAX_PLACES], names[0], names[MAX_PLACES]):
        await note(database, places, name)
        fake_clock.advance(1)
    assert await has(database, places, *names) == [True, False] + [True] * (MAX_PLACES - 1)


async def test_nobody_tells_an_address_from_what_is_stored(
    database: Database, vault: Vault, fake_clock: Any, tmp_path: Path
) -> None:
    places = FamiliarPlaces(vault, fake_clock)
    await note(database, places, HOME)
    assert HOME.encode() not in at_rest(tmp_path)
    another = FamiliarPlaces(Vault([Fernet.generate_key().decode()]), fake_clock)
    assert await has(database, another, HOME) == [False]
    assert (vault.compute_keyed_hash("a"), len(vault.compute_keyed_hash("a"))) == (vault.compute_keyed_hash("a"), 16)


async def test_a_new_password_forgets_them(database: Database, vault: Vault, fake_clock: Any) -> None:
    places = FamiliarPlaces(vault, fake_clock)
    await note(database, places, HOME)
    await note(database, places, HOME, user="viewer")
    async with database.session(write=True) as db:
        await set_password_ending_sessions(db, "owner", "x")
    assert await has(database, places, HOME) == [False]
    assert await has(database, places, HOME, user="viewer") == [True]
