"""The slots of questions: a few for each workspace at once, workspaces in turn (rules/questions#query-costs)."""

from tallyroom.storage.slots import SlotLimits, Slots

_PATIENCE_SECONDS = 30
_BUSY = "Other questions keep the event store busy. Try again."
_CROWD_REFUSAL = "Too many questions of this workspace wait for their turn. Try again."


def question_slots(total: int, slots_per_workspace: int, waiting: int) -> Slots:
    """Return slots for questions.

    Args:
        total: the number of slots.
        slots_per_workspace: the number of slots that one workspace may hold.
        waiting: the number of questions of one workspace that may wait for a slot.
    """
    return Slots(
        SlotLimits(
            total,
            _PATIENCE_SECONDS,
            _BUSY,
            slots_per_key=slots_per_workspace,
            waiting=waiting,
            crowd_refusal=_CROWD_REFUSAL,
        )
    )
