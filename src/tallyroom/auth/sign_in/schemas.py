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
    """Body of a sign-in. Any wrong password gets the same error; only its size is limited."""

    email: Annotated[str, Meta(max_length=254)]
    password: TypedPassword


class PasswordIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a password change: the current password and the new one."""

    current: TypedPassword
    new: NewPassword


class ResetIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a request for a password reset link."""

    email: Email


class ResetConfirmIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a password reset: the token from the emailed link, and the new password."""

    token: Annotated[str, Meta(max_length=256)]
    password: NewPassword


class CurrentWorkspaceIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a switch to another workspace."""

    workspace_id: str


class SignInLinkOut(msgspec.Struct, rename="camel"):
    """A link that signs a browser in; it is shown only once."""

    url: str
    expires_at: str
