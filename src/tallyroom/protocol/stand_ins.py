"""What stands where uvicorn keeps a request of its own, when there is none."""

from typing import Final


class NobodyWaits:
    """Stands where uvicorn wakes the task of a request; here is none."""

    @staticmethod
    def set() -> None:
        """Wake nobody."""


class Answered:
    """Stands where uvicorn keeps the request that was answered last, whose bytes a resting connection need not hold."""

    response_complete: Final = True
    message_event: Final = NobodyWaits


ANSWERED: Final = Answered()
