"""What the configs and answers of all kinds share, and what the public sees (rules/boards#public-dashboard)."""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta

from tallyroom.core.event_limits import MAX_NAME
from tallyroom.core.notices import Notices

EventName = Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]
Good = Literal["up", "down", "none"]
"""The direction in which a number is better."""


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="camel", omit_defaults=True):
    """What a kind of widget takes. Each field is checked by its type; a kind's `check` adds what types cannot say."""


class SegmentedConfig(Config, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A config to which the filters of a saved segment can be added."""

    segment_id: str | None = None


class Result(msgspec.Struct, kw_only=True, rename="camel", tag_field="kind"):
    """An answer; the engine sets these fields last."""

    computed_at: str = ""
    notices: Notices = UNSET


class Display(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a public page may know about how to show a widget: an allow-list, and nothing else.

    Attributes:
        chart: how to draw it.
        goal: a line to reach.
        good: which direction is good.
        labels: names of the items of a KPI widget.
        text: of a note.
    """

    chart: str | None = None
    goal: float | None = None
    good: str | None = None
    labels: list[str] | None = None
    text: str | None = None
