"""What follows from each answer of the server."""

import json
from enum import Enum
from http import HTTPStatus
from typing import Any, NamedTuple

_DAY = 86_400
_IN_PROGRESS = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.CONFLICT)


class Reply(NamedTuple):
    """An answer.

    Attributes:
        status: the HTTP status.
        body: at most 1 MiB of it.
        retry_after: seconds; None without the header.
        window: for how many seconds the server remembers the key.
        is_replay: whether the server had the cut before.
    """

    status: int
    body: bytes = b""
    retry_after: float | None = None
    window: int = _DAY
    is_replay: bool = False

    @property
    def may_have_stored(self) -> bool:
        """Whether the events may have arrived although the answer does not confirm it."""
        return self.status >= HTTPStatus.INTERNAL_SERVER_ERROR or self.status in _IN_PROGRESS


class Action(Enum):
    """What happens to the cut."""

    ACKNOWLEDGE = "the server has the events"
    TAKE_OUT = "the server named wrong events; the others are sent again"
    GIVE_UP = "the server will never accept the cut"
    HALVE = "the cut is too large"
    WAIT_FOR_KEY = "the cut is kept until the key is valid"
    WAIT_FOR_PLAN = "the cut is kept until the plan allows more events"
    RETRY = "the same cut is sent again"


_ACTION_BY_STATUS = {
    202: Action.ACKNOWLEDGE,
    400: Action.GIVE_UP,
    401: Action.WAIT_FOR_KEY,
    402: Action.WAIT_FOR_PLAN,
    403: Action.WAIT_FOR_KEY,
    404: Action.GIVE_UP,
    405: Action.GIVE_UP,
    413: Action.HALVE,
    415: Action.GIVE_UP,
    422: Action.GIVE_UP,
}


def choose_action(reply: Reply, event_count: int) -> Action:
    """Return what to do with a cut of so many events."""
    if reply.status == HTTPStatus.BAD_REQUEST and wrong_indices(reply, event_count):
        return Action.TAKE_OUT
    if reply.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE and event_count == 1:
        return Action.GIVE_UP
    return _ACTION_BY_STATUS.get(reply.status, Action.RETRY)


def wrong_indices(reply: Reply, event_count: int) -> tuple[int, ...]:
    """Return the indices of the events that the server named as wrong, in order."""
    paths = [detail.get("path") for detail in _details(reply) if isinstance(detail, dict)]
    indices = {path[1] for path in paths if isinstance(path, list) and path[:1] == ["events"] and len(path) > 1}
    return tuple(sorted(index for index in indices if type(index) is int and 0 <= index < event_count))


def describe(reply: Reply) -> str:
    """Return the server's own words about a refusal."""
    details = [detail for detail in _details(reply) if isinstance(detail, dict) and "path" in detail]
    if details:
        path = ".".join(map(str, details[0]["path"])) if isinstance(details[0]["path"], list) else ""
        return f"{path} {details[0].get('message', '')}".strip()[:200]
    message = _document(reply).get("message")
    return message[:200] if isinstance(message, str) else f"status {reply.status}"


def _details(reply: Reply) -> list[Any]:
    details = _document(reply).get("details")
    return details if isinstance(details, list) else []


def _document(reply: Reply) -> dict[str, Any]:
    try:
        document = json.loads(reply.body)
    except (ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}
