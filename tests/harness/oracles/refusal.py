"""The one error shape (rules/safety#error-format), checked wherever a refusal is expected."""

from typing import Any

import httpx

from harness.clients.server_counts import acked
from harness.clients.workspace import Workspace

SLUGS = {
    400: "validation_failed",
    401: "unauthorized",
    402: "plan_limit",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    408: "request_timeout",
    409: "conflict",
    413: "payload_too_large",
    415: "unsupported_media_type",
    422: "idempotency_mismatch",
    429: "rate_limited",
    503: "unavailable",
}


def check_refusal(answer: httpx.Response, status: int, slug: str | None = None) -> Any:
    """Assert that `answer` is a refusal with this status and in the one shape; returns its body.

    A status that stands for several refusals needs the `slug` of those that are not the usual one.
    """
    assert answer.status_code == status, f"{answer.status_code} {answer.text[:500]}"
    assert answer.headers["content-type"].partition(";")[0] == "application/json"
    body = answer.json()
    of_statistics = answer.headers.get("ratelimit-policy", "").startswith('"statistics"')
    assert list(body) == ["code", "error", "message", "details", "requestId", *["expiresIn"] * of_statistics]
    assert (body["code"], body["error"]) == (status, slug or SLUGS[status])
    assert isinstance(body["message"], str)
    assert body["message"]
    assert body["requestId"]
    for detail in body["details"]:
        assert list(detail) == ["path", "message"]
        assert all(isinstance(step, str | int) for step in detail["path"])
        assert isinstance(detail["message"], str)
    if status == 401:
        assert answer.headers["www-authenticate"].startswith("Bearer")
    return body


def refused(workspace: Workspace, body: Any, status: int, **options: Any) -> Any:
    """Send `body` to be ingested; assert that it is refused with this status and that nothing of it is kept."""
    before = acked(workspace.url)
    answer = workspace.send(body, **options)
    assert acked(workspace.url) == before
    return check_refusal(answer, status)
