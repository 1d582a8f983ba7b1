"""Who is signed in, where, and where else they may be: what every route answers that signs in or changes workspace."""

from typing import NamedTuple

import msgspec
from litestar import Response

from tallyroom.auth import repository
from tallyroom.auth.cookies import session_cookie
from tallyroom.core.errors import Unauthorized
from tallyroom.core.settings import Settings
from tallyroom.db.connection import Session
from tallyroom.db.models import Workspace

SESSION_HEADER = "x-session-token"


class UserOut(msgspec.Struct, rename="camel"):
    """The signed-in person."""

    id: str
    email: str
    name: str


class WorkspaceOut(msgspec.Struct, rename="camel"):
    """A workspace; `timezone` is an IANA name."""

    id: str
    name: str
    plan: str
    timezone: str


class MembershipOut(WorkspaceOut, rename="camel"):
    """A workspace that the person can switch to, and his role there."""

    role: str


class IdentityOut(msgspec.Struct, rename="camel"):
    """Who is signed in, where, and where else he could be."""

    user: UserOut
    workspace: WorkspaceOut
    role: str
    workspaces: list[MembershipOut]


class SignedIn(NamedTuple):
    """A new session: what to answer, and the token that is told only now."""

    identity: IdentityOut
    token: str


def signed_in(new: SignedIn, status: int, settings: Settings) -> Response[IdentityOut]:
    """The response that starts a session: the token as a cookie for browsers and in a header for scripts."""
    return Response(
        new.identity,
        status_code=status,
        headers={SESSION_HEADER: new.token, "cache-control": "no-store"},
        cookies=[session_cookie(new.token, settings)],
    )


async def identity_of(db: Session, user_id: str, workspace_id: str) -> IdentityOut:
    """The answer about this user in this workspace.

    Raises:
        Unauthorized: the user or his membership is gone since the guard looked.
    """
    user = await repository.find_user(db, user_id)
    memberships = await repository.list_memberships(db, user_id)
    current = next(((workspace, role) for workspace, role in memberships if workspace.id == workspace_id), None)
    if user is None or current is None:
        raise Unauthorized("Sign in first.")
    workspace, role = current
    return IdentityOut(
        user=UserOut(user.id, user.email, user.name),
        workspace=workspace_out(workspace),
        role=role,
        workspaces=[membership_out(each, role) for each, role in memberships],
    )


def workspace_out(workspace: Workspace) -> WorkspaceOut:
    """A workspace as it is answered everywhere."""
    return WorkspaceOut(workspace.id, workspace.name, workspace.plan, workspace.timezone)


def membership_out(workspace: Workspace, role: str) -> MembershipOut:
    """A workspace with the person's role in it."""
    return MembershipOut(workspace.id, workspace.name, workspace.plan, workspace.timezone, role)
