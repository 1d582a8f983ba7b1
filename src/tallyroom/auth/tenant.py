"""Who is asking. The workspace of every query comes from here and from nowhere else."""

from enum import StrEnum

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


class StatsScope(StrEnum):
    """What a token of the statistics API may do."""

    READ = "read"
    WRITE = "write"  # feeds every bot, and reads
    BOT = "bot"  # feeds one bot, and reads


class StatsPrincipal(msgspec.Struct, frozen=True):
    """A program at the statistics API: a token, or a list that signs its webhooks.

    `bot_id` is the one bot that the scope `bot` is about. A sender of webhooks has the scope `bot` and, in the place of
    the token's id, "".
    """

    token_id: str
    workspace_id: str
    scope: StatsScope
    bot_id: str | None

    @property
    def signs(self) -> bool:
        """Whether it is a list that signs its webhooks, and no token."""
        return not self.token_id


Principal = KeyPrincipal | SessionPrincipal | StatsPrincipal | None
"""None is anonymous."""
