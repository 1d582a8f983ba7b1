"""What the configs and answers of all kinds share, and what the public sees (rules/boards#public-dashboard)."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta

from tallyroom.core.event_limits import MAX_NAME_LENGTH
from tallyroom.core.notices import Notices

EventName = Annotated[str, Meta(min_length=1, max_length=MAX_NAME_LENGTH)]
GoodDirection = Literal["up", "down", "none"]  # in which a number is better
Chart = Literal["line", "bar", "area", "pie", "number", "list"]

MAX_UNIT_LENGTH = 20
MAX_DECIMALS = 10


class DisplayOptions(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="camel", omit_defaults=True
):
    """How to show a widget; this does not change any number. Options that do not fit its answer are ignored.

    `axis` begins at zero or fits the values; `goal` is a line to reach; `unit` is shown after numbers.
    """

    chart: Chart | None = None
    stack: bool | None = None
    axis: Literal["zero", "fit"] | None = None
    legend: bool | None = None
    goal: float | None = None
    good: GoodDirection | None = None
    decimals: Annotated[int, Meta(ge=0, le=MAX_DECIMALS)] | None = None
    unit: Annotated[str, Meta(min_length=1, max_length=MAX_UNIT_LENGTH)] | None = None


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="camel", omit_defaults=True):
    """The config of a kind of widget. Types check each field; a kind's `check_config` checks their combination."""

    display: DisplayOptions | None = None


class SegmentedConfig(Config, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A config to which the filters of a saved segment can be added."""

    segment_id: str | None = None


class Result(msgspec.Struct, kw_only=True, rename="camel", tag_field="kind"):
    """An answer; the engine sets these fields last."""

    computed_at: str = ""
    notices: Notices = UNSET


class Display(DisplayOptions, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """What a public page may know about how to show a widget: an allow-list.

    `labels` and `goods` are those of the items of a KPI widget, `text` that of a note. `addsUp` is true if the values
    of all buckets or labels add up to the whole.
    """

    labels: list[str] | None = None
    goods: list[GoodDirection] | None = None
    adds_up: bool | None = None
    text: str | None = None


def display_of(config: Config, **fields: Any) -> Display:
    """Return the display of a config with `fields`, of which those in `display` itself take precedence."""
    options = {} if config.display is None else msgspec.structs.asdict(config.display)
    return Display(**(fields | {name: value for name, value in options.items() if value is not None}))
