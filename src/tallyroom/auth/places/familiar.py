"""The places from which a person has signed in, and where they go first in the queue (rules/people#sign-in-turns)."""

from tallyroom.auth.places import repository
from tallyroom.core.clock import Clock
from tallyroom.core.vault import Vault
from tallyroom.storage.metadata.connection import Database, Session

MAX_PLACES = 20  # the most places kept for one person: home, work and a phone leave room for journeys


class FamiliarPlaces:
    """Stores places as keyed hashes, which reveal no address without the server's key."""

    def __init__(self, vault: Vault, clock: Clock) -> None:
        self._vault = vault
        self._clock = clock

    async def is_familiar(self, database: Database, user_id: str, client_network: str) -> bool:
        """Return whether the user has signed in from this network; an unknown user costs the same look-up."""
        return await repository.has_place(database, user_id, self._hash_place(user_id, client_network))

    async def note_sign_in(self, db: Session, user_id: str, client_network: str) -> None:
        """Store a sign-in within the transaction `db`; above `MAX_PLACES`, delete the least recently used place."""
        await repository.note_place(
            db, user_id, self._hash_place(user_id, client_network), self._clock.now_ms(), MAX_PLACES
        )

    def _hash_place(self, user_id: str, client_network: str) -> bytes:
        return self._vault.compute_keyed_hash(f"familiar place\0{user_id}\0{client_network}")
