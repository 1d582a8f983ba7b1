"""The config of a funnel, and its checks (rules/questions#funnel)."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from tallyroom.core.errors import ValidationFailed
from tallyroom.queries.config import SegmentedConfig
from tallyroom.queries.event_choice import EventChoiceFields, check_event_choice
from tallyroom.queries.filters import Filters, check_filters
from tallyroom.queries.keys import Key
from tallyroom.queries.kind import Path
from tallyroom.queries.units import UnitKind

MAX_STEPS = 8
MAX_EXCLUSIONS = 5


class Step(EventChoiceFields, frozen=True, kw_only=True):
    """One step: its events and their filters."""

    filters: Filters = ()


class Exclusion(Step, frozen=True, kw_only=True):
    """An event that must not come between the events of two steps, which count from 1."""

    between: tuple[int, int]


class FunnelConfig(SegmentedConfig, frozen=True, kw_only=True, rename="camel"):
    """The steps in their order, and what goes through them.

    `windowHours` is the time for each step, or for the whole chain with `windowFrom` `first`. `breakdown` is a key:
    each label of the first step's event gets a series. With `times`, the answer shows how long each step took. All
    events of a chain have the same value of the key `holding`, and no event of `exclude` comes between its two steps.
    """

    steps: Annotated[tuple[Step, ...], Meta(min_length=2, max_length=MAX_STEPS)]
    window_hours: Annotated[int, Meta(ge=1, le=720)] = 168
    window_from: Literal["previous", "first"] = "previous"
    unit_kind: UnitKind = msgspec.field(default="actor", name="count")
    breakdown: Key | None = None
    times: bool = False
    holding: Key | None = None
    exclude: Annotated[tuple[Exclusion, ...], Meta(max_length=MAX_EXCLUSIONS)] = ()


def check_config(config: FunnelConfig, path: Path) -> None:
    """Refuse steps without events, invalid filters, and exclusions that are not between two steps."""
    for index, step in enumerate(config.steps):
        check_event_choice(step, [*path, "steps", index])
        check_filters(step.filters, [*path, "steps", index, "filters"])
    for index, exclusion in enumerate(config.exclude):
        check_event_choice(exclusion, [*path, "exclude", index])
        check_filters(exclusion.filters, [*path, "exclude", index, "filters"])
        earlier, later = exclusion.between
        if not 1 <= earlier < later <= len(config.steps):
            reason = f"must be the numbers of two steps in order, from 1 to {len(config.steps)}"
            raise ValidationFailed.at([*path, "exclude", index, "between"], reason)
