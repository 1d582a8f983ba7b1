"""Principals: who is asking. The workspace of every query comes from here and nowhere else."""

from enum import StrEnum

import msgspec

from tallyroom.auth.roles import Role


class KeyPrincipal(msgspec.Struct, frozen=True):
    """A program with an API key, which determines workspace and environment."""

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

    `bot_id` is the only bot that the scope `bot` covers. A sender of webhooks has the scope `bot`, and "" in place of a
    token id.
    """

    token_id: str
    workspace_id: str
    scope: StatsScope
    bot_id: str | None

    @property
    def signs(self) -> bool:
        """True if it is a list that signs its webhooks rather than a token."""
        return not self.token_id


Principal = KeyPrincipal | SessionPrincipal | StatsPrincipal | None
"""None is anonymous."""
