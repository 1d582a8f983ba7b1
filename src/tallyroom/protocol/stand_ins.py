"""Stand-ins for uvicorn's own request where there is none."""

from typing import Final


class NobodyWaits:
    """Replaces the event by which uvicorn wakes the task of a request, where there is no task."""

    @staticmethod
    def set() -> None:
        """Wake nobody."""


class Answered:
    """Replaces the last answered request, which uvicorn would keep, so that a resting connection frees its bytes."""

    response_complete: Final = True
    message_event: Final = NobodyWaits


ANSWERED: Final = Answered()
