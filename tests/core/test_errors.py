"""Each refusal has a status, a slug and the one shape."""

from http import HTTPStatus

import msgspec
import pytest

from tallyroom.core import errors
from tallyroom.core.errors import (
    Detail,
    RateLimited,
    StatisticsRateLimited,
    TallyroomError,
    Unavailable,
    ValidationFailed,
    build_error_body,
    format_path,
)

CLASSES = {
    (400, "validation_failed"),
    (401, "unauthorized"),
    (402, "plan_limit"),
    (402, "paid_feature"),
    (403, "forbidden"),
    (404, "not_found"),
    (405, "method_not_allowed"),
    (408, "request_timeout"),
    (409, "conflict"),
    (413, "payload_too_large"),
    (415, "unsupported_media_type"),
    (422, "idempotency_mismatch"),
    (429, "rate_limited"),
    (500, "internal"),
    (503, "unavailable"),
}


def classes() -> list[type[TallyroomError]]:
    found = vars(errors).values()
    return [each for each in found if isinstance(each, type) and issubclass(each, TallyroomError)]


def test_statuses_and_slugs_are_those_of_the_rules() -> None:
    assert {(each.status, each.slug) for each in classes()} == CLASSES
    assert all(HTTPStatus(each.status) for each in classes())


def test_the_shape_is_that_of_the_rules() -> None:
    error = ValidationFailed.at(["events", 3, "_timestamp"], "is not an ISO 8601 datetime")
    assert msgspec.to_builtins(build_error_body(error, "r-1")) == {
        "code": 400,
        "error": "validation_failed",
        "message": "events[3]._timestamp is not an ISO 8601 datetime",
        "details": [{"path": ["events", 3, "_timestamp"], "message": "is not an ISO 8601 datetime"}],
        "requestId": "r-1",
    }


def test_several_faults_are_told_with_the_first_as_the_sentence() -> None:
    error = ValidationFailed.of([Detail(["a"], "is wrong"), Detail(["b"], "is missing")])
    assert error.message == "a is wrong"
    assert [detail.path for detail in error.details] == [["a"], ["b"]]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ([], "body"),
        (["a"], "a"),
        (["a", "b"], "a.b"),
        (["events", 0], "events[0]"),
        ([0, "a"], "[0].a"),
        (["a", 1, 2], "a[1][2]"),
    ],
)
def test_a_path_is_written_as_code(path: list[str | int], text: str) -> None:
    assert format_path(path) == text


def test_what_passes_says_when_to_come_back() -> None:
    assert Unavailable("x").headers == {"retry-after": "5"}
    assert Unavailable("x", 30).headers == {"retry-after": "30"}
    assert RateLimited("x", 7, {"ratelimit": "r"}).headers == {"retry-after": "7", "ratelimit": "r"}
    assert errors.Unauthorized("x").headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize(("seconds", "milliseconds"), [(1, 5001), (5, 5001), (6, 6000), (61, 61_000)])
def test_the_statistics_api_says_it_in_milliseconds_too(seconds: int, milliseconds: int) -> None:
    error = StatisticsRateLimited("x", seconds, {"ratelimit": "r"})
    assert error.headers == {"retry-after": str(seconds), "ratelimit": "r"}
    body = msgspec.to_builtins(build_error_body(error, "r-1"))
    assert (body["code"], body["error"], body["expiresIn"]) == (429, "rate_limited", milliseconds)
    assert "expiresIn" not in msgspec.to_builtins(build_error_body(RateLimited("x", seconds), "r-1"))


def test_errors_share_nothing() -> None:
    one, other = TallyroomError("x"), TallyroomError("x")
    one.headers["a"] = "b"
    one.details.append(Detail([], "x"))
    assert (other.headers, other.details) == ({}, [])
