"""The changes of a PATCH: an absent field stays unchanged, and null is a value like any other."""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET


def find_changes(row: object, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the `values`, by column name, that are not UNSET and differ from the row's."""
    return {name: value for name, value in values.items() if value is not UNSET and value != getattr(row, name)}


def apply_changes(row: object, values: Mapping[str, Any]) -> None:
    """Set these values in a row of the metadata."""
    for name, value in values.items():
        setattr(row, name, value)
