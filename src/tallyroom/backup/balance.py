"""Acknowledged, stored and queued events, and whether they add up."""

import msgspec

from tallyroom.spool.numbers import SpoolNumbers


class Balance(msgspec.Struct, frozen=True):
    """The spool's counts beside what the store holds, both of one moment.

    Attributes:
        counts: what the spool knows.
        events: how many events of this spool are in the store.
        others: how many events of other spools are.
        exact: False when the drain could not be held, so that the two were read one after the other.
    """

    counts: SpoolNumbers
    events: int
    others: int
    exact: bool = True

    @property
    def unaccounted(self) -> int:
        """Acknowledged events that neither left the spool nor wait in it; 0 when all is well."""
        return self.counts.acknowledged - self.counts.stored - self.counts.queued

    @property
    def missing(self) -> int:
        """Events that are not in the store and should be; below 0, events that are there too often."""
        return self.counts.expected - self.events

    @property
    def adds_up(self) -> bool:
        """Whether everything is accounted for, with what is under way: a range, or a deletion that was interrupted."""
        return self.unaccounted == 0 and -self.counts.claimed <= self.missing <= self.counts.erasing
