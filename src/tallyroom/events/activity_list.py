"""What a list of actors or groups shows, and in which order (rules/actors-and-groups#actor-list)."""

from typing import Literal

import msgspec

from tallyroom.events.selection import EventSelection

ActorSort = Literal["events", "lastSeen", "firstSeen"]
GroupSort = Literal["events", "lastSeen"]

SORT_COLUMNS: dict[ActorSort, str] = {"events": "event_count", "lastSeen": "last_ms", "firstSeen": "first_ms"}


class ActivityListQuestion(msgspec.Struct, frozen=True):
    """The rows with events of `selection` whose name contains `search_text`; the highest of `sort` comes first."""

    selection: EventSelection = EventSelection()
    search_text: str = ""
    sort: ActorSort = "events"

    @property
    def sort_column(self) -> str:
        """The column of the rows that they are sorted by, descending."""
        return SORT_COLUMNS[self.sort]

    def cursor_parts(self) -> tuple[str, ...]:
        """Return what a cursor of the list is tied to.

        By default, it is what the version without sorts and filters ties a cursor to: while hosts are upgraded, the
        next page may come from another version.
        """
        if self.sort == "events" and self.selection == EventSelection():
            return (self.search_text,)
        return self.search_text, self.sort, self.selection.canonical_text()
