"""What POST /v1/query takes (rules/boards#widget-data)."""

from typing import Any

import msgspec

from tallyroom.core.ranges import TimeRange


class QueryIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """A question as a widget would ask it; `config` is what the type takes."""

    environment: str
    time_range: TimeRange
    type: str
    config: dict[str, Any]
