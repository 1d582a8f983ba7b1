"""GET and POST /v1/environments, PATCH and DELETE /v1/environments/:name."""

from litestar import Router, delete, get, patch, post
from litestar.params import FromPath, JSONBody

from tallyroom.auth.guards import require_admin, require_member
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.tokens.scopes import TAKES_TOKENS
from tallyroom.core.clock import Clock
from tallyroom.core.ids import IdGenerator
from tallyroom.ingest.drain.erasure import Erasure
from tallyroom.rest.injected import Injected
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.workspaces.environments import service
from tallyroom.workspaces.environments.schemas import EnvironmentChange, EnvironmentIn, EnvironmentOut, EnvironmentsOut


@get("/", guards=[require_member], opt=TAKES_TOKENS)
async def list_environments(db: Injected[Session], principal: Injected[MemberPrincipal]) -> EnvironmentsOut:
    """All environments of the workspace, by name."""
    return EnvironmentsOut(await service.list_environments(db, principal))


@post("/", guards=[require_admin], status_code=201)
async def create_environment(
    data: JSONBody[EnvironmentIn],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> EnvironmentOut:
    """Create an environment. Its keys begin with `tr_test_`, and its events are kept forever.

    People see `displayName`; programs use `name`, which never changes.
    """
    return await service.create_environment(db, principal, data, clock, ids)


@patch("/{name:str}", guards=[require_admin])
async def change_environment(
    name: FromPath[str],
    data: JSONBody[EnvironmentChange],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> EnvironmentOut:
    """Change the display name, or the number of days for which events are kept: 1 to 3650, or null for forever.

    An event is permanently deleted during the UTC day after it reaches this age.
    """
    return await service.change_environment(db, principal, name, data, clock, ids)


@delete("/{name:str}", guards=[require_admin], status_code=204)
async def delete_environment(
    name: FromPath[str],
    database: Injected[Database],
    erasure: Injected[Erasure],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> None:
    """Delete an environment with all its events, which cannot be undone.

    Its segments, annotations and revoked keys are deleted, too. Production and development cannot be deleted, nor can
    an environment with dashboards or other keys (409).
    """
    await service.delete_environment(database, erasure, principal, name, clock, ids)


routes = Router(
    path="/v1/environments",
    route_handlers=[list_environments, create_environment, change_environment, delete_environment],
    tags=["environments"],
)
