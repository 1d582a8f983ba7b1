"""What a PATCH changes."""

from msgspec import UNSET

from tallyroom.rest.changes import apply_changes, find_changes
from tallyroom.storage.metadata.models import Segment


def test_only_what_is_sent_and_differs_is_a_change() -> None:
    segment = Segment(id="s", name="Pro", filters="[]")
    assert find_changes(segment, {"name": UNSET, "filters": UNSET}) == {}
    assert find_changes(segment, {"name": "Pro", "filters": "[1]"}) == {"filters": "[1]"}
    assert find_changes(segment, {"name": None}) == {"name": None}
    assert (segment.name, segment.filters) == ("Pro", "[]")


def test_a_change_is_made_at_once() -> None:
    segment = Segment(id="s", name="Pro", filters="[]")
    apply_changes(segment, {"name": "New", "filters": "[1]"})
    assert (segment.id, segment.name, segment.filters) == ("s", "New", "[1]")
