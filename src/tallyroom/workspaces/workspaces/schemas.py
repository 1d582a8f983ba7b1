"""What the workspace routes take and answer."""

import msgspec
from msgspec import UNSET, UnsetType

from tallyroom.auth.identity import MembershipOut
from tallyroom.rest.fields import Name


class WorkspaceIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a new workspace. `timezone` is an IANA name."""

    name: Name
    timezone: str = "UTC"


class WorkspaceChange(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a change: what is absent stays. `timezone` is an IANA name."""

    name: Name | UnsetType = UNSET
    timezone: str | UnsetType = UNSET


class WorkspacesOut(msgspec.Struct, rename="camel"):
    """The workspaces that a person belongs to, oldest first."""

    workspaces: list[MembershipOut]
