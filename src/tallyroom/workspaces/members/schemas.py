"""What the member routes take and answer."""

import msgspec

from tallyroom.auth.roles import Role


class RoleIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a change of a member's role."""

    role: Role


class MemberOut(msgspec.Struct, rename="camel"):
    """A member: `id` is the user's, `joinedAt` is ISO 8601."""

    id: str
    email: str
    name: str
    role: Role
    joined_at: str


class MembersOut(msgspec.Struct, rename="camel"):
    """All members of the workspace, in the order in which they joined."""

    members: list[MemberOut]
