"""What the annotation routes take and answer (rules/boards#annotation)."""

import msgspec
from msgspec import UNSET, UnsetType

from tallyroom.rest.fields import Color, Key, Name, Text

DEFAULT_COLOR = "#0072B2"
"""A blue that people with any kind of colour vision tell from the rest of a chart."""


class AnnotationIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a new annotation; times are ISO 8601, `timeEnd` makes it a stretch of time.

    A `key` names the annotation in its environment: the same key again replaces everything else.
    """

    environment: str
    label: Name
    time: str
    time_end: str | None = None
    description: Text | None = None
    color: Color = DEFAULT_COLOR
    key: Key | None = None


class AnnotationChange(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a change: what is absent stays; null clears `description` and `timeEnd`."""

    label: Name | UnsetType = UNSET
    time: str | UnsetType = UNSET
    time_end: str | UnsetType | None = UNSET
    description: Text | UnsetType | None = UNSET
    color: Color | UnsetType = UNSET


class AnnotationOut(msgspec.Struct, rename="camel"):
    """A mark on the charts of an environment, at a moment or over a stretch of time."""

    id: str
    environment: str
    label: str
    description: str | None
    color: str
    time: str
    time_end: str | None
    created_at: str
    key: str | None


class AnnotationsOut(msgspec.Struct, rename="camel"):
    """Annotations of an environment in the order of their times."""

    annotations: list[AnnotationOut]
