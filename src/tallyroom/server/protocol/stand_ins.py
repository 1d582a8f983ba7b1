"""Replacements for uvicorn's own request when there is none."""

from typing import Final


class EventStandIn:
    """Replaces the event with which uvicorn wakes a request's task, if there is no task."""

    @staticmethod
    def set() -> None:
        """Do nothing."""


class RequestStandIn:
    """Replaces the last answered request, which uvicorn would keep, so that an idle connection frees its bytes."""

    response_complete: Final = True
    message_event: Final = EventStandIn


ANSWERED_REQUEST: Final = RequestStandIn()
