"""What the invitation routes take and answer."""

from typing import Annotated

import msgspec
from msgspec import Meta

from tallyroom.auth.roles import Role
from tallyroom.rest.fields import Email, Name, TypedPassword


class InviteIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of an invitation."""

    email: Email
    role: Role


class InviteOut(msgspec.Struct, rename="camel"):
    """An open invitation without its token: `createdBy` is a user ID, times are ISO 8601."""

    id: str
    email: str
    role: Role
    created_at: str
    created_by: str | None
    expires_at: str


class NewInviteOut(InviteOut, rename="camel"):
    """A new invitation, with its token."""

    token: str


class InvitesOut(msgspec.Struct, rename="camel"):
    """The open invitations of the workspace, newest first."""

    invites: list[InviteOut]


class AcceptanceIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of an acceptance; `name` and `password` are for people without an account."""

    token: Annotated[str, Meta(max_length=256)]
    name: Name | None = None
    password: TypedPassword | None = None
