"""Sessions: created at sign-in, checked on every request, ended immediately (rules/people#session)."""

from collections.abc import Iterable
from contextlib import suppress

from tallyroom.auth import repository
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.secrets import hash_secret, is_plausible_session_token, mint_session_token
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Unavailable
from tallyroom.core.ids import IdGenerator
from tallyroom.core.times import DAY_MS, HOUR_MS, MINUTE_MS
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import SignIn
from tallyroom.storage.metadata.write_turns import set_write_turn_owner

MAX_IDLE_MS = 12 * HOUR_MS
MAX_AGE_MS = 14 * DAY_MS


class SessionStore:
    """Opaque tokens, hashed at rest. A session ends 12 hours after its last use and 14 days after its start."""

    def __init__(self, database: Database, clock: Clock, id_generator: IdGenerator) -> None:
        self._database = database
        self._clock = clock
        self._id_generator = id_generator

    async def create(self, db: Session, user_id: str, workspace_id: str, old_tokens: Iterable[str] = ()) -> str:
        """Sign the user in within the transaction `db`; return the token.

        The client's earlier sessions (`old_tokens`) end, because someone else may have planted them.
        """
        for old_token in old_tokens:
            await self.end(db, hash_secret(old_token))
        now_ms = self._clock.now_ms()
        token = mint_session_token(self._id_generator)
        await repository.delete_expired_sessions(db, user_id, now_ms, now_ms - MAX_IDLE_MS)
        db.add(
            SignIn(
                token_hash=hash_secret(token),
                user_id=user_id,
                workspace_id=workspace_id,
                created_at_ms=now_ms,
                last_seen_at_ms=now_ms,
                expires_at_ms=now_ms + MAX_AGE_MS,
            )
        )
        return token

    async def resolve_token(self, token: str) -> MemberPrincipal | None:
        """Return the principal of `token` with their current role and plan; None if it is not valid."""
        if not is_plausible_session_token(token):
            return None
        token_hash = hash_secret(token)
        session = await self._find_unexpired_session(token_hash)
        if session is None:
            return None
        now_ms = self._clock.now_ms()
        if now_ms - session.last_seen_at_ms >= MINUTE_MS:  # not on every request, because each write costs an fsync
            set_write_turn_owner(session.workspace_id)
            await self._note_use(token_hash, now_ms)
        return _build_principal(session, token_hash)

    async def find_principal(self, token_hash: bytes) -> MemberPrincipal | None:
        """Return the principal of a session; None if it is not valid. This writes nothing and does not count as use."""
        session = await self._find_unexpired_session(token_hash)
        return None if session is None else _build_principal(session, token_hash)

    async def is_still_valid(self, principal: MemberPrincipal) -> bool:
        """Return True if the session is still valid in the principal's workspace."""
        session = await self._find_unexpired_session(principal.session_hash)
        return session is not None and session.workspace_id == principal.workspace_id

    async def _find_unexpired_session(self, token_hash: bytes) -> repository.SessionState | None:
        session = await repository.find_session(self._database, token_hash)
        if session is None or self._clock.now_ms() >= min(session.expires_at_ms, session.last_seen_at_ms + MAX_IDLE_MS):
            return None
        return session

    async def _note_use(self, token_hash: bytes, now_ms: int) -> None:
        """Update the session's last use unless nothing can be written now: reads must not fail because of that."""
        with suppress(Unavailable):
            async with self._database.session(write=True) as db:
                await repository.touch_session(db, token_hash, now_ms)

    async def end(self, db: Session, token_hash: bytes) -> bool:
        """End a session within the transaction `db`; return False if it is unknown."""
        return await repository.delete_session(db, token_hash)


def _build_principal(session: repository.SessionState, token_hash: bytes) -> MemberPrincipal:
    return MemberPrincipal(session.user_id, session.workspace_id, session.role, session.plan, token_hash)
