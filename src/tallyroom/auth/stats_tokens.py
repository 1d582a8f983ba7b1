"""Resolves the `Authorization` header to a statistics token (rules/statistics#tokens)."""

from collections.abc import Mapping

from tallyroom.auth import repository
from tallyroom.auth.credential_cache import MAX_HEADER_BYTES, CredentialCache, bearer_token
from tallyroom.auth.principals import StatsPrincipal
from tallyroom.auth.secrets import hash_secret, is_plausible_stats_token
from tallyroom.core.errors import Unauthorized
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import StatsToken


class StatsRefused(Unauthorized):
    """The same answer for a missing, malformed, unknown or revoked token, and for a wrong signature."""

    def __init__(self) -> None:
        super().__init__("This needs a valid Statistics API token: Authorization: tr_stats_…")


class StatsTokenCache(CredentialCache[StatsPrincipal]):
    """The valid tokens of the Statistics API, sent alone, as published clients do, or after ``Bearer``."""

    async def _look_up_principal(self, authorization: bytes | None) -> StatsPrincipal:
        token = None if authorization is None else bearer_token(authorization) or _read_raw_token(authorization)
        if token is None or not is_plausible_stats_token(token):
            raise StatsRefused
        principal = await repository.find_stats_token(self._database, hash_secret(token))
        if principal is None:
            raise StatsRefused
        return principal

    def _credential_id_of(self, principal: StatsPrincipal) -> str:
        return principal.token_id

    async def _store_last_used(self, db: Session, last_used_ms_by_id: Mapping[str, int]) -> None:
        await repository.store_last_used(db, StatsToken, last_used_ms_by_id)


def _read_raw_token(authorization: bytes) -> str | None:
    return authorization.decode() if len(authorization) <= MAX_HEADER_BYTES and authorization.isascii() else None
