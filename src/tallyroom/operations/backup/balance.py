"""Checks whether acknowledged, stored and queued events add up."""

import msgspec

from tallyroom.storage.spool.event_counts import SpoolCounts


class EventBalance(msgspec.Struct, frozen=True):
    """The spool's counts and the store's contents at the same moment."""

    counts: SpoolCounts
    events: int  # of this spool, in the store
    others: int  # of other spools, in the store
    exact: bool = True  # False if the drain could not be held, so that spool and store were read one after the other

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
