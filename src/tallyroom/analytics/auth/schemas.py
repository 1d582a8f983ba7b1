"""What sign-up and sign-in take and answer."""

from typing import Annotated

import msgspec
from msgspec import Meta

from tallyroom.analytics.fields import Email, Name

Password = Annotated[str, Meta(min_length=10, max_length=256)]


class SignupIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a sign-up."""

    email: Email
    password: Password
    name: Name
    workspace_name: Name | None = None


class LoginIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a sign-in. A wrong password of any length is simply wrong; only its size is bounded."""

    email: Annotated[str, Meta(max_length=254)]
    password: Annotated[str, Meta(max_length=256)]


class UserOut(msgspec.Struct, rename="camel"):
    """The signed-in person."""

    id: str
    email: str
    name: str


class WorkspaceOut(msgspec.Struct, rename="camel"):
    """The current workspace."""

    id: str
    name: str
    plan: str
    timezone: str


class MembershipOut(msgspec.Struct, rename="camel"):
    """A workspace that the person can switch to, and his role there."""

    id: str
    name: str
    plan: str
    timezone: str
    role: str


class IdentityOut(msgspec.Struct, rename="camel"):
    """Who is signed in, where, and where else he could be."""

    user: UserOut
    workspace: WorkspaceOut
    role: str
    workspaces: list[MembershipOut]
