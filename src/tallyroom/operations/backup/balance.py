"""Checks whether acknowledged, stored and queued events add up."""

import msgspec

from tallyroom.storage.spool.event_counts import SpoolCounts


class EventBalance(msgspec.Struct, frozen=True):
    """The spool's counts and the store's contents at the same moment.

    Attributes:
        events: the number of this spool's events in the store.
        others: the number of other spools' events in the store.
        exact: False if the drain could not be held, so that spool and store were read one after the other.
    """

    counts: SpoolCounts
    events: int
    others: int
    exact: bool = True

    @property
    def unaccounted_count(self) -> int:
        """The number of acknowledged events that are neither past the spool nor queued in it; 0 if all is well."""
        return self.counts.acknowledged - self.counts.left_spool - self.counts.queued

    @property
    def missing_count(self) -> int:
        """The number of events missing from the store; negative if it has too many."""
        return self.counts.expected_in_store - self.events

    @property
    def adds_up(self) -> bool:
        """Whether all events are accounted for, allowing for a range in progress or an interrupted deletion."""
        return self.unaccounted_count == 0 and -self.counts.claimed <= self.missing_count <= self.counts.erasing
