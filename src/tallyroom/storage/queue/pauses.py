"""The pauses between the attempts to handle an item (rules/safety#queue)."""

from typing import Final

from tallyroom.core.ids import IdGenerator
from tallyroom.core.times import HOUR_MS
from tallyroom.storage.queue.item import ClaimedItem, Deferred, Done, HandlingLimits, Outcome

RETRY_PAUSES_MS: Final = (5_000, 60_000, 600_000, HOUR_MS, 3 * HOUR_MS)
"""The pauses after the first, second… failed attempt; the last one repeats."""

_JITTER: Final = 0.1


def find_next_due_ms(
    item: ClaimedItem, outcome: Outcome, limits: HandlingLimits, now_ms: int, id_generator: IdGenerator
) -> int | None:
    """Return when an item is due after an attempt; None if it is finished, or too old to be attempted again."""
    if isinstance(outcome, Done):
        return outcome.next_due_ms
    if not isinstance(outcome, Deferred):
        return None
    due_ms = now_ms + max(_draw_pause_ms(limits, item.attempts, id_generator), outcome.retry_after_ms)
    is_too_late = limits.max_age_ms is not None and due_ms > item.created_at_ms + limits.max_age_ms
    return None if is_too_late else due_ms


def _draw_pause_ms(limits: HandlingLimits, failed_attempts: int, id_generator: IdGenerator) -> int:
    """Return the pause after one more failed attempt; it varies, so that items do not come back together."""
    pause_ms = min(RETRY_PAUSES_MS[min(failed_attempts, len(RETRY_PAUSES_MS) - 1)], limits.max_pause_ms)
    random_fraction = int.from_bytes(id_generator.random_bytes(2), "big") / 0xFFFF
    return round(pause_ms * (1 + _JITTER * (2 * random_fraction - 1)))
