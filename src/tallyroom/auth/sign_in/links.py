"""Links that sign a browser in once, while the session that made them is valid (rules/people#sign-in-links)."""

import re
from collections.abc import Iterable

from tallyroom.auth.authenticator import Authenticator
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.secrets import LINK_PREFIX, hash_secret, mint_token
from tallyroom.auth.sign_in import repository
from tallyroom.core.clock import Clock
from tallyroom.core.errors import NotFound
from tallyroom.core.ids import IdGenerator
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import SignInLink
from tallyroom.storage.metadata.write_turns import set_write_turn_owner

LINK_LIFETIME_MS = 10 * 60 * 1000
_INVALID_LINK = "This link has already been opened or is older than ten minutes. Request another one, or sign in."
_OWN_PATH_PATTERN = re.compile(r"/(?![/\\])[!-~]*")


def choose_own_path(path: str | None) -> str:
    r"""Return the path if it is this server's, or `/`: browsers read `//host` and `/\host` as another server."""
    return path if path and _OWN_PATH_PATTERN.fullmatch(path) else "/"


async def make_link(db: Session, session_hash: bytes, clock: Clock, id_generator: IdGenerator) -> tuple[str, int]:
    """Return a token that signs in as the user of this session, and the end of its validity in milliseconds UTC."""
    now_ms, token = clock.now_ms(), mint_token(id_generator, LINK_PREFIX)
    link = SignInLink(token_hash=hash_secret(token), session_hash=session_hash, expires_at_ms=now_ms + LINK_LIFETIME_MS)
    await repository.add_link(db, link, now_ms)
    return token, link.expires_at_ms


async def open_link(authenticator: Authenticator, token: str, old_tokens: Iterable[str], clock: Clock) -> str:
    """Use up the token of a link; return the token of the new session. Raises `NotFound` if the link is not valid."""
    token_hash, now_ms = hash_secret(token), clock.now_ms()
    link_maker = await _find_link_maker(
        authenticator, await repository.look_up_link(authenticator.database, token_hash, now_ms)
    )
    set_write_turn_owner(link_maker.user_id)
    async with authenticator.database.session(write=True) as db:
        # Another request may have been faster.
        link_maker = await _find_link_maker(authenticator, await repository.consume_link(db, token_hash, now_ms))
        return await authenticator.sessions.create(db, link_maker.user_id, link_maker.workspace_id, old_tokens)


async def _find_link_maker(authenticator: Authenticator, session_hash: bytes | None) -> MemberPrincipal:
    link_maker = None if session_hash is None else await authenticator.sessions.find_principal(session_hash)
    if link_maker is None:
        raise NotFound(_INVALID_LINK)
    return link_maker
