"""Resolves the `Authorization` header to the maker of a personal access token and what the token allows."""

from collections.abc import Mapping

from tallyroom.auth.credential_cache import CredentialCache, bearer_token
from tallyroom.auth.principals import MemberPrincipal, TokenGrant
from tallyroom.auth.repository import store_last_used
from tallyroom.auth.secrets import hash_secret, is_plausible_personal_token
from tallyroom.auth.tokens import repository
from tallyroom.core.errors import Unauthorized
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import PersonalToken


class TokenRefused(Unauthorized):
    """The same answer for a malformed, unknown, revoked or expired token, and for a token whose maker has left."""

    def __init__(self) -> None:
        super().__init__("This personal access token is not valid: it is unknown, revoked or expired.")


class PersonalTokenCache(CredentialCache[MemberPrincipal]):
    """The currently valid personal access tokens; refuses others with `TokenRefused`."""

    async def _look_up_principal(self, authorization: bytes | None) -> MemberPrincipal:
        token = None if authorization is None else bearer_token(authorization)
        if token is None or not is_plausible_personal_token(token):
            raise TokenRefused
        principal = await repository.find_token(self._database, hash_secret(token))
        if principal is None or not self._is_unexpired(principal):
            raise TokenRefused
        return principal

    def _is_unexpired(self, principal: MemberPrincipal) -> bool:
        expires_at_ms = grant_of(principal).expires_at_ms
        return expires_at_ms is None or self._clock.now_ms() < expires_at_ms

    def _credential_id_of(self, principal: MemberPrincipal) -> str:
        return grant_of(principal).token_id

    async def _store_last_used(self, db: Session, last_used_ms_by_id: Mapping[str, int]) -> None:
        await store_last_used(db, PersonalToken, last_used_ms_by_id)

    async def is_still_valid(self, principal: MemberPrincipal) -> bool:
        """Return True if the principal's token is still valid. This does not count as use."""
        return await repository.is_token_valid(self._database, grant_of(principal).token_id, self._clock.now_ms())


def grant_of(principal: MemberPrincipal) -> TokenGrant:
    """Return what the principal's token allows; a signed-in principal is a bug and raises a TypeError."""
    if principal.token_grant is None:
        raise TypeError("a session is no personal access token")
    return principal.token_grant
