"""All errors that clients receive, and the one JSON shape in which they are sent (rules/safety#error-format)."""

from collections.abc import Sequence
from typing import ClassVar, Self

import msgspec
from msgspec import UNSET, UnsetType

MIN_EXPIRES_IN_MS = 5001


class Detail(msgspec.Struct, frozen=True):
    """One thing that is wrong: where (`path`, as in ``["events", 3, "name"]``) and why."""

    path: list[str | int]
    message: str


class TallyroomError(Exception):
    """An error with a status and a code that clients can rely on; names of `headers` are lower-case."""

    status: ClassVar[int] = 500
    slug: ClassVar[str] = "internal"
    expires_in: int | UnsetType = UNSET  # milliseconds; only in refusals of the Statistics API

    def __init__(self, message: str, *, details: Sequence[Detail] = (), headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.details = list(details)
        self.headers = headers or {}


class ValidationFailed(TallyroomError):
    """The request was understood, but is invalid; `details` names each field."""

    status = 400
    slug = "validation_failed"

    @classmethod
    def at(cls, path: list[str | int], reason: str) -> Self:
        """Report one wrong field; the message is its path, written as code, and the reason."""
        return cls.of([Detail(path, reason)])

    @classmethod
    def of(cls, details: Sequence[Detail]) -> Self:
        """Report several wrong fields; the message mentions the first."""
        first_detail = details[0]
        return cls(f"{format_path(first_detail.path)} {first_detail.message}", details=details)


class Unauthorized(TallyroomError):
    """No usable credentials."""

    status = 401
    slug = "unauthorized"

    def __init__(self, message: str) -> None:
        super().__init__(message, headers={"www-authenticate": 'Bearer realm="tallyroom"'})


class PlanLimit(TallyroomError):
    """The plan's monthly event cap is reached."""

    status = 402
    slug = "plan_limit"


class PaidFeature(TallyroomError):
    """The workspace's plan does not include this feature."""

    status = 402
    slug = "paid_feature"


class Forbidden(TallyroomError):
    """The caller is known, but not allowed to do this."""

    status = 403
    slug = "forbidden"


class NotFound(TallyroomError):
    """The object does not exist, or belongs to another workspace: the answer is the same."""

    status = 404
    slug = "not_found"


class MethodNotAllowed(TallyroomError):
    """The path exists, but does not support this method."""

    status = 405
    slug = "method_not_allowed"


class RequestTimeout(TallyroomError):
    """The request did not arrive in time."""

    status = 408
    slug = "request_timeout"


class Conflict(TallyroomError):
    """The object is not in the state that the request assumes."""

    status = 409
    slug = "conflict"


class PayloadTooLarge(TallyroomError):
    """A size limit is exceeded (rules/events#sizes, rules/safety#body-sizes)."""

    status = 413
    slug = "payload_too_large"


class UnsupportedMediaType(TallyroomError):
    """The endpoint does not accept this content type or content encoding."""

    status = 415
    slug = "unsupported_media_type"


class IdempotencyMismatch(TallyroomError):
    """The idempotency key was used before with another body."""

    status = 422
    slug = "idempotency_mismatch"


class RateLimited(TallyroomError):
    """Too many requests; `retry_after` is in seconds."""

    status = 429
    slug = "rate_limited"

    def __init__(self, message: str, retry_after: int, headers: dict[str, str] | None = None) -> None:
        super().__init__(message, headers={"retry-after": str(retry_after), **(headers or {})})


class StatisticsRateLimited(RateLimited):
    """Too many requests to the Statistics API; its clients expect the wait in the body, in milliseconds.

    The published Python client waits a thousandth of `expiresIn` seconds, and asks again at once if that is short.
    """

    def __init__(self, message: str, retry_after: int, headers: dict[str, str] | None = None) -> None:
        super().__init__(message, retry_after, headers)
        self.expires_in = max(MIN_EXPIRES_IN_MS, retry_after * 1000)


class ServerAway(TallyroomError):
    """A server that this installation needs does not answer: the start fails, but a later one may succeed."""


class Internal(TallyroomError):
    """A bug in the service; the log has the details under the request ID."""


class Unavailable(TallyroomError):
    """The service cannot handle the request now; `retry_after` is in seconds."""

    status = 503
    slug = "unavailable"

    def __init__(self, message: str, retry_after: int = 5) -> None:
        super().__init__(message, headers={"retry-after": str(retry_after)})


class ErrorBody(msgspec.Struct, rename="camel"):
    """The error shape of the whole API; `expires_in` (milliseconds) is present when the Statistics API answers 429."""

    code: int
    error: str
    message: str
    details: list[Detail]
    request_id: str
    expires_in: int | UnsetType = UNSET


def build_error_body(error: TallyroomError, request_id: str) -> ErrorBody:
    """Return the response body for `error`."""
    return ErrorBody(error.status, error.slug, error.message, error.details, request_id, error.expires_in)


def format_path(path: Sequence[str | int]) -> str:
    """Write a path such as ``["events", 3, "name"]`` as ``events[3].name``; an empty path becomes ``body``."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text or "body"
