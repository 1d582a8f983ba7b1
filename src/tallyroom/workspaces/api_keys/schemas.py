"""What the routes of API keys take and answer."""

import msgspec
from msgspec import UNSET, UnsetType

from tallyroom.auth.principals import KeyKind
from tallyroom.rest.fields import Name


class KeyIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a key's creation: a `secret` key sends and reads, an `ingest` key only sends; the kind never changes."""

    name: Name
    environment: str
    kind: KeyKind = KeyKind.SECRET


class KeyChange(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a change."""

    name: Name | UnsetType = UNSET


class KeyOut(msgspec.Struct, rename="camel"):
    """A key without its secret: `prefix` is the first 12 characters, times are ISO 8601."""

    id: str
    name: str
    environment: str
    kind: KeyKind
    prefix: str
    created_at: str
    created_by: str | None
    last_used_at: str | None
    revoked_at: str | None


class NewKeyOut(KeyOut, rename="camel"):
    """A new key, with its secret."""

    secret: str


class KeysOut(msgspec.Struct, rename="camel"):
    """All keys of the workspace, newest first, revoked ones included."""

    keys: list[KeyOut]


class KeyWorkspaceOut(msgspec.Struct, rename="camel"):
    """The workspace of a key; `timezone`, an IANA name, sets the days of its charts."""

    id: str
    name: str
    timezone: str


class EventLimitsOut(msgspec.Struct, rename="camel"):
    """What `POST /v1/events` accepts from the key; lengths are in Unicode code points, sizes in bytes."""

    batch_events: int
    event_bytes: int
    body_bytes: int
    name_length: int
    actor_length: int
    actor_label_length: int
    source_length: int
    properties_depth: int


class OwnKeyOut(msgspec.Struct, rename="camel"):
    """The environment and the workspace of a key, what it may send, and the server's time in ISO 8601."""

    environment: str
    workspace: KeyWorkspaceOut
    limits: EventLimitsOut
    now: str
