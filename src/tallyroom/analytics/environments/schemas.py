"""What the environment routes take and answer."""

from typing import Annotated

import msgspec
from msgspec import Meta

from tallyroom.rest.fields import EnvironmentName

_MOST_DAYS = 3650  # ten years; for longer, null keeps everything

RetentionDays = Annotated[int, Meta(ge=1, le=_MOST_DAYS)]


class EnvironmentIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a new environment."""

    name: EnvironmentName


class EnvironmentChange(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a change: for how many days events are kept, null forever."""

    retention_days: RetentionDays | None


class EnvironmentOut(msgspec.Struct, rename="camel"):
    """An environment; `retentionDays` is null where events are kept forever."""

    name: str
    retention_days: int | None
    created_at: str


class EnvironmentsOut(msgspec.Struct, rename="camel"):
    """All environments of the workspace, by name."""

    environments: list[EnvironmentOut]
