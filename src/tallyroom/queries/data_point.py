"""The data point whose events are requested: which number of an answer (rules/questions#behind-a-number)."""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tallyroom.core.errors import ValidationFailed

PointFields = tuple[str, ...]
"""Fields that belong together; empty for the answer as a whole."""

_Count = Annotated[int, Meta(ge=0)]
_Number = Annotated[int, Meta(ge=1)]
_Day = Annotated[int, Meta(ge=0, le=6)]
_Hour = Annotated[int, Meta(ge=0, le=23)]


class DataPoint(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One number of an answer, or the answer as a whole if no field is given.

    Attributes:
        t: of a point, as the answer writes it.
        label: of a row or a series; null stands for the row of the rest that `kind` names.
        kind: which rest: the events without a label, or those with a label that the answer does not show.
        item: of a KPI, from 0.
        step: of a funnel, from 1.
        outcome: those who reached the step, or those of them who did not reach the next one.
        cohort: of a retention, its start as the answer writes it.
        period: of the cohort, from 0.
        bucket: of a histogram, from 0.
        cell: of a heatmap: the day of the week, from 0 for Monday, and the hour.
    """

    t: str | UnsetType = UNSET
    label: str | UnsetType | None = UNSET
    kind: Literal["none", "other"] | UnsetType = UNSET
    item: _Count | UnsetType = UNSET
    step: _Number | UnsetType = UNSET
    outcome: Literal["reached", "dropped"] | UnsetType = UNSET
    cohort: str | UnsetType = UNSET
    period: _Count | UnsetType = UNSET
    bucket: _Count | UnsetType = UNSET
    cell: tuple[_Day, _Hour] | UnsetType = UNSET


def check_data_point(data_point: DataPoint, *allowed: PointFields) -> None:
    """Raise `ValidationFailed` unless a data point has exactly one of the `allowed` combinations of fields."""
    fields = {name for name in data_point.__struct_fields__ if getattr(data_point, name) is not UNSET}
    if fields not in [set(point_fields) for point_fields in allowed]:
        raise ValidationFailed.at(["at"], f"has to be {' or '.join(map(_format_fields, allowed))} for this answer")


def data_point_refusal(field: str, reason: str) -> ValidationFailed:
    """Return the error for a data point that the answer does not have."""
    return ValidationFailed.at(["at", field], reason)


def _format_fields(point_fields: PointFields) -> str:
    return "{" + ", ".join(f'"{field}"' for field in point_fields) + "}"
