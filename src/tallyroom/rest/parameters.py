"""Query parameters, which the route must declare and which occur once; IDs in paths (rules/safety#unknown-fields)."""

import re
from collections import Counter
from typing import Any
from urllib.parse import unquote, unquote_to_bytes

from litestar import Request

from tallyroom.core.errors import Detail, ValidationFailed
from tallyroom.core.suggestions import did_you_mean
from tallyroom.core.timestamp import parse_timestamp
from tallyroom.rest.bodies import shorten
from tallyroom.rest.methods import find_route

MAX_PARAMETERS = 200

_DATE_PATTERN = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def check_parameters(request: Request[Any, Any, Any], *, ignores_unknown: bool) -> None:
    """Refuse unknown parameters, repeated ones that are not lists, and missing required ones.

    Public routes ignore unknown names, because others add theirs to links (`utm_source`) or probes (`cachebuster`).
    """
    if request.scope["query_string"].count(b"&") >= MAX_PARAMETERS:
        raise ValidationFailed(f"The query has more than {MAX_PARAMETERS} parameters.")
    occurrence_count_by_name = Counter(name for name, _ in request.query_params.multi_items())
    _, parameter_model = find_route(request).route_handler_map[request.method]
    known_names = {parameter.field_alias for parameter in parameter_model.expected_query_params}
    if not ignores_unknown:
        _refuse_invalid_utf8(request.scope["query_string"])
    for name, occurrence_count in occurrence_count_by_name.items():
        if name not in known_names:
            if not ignores_unknown:
                raise ValidationFailed.at([shorten(name)], f"is not a known parameter{did_you_mean(name, known_names)}")
        elif occurrence_count > 1 and name not in parameter_model.sequence_query_parameter_names:
            raise ValidationFailed.at([name], f"appears {occurrence_count} times; send it once")
    required_names = sorted(
        parameter.field_alias for parameter in parameter_model.expected_query_params if parameter.is_required
    )
    if missing_details := [
        Detail([name], "is required") for name in required_names if name not in occurrence_count_by_name
    ]:
        raise ValidationFailed.of(missing_details)


def _refuse_invalid_utf8(query: bytes) -> None:
    """Refuse invalid UTF-8: the framework reads it as U+FFFD, which may be part of the name of something else."""
    for name, _, value in (pair.partition(b"=") for pair in query.split(b"&")):
        try:
            unquote_to_bytes(value).decode()
        except UnicodeDecodeError as error:
            raise ValidationFailed.at([shorten(unquote(name))], "is not percent-encoded UTF-8") from error


def parse_integer(parameter_name: str, text: str, minimum: int, maximum: int) -> int:
    """Parse plain ASCII digits; raises `ValidationFailed` for other signs, and outside of `minimum` to `maximum`."""
    is_plain = text.isascii() and text.isdigit() and len(text.lstrip("0")) <= len(str(maximum))
    if not is_plain or not minimum <= int(text) <= maximum:
        raise ValidationFailed.at([parameter_name], f"must be an integer from {minimum} to {maximum}")
    return int(text)


def parse_time_ms(parameter_name: str, text: str) -> int:
    """Parse a date-time or a date (its UTC midnight) to ms since 1970 UTC; raises `ValidationFailed`."""
    time_ms = parse_timestamp(f"{text}T00:00Z" if _DATE_PATTERN.fullmatch(text) else text)
    if time_ms is None:
        raise ValidationFailed.at([parameter_name], f"is not an ISO 8601 date or date-time{_plus_sign_hint(text)}")
    return time_ms


def _plus_sign_hint(text: str) -> str:
    return "; write a + as %2B in a URL" if re.search(r"\d \d\d(:?\d\d)?$", text) else ""
