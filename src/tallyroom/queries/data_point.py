"""The data point whose events are requested: which number of an answer (rules/questions#who-is-behind-a-number)."""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tallyroom.core.errors import ValidationFailed

PointFields = tuple[str, ...]  # empty for the answer as a whole

_Count = Annotated[int, Meta(ge=0)]


class DataPoint(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One number of an answer, or the answer as a whole if no field is given.

    `t` and `cohort` are written as in the answer. `label` null is the rest that `kind` names: the events without a
    label, or those with a label that the answer does not show. `item`, `period` and `bucket` count from 0, `step` from
    1. `outcome` is the units that reached the step, or those of them that did not reach the next one: all of these
    (`dropped`), or only those whose time is over (`stopped`) or not (`waiting`). `cell` is a day of the week, from 0
    for Monday, and an hour.
    """

    t: str | UnsetType = UNSET
    label: str | UnsetType | None = UNSET
    kind: Literal["none", "other"] | UnsetType = UNSET
    item: _Count | UnsetType = UNSET
    step: Annotated[int, Meta(ge=1)] | UnsetType = UNSET
    outcome: Literal["reached", "dropped", "stopped", "waiting"] | UnsetType = UNSET
    cohort: str | UnsetType = UNSET
    period: _Count | UnsetType = UNSET
    bucket: _Count | UnsetType = UNSET
    cell: tuple[Annotated[int, Meta(ge=0, le=6)], Annotated[int, Meta(ge=0, le=23)]] | UnsetType = UNSET


def check_data_point(data_point: DataPoint, *allowed: PointFields) -> None:
    """Raise `ValidationFailed` unless a data point has exactly one of the `allowed` combinations of fields."""
    if _list_fields(data_point) not in [set(point_fields) for point_fields in allowed]:
        raise ValidationFailed.at(["at"], f"must be {' or '.join(map(_format_fields, allowed))} for this answer")


def check_data_point_names_a_part(data_point: DataPoint) -> None:
    """Raise `ValidationFailed` for the answer as a whole, which is nothing to compare with itself."""
    if not _list_fields(data_point):
        raise ValidationFailed.at(["at"], "must name a part of the answer; all of it cannot be compared with itself")


def data_point_refusal(field: str, reason: str) -> ValidationFailed:
    """Return the error for a data point that the answer does not have."""
    return ValidationFailed.at(["at", field], reason)


def _list_fields(data_point: DataPoint) -> set[str]:
    return {name for name in data_point.__struct_fields__ if getattr(data_point, name) is not UNSET}


def _format_fields(point_fields: PointFields) -> str:
    return "{" + ", ".join(f'"{field}"' for field in point_fields) + "}"
