"""The rules of environments: two are permanent, and none in use is deleted (rules/people#environment)."""

import msgspec

from tallyroom.auth.audit import Action, record
from tallyroom.auth.granting import find_granting_role
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.repository import list_environments as list_all_environments
from tallyroom.auth.scope import sees_environment
from tallyroom.auth.workspaces import FIRST_ENVIRONMENTS
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Conflict, NotFound, ValidationFailed
from tallyroom.core.ids import IdGenerator
from tallyroom.core.times import iso_ms
from tallyroom.ingest.drain.erasure import Erasure
from tallyroom.rest.changes import apply_changes, find_changes
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import Environment
from tallyroom.workspaces.environments import repository
from tallyroom.workspaces.environments.schemas import EnvironmentChange, EnvironmentIn, EnvironmentOut

MAX_ENVIRONMENTS = 50  # the most environments of a workspace, including its first ones
_AUDIT_NAME_BY_COLUMN = {"display_name": "displayName", "retention_days": "retentionDays"}
"""The columns that can be changed, and their names in the audit log."""


async def list_environments(db: Session, principal: MemberPrincipal) -> list[EnvironmentOut]:
    """List the environments that the principal sees, sorted by name."""
    environments = await list_all_environments(db, principal.workspace_id)
    return [
        _build_environment_out(environment)
        for environment in environments
        if sees_environment(principal, environment.name)
    ]


async def create_environment(
    db: Session, principal: MemberPrincipal, body: EnvironmentIn, clock: Clock, id_generator: IdGenerator
) -> EnvironmentOut:
    """Create an environment that keeps its events forever; raises `Conflict` for a taken name or above the maximum."""
    await find_granting_role(db, principal)
    if await repository.find_environment(db, principal.workspace_id, body.name) is not None:
        raise Conflict(f"This workspace already has an environment named {body.name}.")
    if len(await list_all_environments(db, principal.workspace_id)) >= MAX_ENVIRONMENTS:
        raise Conflict(f"This workspace has {MAX_ENVIRONMENTS} environments, the maximum. Delete one first.")
    environment = Environment(
        workspace_id=principal.workspace_id,
        name=body.name,
        retention_days=None,
        created_at_ms=clock.now_ms(),
        display_name=body.display_name,
    )
    await repository.add_environment(db, environment)
    await record(db, principal, Action.ENVIRONMENT_CREATE, body.name, {}, clock=clock, id_generator=id_generator)
    return _build_environment_out(environment)


async def change_environment(
    db: Session, principal: MemberPrincipal, name: str, body: EnvironmentChange, clock: Clock, id_generator: IdGenerator
) -> EnvironmentOut:
    """Change the displayed name, and how long events are kept; each change is a separate audit log entry."""
    await find_granting_role(db, principal)
    environment = await _find_environment(db, principal.workspace_id, name)
    previous_value_by_column = {column: getattr(environment, column) for column in _AUDIT_NAME_BY_COLUMN}
    new_values = find_changes(environment, msgspec.structs.asdict(body))
    apply_changes(environment, new_values)
    for column, new_value in new_values.items():
        details = {_AUDIT_NAME_BY_COLUMN[column]: new_value, "before": previous_value_by_column[column]}
        await record(db, principal, Action.ENVIRONMENT_UPDATE, name, details, clock=clock, id_generator=id_generator)
    return _build_environment_out(environment)


async def delete_environment(
    database: Database, erasure: Erasure, principal: MemberPrincipal, name: str, clock: Clock, id_generator: IdGenerator
) -> None:
    """Delete an environment permanently, with its events, labels, segments, annotations and revoked keys.

    The events go first: otherwise a new environment of that name could include them. Every step can be repeated. Raises
    `ValidationFailed` for a permanent one, `NotFound`, `Conflict` for one with dashboards or keys that are not revoked,
    and `Unavailable` if the event store cannot erase now.
    """
    async with database.session(write=True) as db:
        await _find_deletable_environment(db, principal, name)
        await record(db, principal, Action.ENVIRONMENT_DELETE, name, {}, clock=clock, id_generator=id_generator)
    await erasure.erase_environment(Scope(principal.workspace_id, name))
    async with database.session(write=True) as db:
        await repository.delete_environment(db, await _find_deletable_environment(db, principal, name))


async def _find_deletable_environment(db: Session, principal: MemberPrincipal, name: str) -> Environment:
    await find_granting_role(db, principal)
    environment = await _find_environment(db, principal.workspace_id, name)
    if name in FIRST_ENVIRONMENTS:
        raise ValidationFailed.at(["name"], "cannot be deleted")
    if live_key_count := await repository.count_live_keys(db, environment):
        raise Conflict(f"Active API keys of this environment: {live_key_count}. Revoke them first.")
    if dashboard_count := await repository.count_dashboards(db, environment):
        raise Conflict(
            f"Dashboards that show this environment: {dashboard_count}. Delete them or switch them to another "
            "environment first."
        )
    return environment


async def _find_environment(db: Session, workspace_id: str, name: str) -> Environment:
    environment = await repository.find_environment(db, workspace_id, name)
    if environment is None:
        raise NotFound("This workspace has no such environment.")
    return environment


def _build_environment_out(environment: Environment) -> EnvironmentOut:
    return EnvironmentOut(
        environment.name, environment.display_name, environment.retention_days, iso_ms(environment.created_at_ms)
    )
