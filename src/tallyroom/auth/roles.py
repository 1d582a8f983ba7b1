"""The four roles of a workspace, in order (rules/people#roles)."""

from enum import StrEnum


class Role(StrEnum):
    """What a member may do; each role includes the ones before it."""

    VIEWER = "viewer"  # reads
    DEVELOPER = "developer"  # creates, updates and deletes
    ADMIN = "admin"  # and manages members, invitations, environments and the workspace
    OWNER = "owner"  # and manages owners

    def at_least(self, other_role: "Role") -> bool:
        """Return True if this role includes `other_role`."""
        return _ORDER.index(self) >= _ORDER.index(other_role)


_ORDER = list(Role)
