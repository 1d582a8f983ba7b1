"""Stand-ins for uvicorn's own request where there is none."""

from typing import Final


class EventStandIn:
    """Replaces the event by which uvicorn wakes the task of a request, where there is no task."""

    @staticmethod
    def set() -> None:
        """Wake nobody."""


class RequestStandIn:
    """Replaces the last answered request, which uvicorn would keep, so that a resting connection frees its bytes."""

    response_complete: Final = True
    message_event: Final = EventStandIn


ANSWERED_REQUEST: Final = RequestStandIn()
