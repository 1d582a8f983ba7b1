"""From the `Authorization` header to the key's workspace and environment: the hot path of ingest."""

import asyncio

from tallyroom.auth import repository
from tallyroom.auth.secrets import hash_secret, plausible_key
from tallyroom.auth.tenant import KeyPrincipal
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Unauthorized
from tallyroom.db.connection import Database

_MOST_KEYS = 10_000  # ~5 MB; beyond it the cache starts anew

_LONGEST_HEADER = 256  # bytes; a key with its scheme has 53


class KeyRefused(Unauthorized):
    """The one answer to a missing, malformed, unknown and revoked key.

    Args:
        workspace_id: whose key it was, for that workspace's list of refusals; None when nobody's. Never shown.
    """

    def __init__(self, workspace_id: str | None = None) -> None:
        super().__init__("A valid API key is needed: Authorization: Bearer tr_…")
        self.workspace_id = workspace_id


class KeyRing:
    """Knows which keys hold at this moment.

    A key that was found is remembered only while the database is unchanged, so a revocation or a change of plan holds
    for the very next request; one by another process, such as the command line, from the loop's next turn on. Nothing
    else is remembered: a stream of unknown keys takes no memory.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._known: dict[bytes, KeyPrincipal] = {}
        self._known_at = database.version()
        self._version_of_turn: int | None = None
        self._last_used: dict[str, int] = {}

    async def authenticate(self, authorization: bytes | None) -> KeyPrincipal:
        """The principal of a raw ``Authorization`` header.

        Raises:
            KeyRefused: the header is missing or malformed, or its key is unknown or revoked.
        """
        if authorization is None:
            raise KeyRefused
        # Before the look-up: what is found is at least as new as this version. The other way round, a revocation
        # between the two would be missed until the next change.
        version = self._version()
        principal = self.remembered(authorization)
        if principal is None:
            principal = self._look_up(authorization)
            self._remember(authorization, principal, version)
            self._note_use(principal)
        return principal

    def remembered(self, authorization: bytes) -> KeyPrincipal | None:
        """The principal of a header that was authenticated since the database last changed; None for any other."""
        version = self._version()
        if version != self._known_at:
            self._known.clear()
            self._known_at = version
        principal = self._known.get(authorization)
        if principal is not None:
            self._note_use(principal)
        return principal

    async def flush_last_used(self) -> None:
        """Write when each key was last used, in one transaction.

        It changes the database, so the remembered keys are looked up once more; that is all it costs.
        """
        if not self._last_used:
            return
        used, self._last_used = self._last_used, {}
        try:
            async with self._database.session(write=True) as db:
                await repository.store_last_used(db, used)
        except BaseException:
            self._last_used = used | self._last_used  # newer notes win; the next flush writes them
            raise

    def _note_use(self, principal: KeyPrincipal) -> None:
        self._last_used[principal.key_id] = self._clock.now_ms()

    def _version(self) -> int:
        """The database's version, asked once in each turn of the event loop.

        Requests of one turn were sent before it began, so none of them can follow an answer that the turn has not yet
        given. Asking for each would cost a crossing into SQLite, and with it Python's lock, every time.
        """
        if self._version_of_turn is None:
            self._version_of_turn = self._database.version()
            asyncio.get_running_loop().call_soon(self._end_of_turn)
        return self._version_of_turn

    def _end_of_turn(self) -> None:
        self._version_of_turn = None

    def _look_up(self, authorization: bytes) -> KeyPrincipal:
        key = bearer_token(authorization)
        if key is None or not plausible_key(key):
            raise KeyRefused
        found = repository.find_key(self._database, hash_secret(key))
        if found is None:
            raise KeyRefused
        if found.revoked:
            raise KeyRefused(found.principal.workspace_id)
        return found.principal

    def _remember(self, authorization: bytes, principal: KeyPrincipal, version: int) -> None:
        if version != self._known_at:
            return  # the database changed during the look-up: right for this request, too old for the next
        if len(self._known) >= _MOST_KEYS:
            self._known.clear()
        self._known[authorization] = principal


def bearer_token(authorization: bytes) -> str | None:
    """The token of an ``Authorization: Bearer <token>`` header; None for any other scheme or form."""
    scheme, _, token = authorization.partition(b" ")
    if scheme.lower() != b"bearer" or not token or len(authorization) > _LONGEST_HEADER or not token.isascii():
        return None
    return token.decode()
