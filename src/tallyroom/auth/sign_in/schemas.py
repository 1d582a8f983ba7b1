"""The bodies of sign-up, sign-in and new passwords."""

from typing import Annotated

import msgspec
from msgspec import Meta

from tallyroom.rest.fields import Email, Name, NewPassword, TypedPassword


class SignupIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a sign-up. `timezone` is an IANA name, for the workspace."""

    email: Email
    password: NewPassword
    name: Name
    workspace_name: Name | None = None
    timezone: str = "UTC"


class SignupOut(msgspec.Struct, rename="camel"):
    """Who may sign up: `first` if no one has, so that the next user becomes the owner; `open` if anyone may."""

    first: bool
    open: bool


class LoginIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a sign-in. A wrong password of any length is simply wrong; only its size is bounded."""

    email: Annotated[str, Meta(max_length=254)]
    password: TypedPassword


class PasswordIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a change of the password: the current one and the new one."""

    current: TypedPassword
    new: NewPassword


class ResetIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a request for a link to set a new password."""

    email: Email


class ResetConfirmIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a new password: the token of a mailed link, and the password."""

    token: Annotated[str, Meta(max_length=256)]
    password: NewPassword


class CurrentWorkspaceIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a change of the current workspace."""

    workspace_id: str


class SignInLinkOut(msgspec.Struct, rename="camel"):
    """A link that signs a browser in; it is shown only once."""

    url: str
    expires_at: str
