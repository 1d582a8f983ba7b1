"""Principals: who makes a request. Every query takes its workspace from here and nowhere else."""

from enum import StrEnum

import msgspec

from tallyroom.auth.roles import Role


class KeyKind(StrEnum):
    """What an API key may do (rules/people#key-kinds)."""

    SECRET = "secret"  # noqa: S105 # a name
    INGEST = "ingest"  # sends events, and reads nothing


class KeyPrincipal(msgspec.Struct, frozen=True):
    """A program with an API key, which determines workspace and environment."""

    key_id: str
    workspace_id: str
    environment: str
    plan: str
    kind: KeyKind = KeyKind.SECRET


class TokenScope(StrEnum):
    """What a personal access token may do; none of them includes another."""

    READ = "read"
    WRITE = "write"
    ANNOTATE = "annotate"  # writes annotations only, which `write` does too
    EXPORT = "export"


class TokenGrant(msgspec.Struct, frozen=True):
    """What a personal access token allows, in its maker's name; `environment` is None for all."""

    token_id: str
    scopes: frozenset[TokenScope]
    environment: str | None
    expires_at_ms: int | None
    maker_role: Role

    @property
    def role(self) -> Role:
        """The lesser of what the scopes allow and what the maker may do."""
        can_write = TokenScope.WRITE in self.scopes and self.maker_role.at_least(Role.DEVELOPER)
        return Role.DEVELOPER if can_write else Role.VIEWER


class MemberPrincipal(msgspec.Struct, frozen=True):
    """A person in one of their workspaces: with a session, or through a personal access token (`token_grant`)."""

    user_id: str
    workspace_id: str
    role: Role
    plan: str
    session_hash: bytes
    token_grant: TokenGrant | None = None

    @property
    def environment(self) -> str | None:
        """The only environment that they see; None for all."""
        return None if self.token_grant is None else self.token_grant.environment


class StatsScope(StrEnum):
    """What a Statistics API token may do."""

    READ = "read"
    WRITE = "write"  # feeds every bot, and reads
    BOT = "bot"  # feeds one bot, and reads


class StatsPrincipal(msgspec.Struct, frozen=True):
    """A program at the Statistics API: a token, or, with an empty `token_id`, a list that signs its webhooks."""

    token_id: str
    workspace_id: str
    scope: StatsScope
    bot_id: str | None

    @property
    def is_webhook_sender(self) -> bool:
        """True if it is a list that signs its webhooks rather than a token."""
        return not self.token_id


Principal = KeyPrincipal | MemberPrincipal | StatsPrincipal | None  # None is anonymous
