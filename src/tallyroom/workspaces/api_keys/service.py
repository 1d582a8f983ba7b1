"""The rules of API keys: the secret is shown once; a revocation is final and immediate."""

import msgspec

from tallyroom.auth.audit import Action, Details
from tallyroom.auth.credentials.repository import count_unrevoked, find_credential, list_credentials
from tallyroom.auth.credentials.service import build_credential, revoke_credential, store_credential
from tallyroom.auth.principals import KeyPrincipal, MemberPrincipal
from tallyroom.auth.repository import find_workspace, list_environments
from tallyroom.auth.secrets import mint_key
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Conflict, NotFound, ValidationFailed
from tallyroom.core.ids import IdGenerator
from tallyroom.core.times import iso_ms, iso_ms_or_none
from tallyroom.rest.fields import Name
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import ApiKey

MAX_KEYS = 100  # the most keys of a workspace that are not revoked


class KeyIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a key's creation."""

    name: Name
    environment: str


class KeyOut(msgspec.Struct, rename="camel"):
    """A key without its secret: `prefix` is the first 12 characters, times are ISO 8601."""

    id: str
    name: str
    environment: str
    prefix: str
    created_at: str
    created_by: str | None
    last_used_at: str | None
    revoked_at: str | None


class NewKeyOut(KeyOut, rename="camel"):
    """A new key, with its secret."""

    secret: str


class KeyWorkspaceOut(msgspec.Struct, rename="camel"):
    """The workspace of a key; `timezone`, an IANA name, sets the days of its charts."""

    id: str
    name: str
    timezone: str


class OwnKeyOut(msgspec.Struct, rename="camel"):
    """The environment and the workspace of a key."""

    environment: str
    workspace: KeyWorkspaceOut


class KeysOut(msgspec.Struct, rename="camel"):
    """All keys of the workspace, newest first, revoked ones included."""

    keys: list[KeyOut]


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
    key = build_credential(ApiKey, principal, secret, clock, id_generator, name=body.name, environment=body.environment)
    await store_credential(db, principal, key, Action.KEY_CREATE, _build_audit_details(key), clock, id_generator)
    return NewKeyOut(**msgspec.structs.asdict(_build_key_out(key)), secret=secret)


async def revoke_key(
    db: Session, principal: MemberPrincipal, key_id: str, clock: Clock, id_generator: IdGenerator
) -> None:
    """Revoke a key permanently, or raise `NotFound`. It remains in the list; revoking it again changes nothing."""
    key = await find_credential(db, ApiKey, principal.workspace_id, key_id)
    if key is None:
        raise NotFound("This workspace has no such key.")
    await revoke_credential(db, principal, key, Action.KEY_REVOKE, _build_audit_details(key), clock, id_generator)


async def find_own_key(db: Session, principal: KeyPrincipal) -> OwnKeyOut:
    """Return the workspace and environment of the key; raise `NotFound` if its workspace has been deleted."""
    workspace = await find_workspace(db, principal.workspace_id)
    if workspace is None:
        raise NotFound("The workspace of this key no longer exists.")
    return OwnKeyOut(principal.environment, KeyWorkspaceOut(workspace.id, workspace.name, workspace.timezone))


def _build_audit_details(key: ApiKey) -> Details:
    return {"name": key.name, "environment": key.environment, "prefix": key.prefix}


def _build_key_out(key: ApiKey) -> KeyOut:
    return KeyOut(
        id=key.id,
        name=key.name,
        environment=key.environment,
        prefix=key.prefix,
        created_at=iso_ms(key.created_at_ms),
        created_by=key.created_by,
        last_used_at=iso_ms_or_none(key.last_used_at_ms),
        revoked_at=iso_ms_or_none(key.revoked_at_ms),
    )
