"""Histories in which an hour or some units are unlike the rest, in many ways or in none."""

from random import Random
from typing import Any

import msgspec

from harness.builders.events import GROUPS
from harness.stores.event_store import NOW_MS
from harness.stores.questions import Happened
from tallyroom.core.times import HOUR_MS, MINUTE_MS

SPIKE_MS = NOW_MS - 30 * HOUR_MS
NAMES = "aaabc"
_UNIT_COUNT = 40
_ODD_VALUES: list[Any] = [True, False, None, 42, 42.5, "42", "", "true", ["pro"], {"a": 1}, 2**53 + 1]


class _Manner(msgspec.Struct, frozen=True):
    """How often something is so: an event in the spike, an unlike event among those that may be, an odd value."""

    spike_share: float
    skew: float
    oddness: float
    skews_units: bool

    def skews(self, source: Random, *, in_spike: bool, unit_number: int) -> bool:
        may_be_unlike = unit_number % 3 == 0 if self.skews_units else in_spike
        return may_be_unlike and source.random() < self.skew

    def names(self, *, is_unlike: bool) -> str:
        """The events that may happen; in a history of unlike units, only these do all three."""
        if self.skews_units and self.skew:
            return "abc" if is_unlike else "aac"
        return "bc" if is_unlike else NAMES


def make_history(source: Random) -> list[Happened]:
    """Return some hundred events of eight days; the hour from `SPIKE_MS` has many."""
    manner = _Manner(
        spike_share=source.choice([0.05, 0.2, 0.4]),
        skew=source.choice([0.0, 0.6, 0.95, 0.95]),
        oddness=source.choice([0.0, 0.02, 0.02, 0.5]),
        skews_units=source.random() < 0.5,
    )
    return [_make_event(source, manner) for _ in range(source.randint(200, 400))]


def make_noise(source: Random) -> list[Happened]:
    """Return such a history in which nothing depends on the hour or the unit."""
    manner = _Manner(spike_share=source.choice([0.05, 0.2, 0.4]), skew=0.0, oddness=0.05, skews_units=False)
    return [_make_event(source, manner) for _ in range(source.randint(100, 400))]


def _make_event(source: Random, manner: _Manner) -> Happened:
    in_spike = source.random() < manner.spike_share
    unit_number = source.randrange(_UNIT_COUNT)
    is_unlike = manner.skews(source, in_spike=in_spike, unit_number=unit_number)
    properties: dict[str, Any] = {
        "plan": "pro" if is_unlike else source.choice(["free", "pro", "team"]),
        "code": 3 if is_unlike else source.randrange(8),
        "ok": is_unlike or source.random() < 0.5,
        "amount": round(source.random() * 10, 1),
        "id": f"id-{source.getrandbits(32)}",
        "tier": "gold" if manner.skews_units and unit_number % 3 == 0 else f"t{unit_number % 5}",
        "g": source.choice(GROUPS) if source.random() < manner.oddness else f"g{unit_number % 36}",
        "name": "x" if is_unlike else source.choice("xyz"),
        "prop:n": source.randrange(3),
        "wide": 2**53 + (1 if is_unlike else source.randrange(2)),
        "": source.choice(["p", "q"]),
        "tags": ["x"],
    }
    if source.random() < 0.9:
        del properties["id"]  # values that are all different make it hard for any to stand out
    for key in list(properties):
        if source.random() < manner.oddness:
            properties[key] = source.choice(_ODD_VALUES)
        elif source.random() < 0.1:
            del properties[key]
    return Happened(
        source.choice(manner.names(is_unlike=is_unlike)),
        SPIKE_MS + source.randrange(60) * MINUTE_MS if in_spike else NOW_MS - source.randrange(8 * 24) * HOUR_MS,
        "" if source.random() < 0.05 else f"u{unit_number}",
        properties,
        source="bot" if is_unlike else source.choice(["", "web", "bot"]),
    )
