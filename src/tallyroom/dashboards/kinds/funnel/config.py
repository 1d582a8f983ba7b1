"""What a funnel takes, and what it refuses (rules/questions#funnel)."""

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
    """One step: its events, and what they have to match."""

    filters: Filters = ()


class Exclusion(Step, frozen=True, kw_only=True):
    """An event that must not come between the events of two steps, which count from 1."""

    between: tuple[int, int]


class FunnelConfig(SegmentedConfig, frozen=True, kw_only=True, rename="camel"):
    """The steps in their order.

    Attributes:
        steps: each takes an event of its own.
        window_hours: how long a step may take, or the whole chain.
        window_from: since when that is counted: the previous step's event or the chain's first.
        count: what goes through the funnel.
        breakdown: the key whose labels of the first step's event get a series each.
        times: whether to count how long each step took.
        holding: the key of which all events of a chain have the same value.
        exclude: what spoils a chain.
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
    """Refuse steps without events, filters whose values do not fit, and exclusions that are between no two steps."""
    for index, step in enumerate(config.steps):
        check_event_choice(step, [*path, "steps", index])
        check_filters(step.filters, [*path, "steps", index, "filters"])
    for index, exclusion in enumerate(config.exclude):
        check_event_choice(exclusion, [*path, "exclude", index])
        check_filters(exclusion.filters, [*path, "exclude", index, "filters"])
        earlier, later = exclusion.between
        if not 1 <= earlier < later <= len(config.steps):
            reason = f"must be the numbers of two steps in their order, from 1 to {len(config.steps)}"
            raise ValidationFailed.at([*path, "exclude", index, "between"], reason)
