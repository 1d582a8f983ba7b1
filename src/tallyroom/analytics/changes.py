"""What a PATCH changes: a field that is absent stays, and null is a value like any other."""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET

from tallyroom.db.models import Annotation, Dashboard, Segment, Widget


def changes(row: Annotation | Dashboard | Segment | Widget, values: Mapping[str, Any]) -> dict[str, Any]:
    """Those of `values`, by the names of the row's columns, that are not UNSET and differ from what the row has."""
    return {name: value for name, value in values.items() if value is not UNSET and value != getattr(row, name)}


def change(row: Annotation | Dashboard | Segment | Widget, changed: Mapping[str, Any]) -> None:
    """Give the row these values."""
    for name, value in changed.items():
        setattr(row, name, value)
