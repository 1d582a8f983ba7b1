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
    """Body of a change: what people see instead of the name, null for the name; for how many days events are kept."""

    display_name: DisplayName | UnsetType | None = UNSET
    retention_days: RetentionDays | UnsetType | None = UNSET


class EnvironmentOut(msgspec.Struct, rename="camel"):
    """An environment.

    `displayName` is what people see, null where it is the name; `retentionDays` is null where events are kept forever.
    """

    name: str
    display_name: str | None
    retention_days: int | None
    created_at: str


class EnvironmentsOut(msgspec.Struct, rename="camel"):
    """All environments of the workspace, by name."""

    environments: list[EnvironmentOut]
