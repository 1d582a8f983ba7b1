"""Who is asking. The workspace of every query comes from here and from nowhere else."""

import msgspec

from tallyroom.auth.roles import Role


class KeyPrincipal(msgspec.Struct, frozen=True):
    """A program with an API key, which decides workspace and environment."""

    key_id: str
    workspace_id: str
    environment: str
    plan: str


class SessionPrincipal(msgspec.Struct, frozen=True):
    """A signed-in person in the current workspace; `session_hash` is the SHA-256 of the token."""

    user_id: str
    workspace_id: str
    role: Role
    plan: str
    session_hash: bytes


Principal = KeyPrincipal | SessionPrincipal | None
"""None is anonymous."""
