"""What the routes of personal access tokens take and answer."""

from typing import Annotated

import msgspec
from msgspec import Meta

from tallyroom.auth.principals import TokenScope
from tallyroom.rest.fields import Name


class TokenIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a token's creation; without `environment` it sees all, and without `expiresAt` it never expires."""

    name: Name
    scopes: Annotated[list[TokenScope], Meta(min_length=1)]
    environment: str | None = None
    expires_at: str | None = None


class TokenOut(msgspec.Struct, rename="camel"):
    """A token without its secret: `prefix` is the first 12 characters, `createdBy` a user's id, times are ISO 8601."""

    id: str
    name: str
    scopes: list[TokenScope]
    environment: str | None
    prefix: str
    created_at: str
    created_by: str
    expires_at: str | None
    last_used_at: str | None
    revoked_at: str | None


class NewTokenOut(TokenOut, rename="camel"):
    """A token at its creation: the only time that `secret` is told."""

    secret: str


class TokensOut(msgspec.Struct, rename="camel"):
    """Personal access tokens, newest first, revoked and expired ones included."""

    tokens: list[TokenOut]
