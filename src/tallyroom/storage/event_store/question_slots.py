"""The slots of questions: a few for each workspace at once, workspaces in turn (rules/questions#query-costs)."""

from tallyroom.storage.slots import SlotLimits, Slots

_PATIENCE_SECONDS = 30
_BUSY_MESSAGE = "Other questions keep the event store busy. Try again."
_CROWD_MESSAGE = "Too many questions of this workspace wait for their turn. Try again."


def create_question_slots(slot_count: int, slots_per_workspace: int, max_waiting_per_workspace: int) -> Slots:
    """Return slots for questions; the arguments are the limits."""
    return Slots(
        SlotLimits(
            slot_count,
            _PATIENCE_SECONDS,
            _BUSY_MESSAGE,
            slots_per_key=slots_per_workspace,
            max_waiting_per_key=max_waiting_per_workspace,
            crowd_message=_CROWD_MESSAGE,
        )
    )
