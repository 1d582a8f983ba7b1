"""The rules of API keys: the secret is shown once; a revocation is final and immediate."""

import msgspec

from tallyroom.auth.audit import Action, Details, record
from tallyroom.auth.credentials.repository import count_unrevoked, find_credential, list_credentials
from tallyroom.auth.credentials.service import build_credential, revoke_credential, store_credential
from tallyroom.auth.principals import KeyKind, KeyPrincipal, MemberPrincipal
from tallyroom.auth.repository import find_workspace, list_environments
from tallyroom.auth.secrets import mint_key
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Conflict, NotFound, ValidationFailed
from tallyroom.core.event_limits import (
    MAX_ACTOR_LENGTH,
    MAX_BODY_BYTES,
    MAX_DEPTH,
    MAX_EVENT_BYTES,
    MAX_EVENTS,
    MAX_LABEL_LENGTH,
    MAX_NAME_LENGTH,
    MAX_SOURCE_LENGTH,
)
from tallyroom.core.ids import IdGenerator
from tallyroom.core.times import iso_ms, iso_ms_or_none
from tallyroom.rest.changes import apply_changes, find_changes
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import ApiKey
from tallyroom.workspaces.api_keys.schemas import (
    EventLimitsOut,
    KeyChange,
    KeyIn,
    KeyOut,
    KeyWorkspaceOut,
    NewKeyOut,
    OwnKeyOut,
)

MAX_KEYS = 100  # the most keys of a workspace that are not revoked

_EVENT_LIMITS = EventLimitsOut(
    batch_events=MAX_EVENTS,
    event_bytes=MAX_EVENT_BYTES,
    body_bytes=MAX_BODY_BYTES,
    name_length=MAX_NAME_LENGTH,
    actor_length=MAX_ACTOR_LENGTH,
    actor_label_length=MAX_LABEL_LENGTH,
    source_length=MAX_SOURCE_LENGTH,
    properties_depth=MAX_DEPTH,
)


async def list_keys(db: Session, workspace_id: str) -> list[KeyOut]:
    """List the workspace's keys, newest first."""
    return [_build_key_out(key) for key in await list_credentials(db, ApiKey, workspace_id)]


async def create_key(
    db: Session, principal: MemberPrincipal, body: KeyIn, clock: Clock, id_generator: IdGenerator
) -> NewKeyOut:
    """Create a key; raises `ValidationFailed` for an unknown environment, and `Conflict` above `MAX_KEYS`."""
    environment_names = [environment.name for environment in await list_environments(db, principal.workspace_id)]
    if body.environment not in environment_names:
        reason = f"is not an environment of this workspace; it has {', '.join(environment_names)}"
        raise ValidationFailed.at(["environment"], reason)
    if await count_unrevoked(db, ApiKey, principal.workspace_id) >= MAX_KEYS:
        raise Conflict(f"This workspace has {MAX_KEYS} keys, the maximum. Revoke one first.")
    secret = mint_key(id_generator, body.environment)
    columns = msgspec.structs.asdict(body)
    key = build_credential(ApiKey, principal, secret, clock, id_generator, **columns)
    await store_credential(db, principal, key, Action.KEY_CREATE, _build_audit_details(key), clock, id_generator)
    return NewKeyOut(**msgspec.structs.asdict(_build_key_out(key)), secret=secret)


async def change_key(
    db: Session, principal: MemberPrincipal, key_id: str, body: KeyChange, clock: Clock, id_generator: IdGenerator
) -> KeyOut:
    """Rename a key, revoked or not; raises `NotFound`."""
    key = await _find_key(db, principal, key_id)
    previous_name = key.name
    if new_values := find_changes(key, msgspec.structs.asdict(body)):
        apply_changes(key, new_values)
        details = {**_build_audit_details(key), "from": previous_name, "to": key.name}
        await record(db, principal, Action.KEY_RENAME, key.id, details, clock=clock, id_generator=id_generator)
    return _build_key_out(key)


async def revoke_key(
    db: Session, principal: MemberPrincipal, key_id: str, clock: Clock, id_generator: IdGenerator
) -> None:
    """Revoke a key permanently, or raise `NotFound`. It remains in the list; revoking it again changes nothing."""
    key = await _find_key(db, principal, key_id)
    await revoke_credential(db, principal, key, Action.KEY_REVOKE, _build_audit_details(key), clock, id_generator)


async def find_own_key(db: Session, principal: KeyPrincipal, clock: Clock) -> OwnKeyOut:
    """Return what a program can know about its key; raise `NotFound` if its workspace has been deleted."""
    workspace = await find_workspace(db, principal.workspace_id)
    if workspace is None:
        raise NotFound("The workspace of this key no longer exists.")
    workspace_out = KeyWorkspaceOut(workspace.id, workspace.name, workspace.timezone)
    return OwnKeyOut(principal.environment, workspace_out, _EVENT_LIMITS, iso_ms(clock.now_ms()))


async def _find_key(db: Session, principal: MemberPrincipal, key_id: str) -> ApiKey:
    key = await find_credential(db, ApiKey, principal.workspace_id, key_id)
    if key is None:
        raise NotFound("This workspace has no such key.")
    return key


def _build_audit_details(key: ApiKey) -> Details:
    return {"name": key.name, "environment": key.environment, "kind": key.kind, "prefix": key.prefix}


def _build_key_out(key: ApiKey) -> KeyOut:
    return KeyOut(
        id=key.id,
        name=key.name,
        environment=key.environment,
        kind=KeyKind(key.kind),
        prefix=key.prefix,
        created_at=iso_ms(key.created_at_ms),
        created_by=key.created_by,
        last_used_at=iso_ms_or_none(key.last_used_at_ms),
        revoked_at=iso_ms_or_none(key.revoked_at_ms),
    )
