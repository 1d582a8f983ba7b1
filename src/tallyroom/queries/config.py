"""What the configs and answers of all kinds share, and what the public sees (rules/boards#public-dashboard)."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta

from tallyroom.core.event_limits import MAX_NAME_LENGTH
from tallyroom.core.notices import Notices
from tallyroom.core.value_colors import COLOR_COUNT

EventName = Annotated[str, Meta(min_length=1, max_length=MAX_NAME_LENGTH)]
GoodDirection = Literal["up", "down", "none"]  # in which a number is better
Chart = Literal["line", "bar", "area", "pie", "number", "list"]

MAX_UNIT_LENGTH = 20
MAX_DECIMALS = 10


MAX_CHOSEN_COLORS = 50
MAX_COLORED_VALUE_LENGTH = 256

ColoredValue = Annotated[str, Meta(max_length=MAX_COLORED_VALUE_LENGTH)]
ColorNumber = Annotated[int, Meta(ge=1, le=COLOR_COUNT)]


class SharedDisplay(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="camel", omit_defaults=True
):
    """The options of `DisplayOptions` that a public page may know."""

    chart: Chart | None = None
    stack: bool | None = None
    axis: Literal["zero", "fit"] | None = None
    legend: bool | None = None
    goal: float | None = None
    good: GoodDirection | None = None
    decimals: Annotated[int, Meta(ge=0, le=MAX_DECIMALS)] | None = None
    unit: Annotated[str, Meta(min_length=1, max_length=MAX_UNIT_LENGTH)] | None = None


class DisplayOptions(SharedDisplay, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """How to show a widget; this does not change any number. Options that do not fit its answer are ignored.

    `axis` begins at zero or fits the values; `goal` is a line to reach; `unit` is shown after numbers. `colors` has the
    colors, 1 to 8, of values of the breakdown (rules/pictures#color-of-a-value).
    """

    colors: Annotated[dict[ColoredValue, ColorNumber], Meta(max_length=MAX_CHOSEN_COLORS)] | None = None


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


class Display(SharedDisplay, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """What a public page may know about how to show a widget: an allow-list.

    `labels`, `goods` and `goals` are those of the items of a KPI widget, `text` that of a note. `addsUp` is true if the
    values of all buckets or labels add up to the whole.
    """

    labels: list[str] | None = None
    goods: list[GoodDirection] | None = None
    goals: list[float | None] | None = None
    adds_up: bool | None = None
    text: str | None = None


def display_of(config: Config, **fields: Any) -> Display:
    """Return the display of a config with `fields`, of which those in `display` itself take precedence."""
    options = {name: getattr(config.display, name, None) for name in SharedDisplay.__struct_fields__}
    return Display(**(fields | {name: value for name, value in options.items() if value is not None}))
