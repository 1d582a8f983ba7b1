"""What the token routes take and answer."""

import msgspec

from tallyroom.auth.principals import StatsScope
from tallyroom.rest.fields import Name


class StatsTokenIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a token's creation; `bot_id` for the scope `bot`, and for no other."""

    name: Name
    scope: StatsScope
    bot_id: str | None = None


class StatsTokenOut(msgspec.Struct, rename="camel"):
    """A token without its secret: `prefix` is the first 12 characters, times are ISO 8601."""

    id: str
    name: str
    scope: StatsScope
    bot_id: str | None
    prefix: str
    created_at: str
    created_by: str | None
    last_used_at: str | None
    revoked_at: str | None


class NewStatsTokenOut(StatsTokenOut, rename="camel"):
    """A token at its creation: the only time that `secret` is told."""

    secret: str


class StatsTokensOut(msgspec.Struct, rename="camel"):
    """All tokens of the workspace, newest first, revoked ones included."""

    stats_tokens: list[StatsTokenOut]
