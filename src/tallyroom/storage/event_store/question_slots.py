"""The slots of questions: a few for each workspace at once, workspaces in turn (rules/questions#query-costs)."""

from tallyroom.storage.slots import SlotLimits, Slots

_PATIENCE_SECONDS = 30
_BUSY = "Other questions keep the event store busy. Try again."
_CROWDED = "Too many questions of this workspace wait for their turn. Try again."


def question_slots(total: int, each: int, waiting: int) -> Slots:
    """Return slots for questions.

    Args:
        total: the number of slots.
        each: the number of slots that one workspace may hold.
        waiting: the number of questions of one workspace that may wait for a slot.
    """
    return Slots(SlotLimits(total, _PATIENCE_SECONDS, _BUSY, each=each, waiting=waiting, crowded=_CROWDED))
