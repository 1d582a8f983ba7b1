"""The answers of the schema: which events and properties there are (rules/questions#schema)."""

from typing import Literal

import msgspec
from msgspec import UNSET

from tallyroom.core.notices import Notices

PropertyType = Literal["string", "number", "list", "boolean", "object"]


class EventName(msgspec.Struct, frozen=True, rename="camel"):
    """A name, how many events of the time range have it, and the time of the last one."""

    name: str
    count: int
    last_seen: str


class PropertyKey(msgspec.Struct, frozen=True):
    """A key, the types of its values in the time range, and up to three frequent values of the newest events."""

    key: str
    types: list[PropertyType]
    examples: list[str]


class SchemaOut(msgspec.Struct, frozen=True):
    """Names and keys, most frequent first."""

    events: list[EventName]
    properties: list[PropertyKey]
    notices: Notices = UNSET


class NameRow(msgspec.Struct, frozen=True):
    """A row of the store: a name in a window, time in ms."""

    name: str
    times: int
    last_ms: int


class KeyRow(msgspec.Struct, frozen=True):
    """A row of the store: a key in a window; `types` has a bit for each type."""

    key: str
    types: int


class SinceRow(msgspec.Struct, frozen=True):
    """A row of the store: when the oldest of the newest events happened, in ms."""

    since_ms: int


class ExampleRow(msgspec.Struct, frozen=True):
    """A row of the store: examples of a key's values."""

    key: str
    examples: list[str]
