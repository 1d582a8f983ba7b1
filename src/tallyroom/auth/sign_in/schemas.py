"""What sign-up, sign-in and new passwords take."""

from typing import Annotated

import msgspec
from msgspec import Meta

from tallyroom.rest.fields import Email, Name, NewPassword, TypedPassword


class SignupIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a sign-up. `timezone`, an IANA name, becomes that of the workspace."""

    email: Email
    password: NewPassword
    name: Name
    workspace_name: Name | None = None
    timezone: str = "UTC"


class SignupOut(msgspec.Struct, rename="camel"):
    """Who may sign up: `first` while nobody has, which makes the next one the owner; `open` while anybody may."""

    first: bool
    open: bool


class LoginIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a sign-in. A wrong password of any length is simply wrong; only its size is bounded."""

    email: Annotated[str, Meta(max_length=254)]
    password: TypedPassword


class PasswordIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a change of the password: the one that holds, and the one that shall."""

    current: TypedPassword
    new: NewPassword


class ResetIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a request for a link by which a new password can be set."""

    email: Email


class ResetConfirmIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of the use of such a link: its token, and the new password."""

    token: Annotated[str, Meta(max_length=256)]
    password: NewPassword


class CurrentWorkspaceIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a change of the current workspace."""

    workspace_id: str


class SignInLinkOut(msgspec.Struct, rename="camel"):
    """A link that signs a browser in, told only once."""

    url: str
    expires_at: str
