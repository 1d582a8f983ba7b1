"""Group keys: which properties can be one, and which key is the default (rules/actors-and-groups#group-key).

While a workspace has keys, exactly one is the default: the first key until another is chosen, and if the default is
removed, the oldest remaining key.
"""

from collections.abc import Sequence

from msgspec import UNSET

from tallyroom.auth.audit import Action, Details, record
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.recheck import recheck_role
from tallyroom.auth.roles import Role
from tallyroom.auth.scope import environment_of
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Conflict, NotFound, ValidationFailed
from tallyroom.core.ids import IdGenerator
from tallyroom.core.times import iso_ms
from tallyroom.events.groups import repository
from tallyroom.events.groups.schemas import GroupKeyChange, GroupKeyIn, GroupKeyOut, GroupKeysOut
from tallyroom.events.groups.service import Groups
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import GroupKey

MAX_GROUP_KEYS = 20


async def list_group_keys(
    database: Database, groups: Groups, principal: MemberPrincipal, environment: str
) -> GroupKeysOut:
    """List the registered keys and further candidates; raise `ValidationFailed` for an unknown environment."""
    async with database.session(write=False) as db:
        scope = Scope(principal.workspace_id, await environment_of(principal, environment, db))
        keys = await repository.list_group_keys(db, principal.workspace_id)
    candidates = await groups.find_candidate_keys(scope, keys)
    return GroupKeysOut([_build_key_out(key) for key in keys], [*candidates.prop_keys], candidates.notices)


async def register_group_key(
    database: Database,
    groups: Groups,
    principal: MemberPrincipal,
    body: GroupKeyIn,
    clock: Clock,
    id_generator: IdGenerator,
) -> GroupKeyOut:
    """Register a property whose texts are then groups, including those of past events.

    Raises `ValidationFailed` if no event ever had a text as this property, `Conflict` if it is already registered or
    the workspace has `MAX_GROUP_KEYS`, and `Unavailable` if the event store does not have all events yet.
    """
    async with database.session(write=False) as db:
        _refuse_new_key(await repository.list_group_keys(db, principal.workspace_id), body.prop_key)
    if not await groups.was_property_sent(principal.workspace_id, body.prop_key):
        raise ValidationFailed.at(["propKey"], "has never been sent as a string property in any environment")
    async with database.session(write=True) as db:
        await recheck_role(db, principal, clock, Role.DEVELOPER)
        return await add_group_key(db, principal, body, clock, id_generator)


async def add_group_key(
    db: Session, principal: MemberPrincipal, body: GroupKeyIn, clock: Clock, id_generator: IdGenerator
) -> GroupKeyOut:
    """Register a property that events have; raises `Conflict` as `register_group_key` does."""
    keys = await repository.lock_and_list_group_keys(db, principal.workspace_id)
    _refuse_new_key(keys, body.prop_key)
    default_key = _find_default_key(keys)
    key = GroupKey(
        id=id_generator.new(),
        workspace_id=principal.workspace_id,
        prop_key=body.prop_key,
        label=_choose_label(body.label, body.prop_key),
        is_default=body.make_default or default_key is None,
        created_at_ms=_choose_created_ms(keys, clock),
    )
    await repository.add_group_key(db, key, default_key)
    details = _build_audit_details(key)
    await record(db, principal, Action.GROUP_KEY_CREATE, key.id, details, clock=clock, id_generator=id_generator)
    if key.is_default:
        await _record_default_change(db, principal, key, default_key, clock, id_generator)
    return _build_key_out(key)


async def change_group_key(
    db: Session, principal: MemberPrincipal, key_id: str, body: GroupKeyChange, clock: Clock, id_generator: IdGenerator
) -> GroupKeyOut:
    """Change the label of a key, or make it the default; raise `NotFound`, or `ValidationFailed` without a default."""
    keys = await repository.lock_and_list_group_keys(db, principal.workspace_id)
    key = _find_key(keys, key_id)
    if body.make_default is False and key.is_default:
        raise ValidationFailed.at(
            ["makeDefault"], "cannot be false for the default key; make another key the default instead"
        )
    if body.label is not UNSET and (label := _choose_label(body.label, key.prop_key)) != key.label:
        details = {"propKey": key.prop_key, "from": key.label, "to": label}
        key.label = label
        await record(db, principal, Action.GROUP_KEY_UPDATE, key.id, details, clock=clock, id_generator=id_generator)
    if body.make_default is True and not key.is_default:
        previous_default = _find_default_key(keys)
        await repository.move_default_key(db, previous_default, key)
        await _record_default_change(db, principal, key, previous_default, clock, id_generator)
    return _build_key_out(key)


async def remove_group_key(
    db: Session, principal: MemberPrincipal, key_id: str, clock: Clock, id_generator: IdGenerator
) -> None:
    """Delete a key, or raise `NotFound`. The events do not change: registering it again restores all of its groups."""
    keys = await repository.lock_and_list_group_keys(db, principal.workspace_id)
    key = _find_key(keys, key_id)
    remaining_keys = [other_key for other_key in keys if other_key is not key]
    successor = remaining_keys[0] if remaining_keys and key.is_default else None
    await repository.delete_group_key(db, key, successor)
    details = _build_audit_details(key)
    await record(db, principal, Action.GROUP_KEY_DELETE, key.id, details, clock=clock, id_generator=id_generator)
    if successor is not None:
        await _record_default_change(db, principal, successor, key, clock, id_generator)


async def _record_default_change(
    db: Session,
    principal: MemberPrincipal,
    key: GroupKey,
    previous_default: GroupKey | None,
    clock: Clock,
    id_generator: IdGenerator,
) -> None:
    details = {"propKey": key.prop_key, "before": None if previous_default is None else previous_default.prop_key}
    await record(db, principal, Action.GROUP_KEY_DEFAULT, key.id, details, clock=clock, id_generator=id_generator)


def _refuse_new_key(keys: Sequence[GroupKey], prop_key: str) -> None:
    if any(key.prop_key == prop_key for key in keys):
        raise Conflict("This property is already a group key.")
    if len(keys) >= MAX_GROUP_KEYS:
        raise Conflict(f"This workspace has {MAX_GROUP_KEYS} group keys, the maximum. Remove one first.")


def _find_key(keys: Sequence[GroupKey], key_id: str) -> GroupKey:
    for key in keys:
        if key.id == key_id:
            return key
    raise NotFound("This workspace has no such group key.")


def _find_default_key(keys: Sequence[GroupKey]) -> GroupKey | None:
    return next((key for key in keys if key.is_default), None)


def _choose_label(label: str, prop_key: str) -> str:
    return label if label.strip() else prop_key


def _choose_created_ms(keys: Sequence[GroupKey], clock: Clock) -> int:
    """Return the current time, or a time after all `keys`, so that no two have the same age."""
    return max(clock.now_ms(), *(key.created_at_ms + 1 for key in keys)) if keys else clock.now_ms()


def _build_audit_details(key: GroupKey) -> Details:
    return {"propKey": key.prop_key, "label": key.label}


def _build_key_out(key: GroupKey) -> GroupKeyOut:
    return GroupKeyOut(key.id, key.prop_key, key.label, key.is_default, iso_ms(key.created_at_ms))
