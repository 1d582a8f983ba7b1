"""How a key or a token is issued and revoked: the secret is shown once; a revocation is final and immediate."""

from tallyroom.auth.audit import Action, Details, record
from tallyroom.auth.credentials import repository
from tallyroom.auth.credentials.repository import Credential
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.secrets import hash_secret, visible_prefix
from tallyroom.core.clock import Clock
from tallyroom.core.ids import IdGenerator
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import ApiKey, PersonalToken, StatsToken


def build_credential(
    table: type[Credential],
    principal: MemberPrincipal,
    secret: str,
    clock: Clock,
    id_generator: IdGenerator,
    **extra_columns: object,
) -> Credential:
    """Return a new row of `table`, with only the hash and the first characters of `secret`."""
    return table(
        id=id_generator.new(),
        workspace_id=principal.workspace_id,
        prefix=visible_prefix(secret),
        secret_hash=hash_secret(secret),
        created_at_ms=clock.now_ms(),
        created_by=principal.user_id,
        last_used_at_ms=None,
        revoked_at_ms=None,
        **extra_columns,
    )


async def store_credential(
    db: Session,
    principal: MemberPrincipal,
    credential: ApiKey | PersonalToken | StatsToken,
    action: Action,
    details: Details,
    clock: Clock,
    id_generator: IdGenerator,
) -> None:
    """Store a new credential, and record who issued it."""
    await repository.add_credential(db, credential)
    await record(db, principal, action, credential.id, details, clock=clock, id_generator=id_generator)


async def revoke_credential(
    db: Session,
    principal: MemberPrincipal,
    credential: ApiKey | PersonalToken | StatsToken,
    action: Action,
    details: Details,
    clock: Clock,
    id_generator: IdGenerator,
) -> None:
    """Revoke a credential permanently; revoking it again only waits until all workers confirm the revocation."""
    if credential.revoked_at_ms is None:
        credential.revoked_at_ms = clock.now_ms()
        await record(db, principal, action, credential.id, details, clock=clock, id_generator=id_generator)
    else:
        repository.mark_revocation_changed(credential)
