"""The bodies and answers of the annotation routes (rules/boards#annotation)."""

import msgspec
from msgspec import UNSET, UnsetType

from tallyroom.rest.fields import Color, Key, Name, Text

DEFAULT_COLOR = "#0072B2"  # a blue that people with any kind of color vision can distinguish


class AnnotationIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a new annotation; times are ISO 8601. An existing annotation with the same `key` is replaced."""

    environment: str
    label: Name
    time: str
    time_end: str | None = None
    description: Text | None = None
    color: Color = DEFAULT_COLOR
    key: Key | None = None


class AnnotationChange(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a change: absent fields stay the same; null clears `description` and `timeEnd`."""

    label: Name | UnsetType = UNSET
    time: str | UnsetType = UNSET
    time_end: str | UnsetType | None = UNSET
    description: Text | UnsetType | None = UNSET
    color: Color | UnsetType = UNSET


class AnnotationOut(msgspec.Struct, rename="camel"):
    """A mark on the charts of an environment, at a moment or over a period."""

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
