"""What the environment routes take and answer."""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tallyroom.rest.fields import DisplayName, EnvironmentName

_MAX_DAYS = 3650  # ten years; for longer, null keeps everything
RetentionDays = Annotated[int, Meta(ge=1, le=_MAX_DAYS)]


class EnvironmentIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a new environment."""

    name: EnvironmentName
    display_name: DisplayName | None = None


class EnvironmentChange(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a change: the display name, null for the name; the days for which events are kept, null for forever."""

    display_name: DisplayName | UnsetType | None = UNSET
    retention_days: RetentionDays | UnsetType | None = UNSET


class EnvironmentOut(msgspec.Struct, rename="camel"):
    """An environment. A `displayName` of null means the name; a `retentionDays` of null means forever."""

    name: str
    display_name: str | None
    retention_days: int | None
    created_at: str


class EnvironmentsOut(msgspec.Struct, rename="camel"):
    """All environments of the workspace, by name."""

    environments: list[EnvironmentOut]
