"""Pauses in keeping what changes too much to be of use."""

import msgspec

from tallyroom.queries.kept_answers.cache import ENTRY_OVERHEAD_BYTES

_MAX_LOOKS = 64


class Pause(msgspec.Struct, frozen=True):
    """Takes the place of something kept while it is not worth keeping: for `looks_left` of `look_count` questions."""

    look_count: int = 1
    looks_left: int = 1

    @property
    def byte_count(self) -> int:
        """How much memory it takes, with its key."""
        return ENTRY_OVERHEAD_BYTES

    def pass_look(self) -> "Pause":
        """Return the pause after another question."""
        return Pause(self.look_count, self.looks_left - 1)

    def extend(self) -> "Pause":
        """Return a pause that is twice as long, for what again was of no use."""
        look_count = min(2 * self.look_count, _MAX_LOOKS)
        return Pause(look_count, look_count)


FOREVER = Pause(_MAX_LOOKS, 2**62)
"""For what can never be kept."""
