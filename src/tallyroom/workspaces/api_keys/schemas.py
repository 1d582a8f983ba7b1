"""What the key routes take and answer."""

import msgspec

from tallyroom.rest.fields import Name


class KeyIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a key's creation."""

    name: Name
    environment: str


class KeyOut(msgspec.Struct, rename="camel"):
    """A key without its secret: `prefix` is the first 12 characters, times are ISO 8601."""

    id: str
    name: str
    environment: str
    prefix: str
    created_at: str
    created_by: str | None
    last_used_at: str | None
    revoked_at: str | None


class NewKeyOut(KeyOut, rename="camel"):
    """A key at its creation: the only time that `secret` is told."""

    secret: str


class KeyWorkspaceOut(msgspec.Struct, rename="camel"):
    """The workspace of a key; `timezone`, an IANA name, rules the days of its charts."""

    id: str
    name: str
    timezone: str


class OwnKeyOut(msgspec.Struct, rename="camel"):
    """Where a key leads."""

    environment: str
    workspace: KeyWorkspaceOut


class KeysOut(msgspec.Struct, rename="camel"):
    """All keys of the workspace, newest first, revoked ones included."""

    keys: list[KeyOut]
