"""Resolves the `Authorization` header to the key's workspace and environment, on the hot path of ingest."""

from collections.abc import Mapping

from tallyroom.auth import repository
from tallyroom.auth.credential_cache import CredentialCache, bearer_token
from tallyroom.auth.principals import KeyPrincipal
from tallyroom.auth.secrets import hash_secret, is_plausible_key
from tallyroom.core.errors import Unauthorized
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import ApiKey


class KeyRefused(Unauthorized):
    """The same answer for every unusable key; `workspace_id` is where the refusal is listed, None if unknown."""

    def __init__(self, workspace_id: str | None = None) -> None:
        super().__init__("This needs a valid API key: Authorization: Bearer tr_…")
        self.workspace_id = workspace_id


class KeyCache(CredentialCache[KeyPrincipal]):
    """The currently valid API keys; refuses others with `KeyRefused`."""

    async def _look_up_principal(self, authorization: bytes | None) -> KeyPrincipal:
        key = None if authorization is None else bearer_token(authorization)
        if key is None or not is_plausible_key(key):
            raise KeyRefused
        key_state = await repository.find_key(self._database, hash_secret(key))
        if key_state is None:
            raise KeyRefused
        if key_state.is_revoked:
            raise KeyRefused(key_state.principal.workspace_id)
        return key_state.principal

    def _credential_id_of(self, principal: KeyPrincipal) -> str:
        return principal.key_id

    async def _store_last_used(self, db: Session, last_used_ms_by_id: Mapping[str, int]) -> None:
        await repository.store_last_used(db, ApiKey, last_used_ms_by_id)
