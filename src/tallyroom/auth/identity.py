"""The identity of a signed-in person: the answer of every route that signs in or switches workspaces."""

from typing import NamedTuple

import msgspec
from litestar import Response

from tallyroom.auth import repository
from tallyroom.auth.cookies import SessionCookies
from tallyroom.core.errors import Unauthorized
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Workspace

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
    """A workspace that you can switch to, and your role in it."""

    role: str


class IdentityOut(msgspec.Struct, rename="camel"):
    """Who is signed in, where, and where else they could be."""

    user: UserOut
    workspace: WorkspaceOut
    role: str
    workspaces: list[MembershipOut]


class NewSession(NamedTuple):
    """A new session: the response body, and the token, which is sent only now."""

    identity: IdentityOut
    token: str


def build_session_response(new_session: NewSession, status: int, cookies: SessionCookies) -> Response[IdentityOut]:
    """Return the response that starts a session, with the token as a cookie for browsers and a header for scripts."""
    return Response(
        new_session.identity,
        status_code=status,
        headers={SESSION_HEADER: new_session.token},
        cookies=[cookies.build_sign_in_cookie(new_session.token)],
    )


async def identity_of(db: Session, user_id: str, workspace_id: str) -> IdentityOut:
    """Return the user's identity in this workspace; raises `Unauthorized` if it was deleted since the guard ran."""
    user = await repository.find_user(db, user_id)
    workspaces_and_roles = await repository.list_workspaces_and_roles(db, user_id)
    current_membership = next(
        ((workspace, role) for workspace, role in workspaces_and_roles if workspace.id == workspace_id), None
    )
    if user is None or current_membership is None:
        raise Unauthorized("Sign in first.")
    workspace, role = current_membership
    return IdentityOut(
        user=UserOut(user.id, user.email, user.name),
        workspace=workspace_out(workspace),
        role=role,
        workspaces=[membership_out(*membership) for membership in workspaces_and_roles],
    )


def workspace_out(workspace: Workspace) -> WorkspaceOut:
    """Return a workspace in the shape of every response."""
    return WorkspaceOut(workspace.id, workspace.name, workspace.plan, workspace.timezone)


def membership_out(workspace: Workspace, role: str) -> MembershipOut:
    """Return a workspace with the person's role in it."""
    return MembershipOut(workspace.id, workspace.name, workspace.plan, workspace.timezone, role)
