"""The valid credentials of one kind: looked up in the database, and cached while the database is unchanged."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Generic, TypeVar

from tallyroom.core.clock import Clock
from tallyroom.storage.metadata.connection import Database, Session

P = TypeVar("P")

MAX_HEADER_BYTES = 256  # bytes; an API key with its scheme has 53
_MAX_ENTRIES = 10_000  # ~5 MB; beyond that, the cache is emptied


class CredentialCache(ABC, Generic[P]):
    """Resolves an ``Authorization`` header to a principal of the kind `P`, on the hot path.

    Entries last until the database changes, so a revocation takes effect with the next request, or, from another
    process, with the event loop's next turn. Unknown credentials are not cached.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._principal_by_header: dict[bytes, P] = {}
        self._cached_access_version = database.change_version("access")
        self._access_version_this_turn: int | None = None
        self._last_used_ms_by_id: dict[str, int] = {}
        self._flushed_ids: set[str] = set()

    @abstractmethod
    async def _look_up_principal(self, authorization: bytes | None) -> P:
        """Look up the principal of a header that is not cached; raise `Unauthorized` without a valid credential."""

    @abstractmethod
    def _credential_id_of(self, principal: P) -> str:
        """Return the id of the principal's credential."""

    @abstractmethod
    async def _store_last_used(self, db: Session, last_used_ms_by_id: Mapping[str, int]) -> None:
        """Write the latest use (milliseconds UTC) of each credential by its id."""

    def _is_unexpired(self, principal: P) -> bool:  # noqa: ARG002 # for credentials that end by themselves
        """Return False if the principal's credential has expired since it was looked up."""
        return True

    async def authenticate(self, authorization: bytes | None) -> P:
        """Return the principal of a raw ``Authorization`` header; raise `Unauthorized` without a valid credential."""
        if authorization is None:
            return await self._look_up_principal(None)
        # Read the version before the look-up, so that the result is at least as new as it. The other way round, a
        # revocation between the two would be missed until the next change.
        access_version = self._current_access_version()
        principal = self.get_cached(authorization)
        if principal is None:
            principal = await self._look_up_principal(authorization)
            self._cache_principal(authorization, principal, access_version)
            self._note_use(principal)
        return principal

    def get_cached(self, authorization: bytes) -> P | None:
        """Return the principal of a header authenticated since the database last changed; None for any other."""
        access_version = self._current_access_version()
        if access_version != self._cached_access_version:
            self._principal_by_header.clear()
            self._cached_access_version = access_version
        principal = self._principal_by_header.get(authorization)
        if principal is None or not self._is_unexpired(principal):
            return None
        self._note_use(principal)
        return principal

    async def flush_last_used(self) -> None:
        """Write when each credential was last used, in one transaction. Cached credentials are then looked up again."""
        self._flushed_ids.clear()
        await self._flush()

    async def flush_newly_used(self) -> None:
        """Flush if some credential's use was not written since, or just before, the last full flush."""
        if not self._last_used_ms_by_id.keys() <= self._flushed_ids:
            await self._flush()

    async def _flush(self) -> None:
        if not self._last_used_ms_by_id:
            return
        last_used_ms_by_id, self._last_used_ms_by_id = self._last_used_ms_by_id, {}
        try:
            async with self._database.session(write=True) as db:
                await self._store_last_used(db, last_used_ms_by_id)
        except BaseException:
            # Newer notes win; the next flush writes them.
            self._last_used_ms_by_id = last_used_ms_by_id | self._last_used_ms_by_id
            raise
        self._flushed_ids |= last_used_ms_by_id.keys()

    def _note_use(self, principal: P) -> None:
        self._last_used_ms_by_id[self._credential_id_of(principal)] = self._clock.now_ms()

    def _current_access_version(self) -> int:
        """Return the database's version, read once per turn of the event loop: reading releases Python's lock."""
        if self._access_version_this_turn is None:
            self._access_version_this_turn = self._database.change_version("access")
            asyncio.get_running_loop().call_soon(self._forget_access_version)
        return self._access_version_this_turn

    def _forget_access_version(self) -> None:
        self._access_version_this_turn = None

    def _cache_principal(self, authorization: bytes, principal: P, access_version: int) -> None:
        if access_version != self._cached_access_version:
            return  # the database changed during the look-up: right for this request, too old for the next
        if len(self._principal_by_header) >= _MAX_ENTRIES:
            self._principal_by_header.clear()
        self._principal_by_header[authorization] = principal


def bearer_token(authorization: bytes) -> str | None:
    """Return the token of an ``Authorization: Bearer <token>`` header; None for any other scheme or form."""
    scheme, _, token = authorization.partition(b" ")
    if scheme.lower() != b"bearer" or not token or len(authorization) > MAX_HEADER_BYTES or not token.isascii():
        return None
    return token.decode()
