"""Request bodies: JSON only, read strictly, refused with the path and a sentence for each field."""

import re
from collections.abc import Sequence
from typing import Any, TypeVar, cast

import msgspec
from litestar import Request
from litestar.exceptions import InternalServerException, SerializationException
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from litestar.utils.scope.state import ScopeState

from tallyroom.core.errors import PayloadTooLarge, UnsupportedMediaType, ValidationFailed
from tallyroom.core.suggestions import did_you_mean, must_be_one_of
from tallyroom.rest.expected_types import find_fields_at, find_values_at
from tallyroom.rest.fields import PATTERN_SENTENCES
from tallyroom.rest.filter_digits import quote_exact_values

T = TypeVar("T")

BODY_TYPE_OPTION = "reads"  # for handlers that read the body themselves: the type of the JSON, for the API description
MAX_MEMBERS = 20_000
"""The most lists, objects and object fields in a body: each costs time and memory, even if it has few bytes."""

_MAX_EXCERPT = 200  # characters of a sentence that quotes a client's text
_PATH_PATTERN = re.compile(r" - at (?:`key` in )?`\$([^`]*)`\Z")  # at the end only: a client's own text comes before it
_STEP_PATTERN = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")

# Rewrites of msgspec's sentences; the first match wins.
_SENTENCE_TEMPLATES = [
    (re.compile(r"Expected `str` of length >= 1$"), "must not be empty"),
    (re.compile(r"Expected `str` of length >= (\d+)$"), r"must have \1 or more characters"),
    (re.compile(r"Expected `str` of length <= (\d+)$"), r"must have \1 or fewer characters"),
    (re.compile(r"Expected `\w+` of length >= (\d+)$"), r"must have \1 or more entries"),
    (re.compile(r"Expected `\w+` of length <= (\d+)$"), r"must have \1 or fewer entries"),
    (re.compile(r"Expected `\w+` of length (\d+)$"), r"must have \1 entries"),
    (re.compile(r"Expected `\w+` >= (\S+)$"), r"must be \1 or more"),
    (re.compile(r"Expected `\w+` <= (\S+)$"), r"must be \1 or less"),
    (re.compile(r"Expected `(.+)`, got `(.+)`$"), r"must be \1, not \2"),
]
_JSON_TYPE_NAMES = {"str": "a string", "int": "an integer", "float": "a number", "bool": "true or false"}
_JSON_TYPE_NAMES |= {"array": "a list", "object": "an object", "null": "null"}


async def check_body(request: Request[Any, Any, Any]) -> None:
    """Check the body against the handler's `data`, if any; raises the errors of `read_body` and `decode_body`."""
    _check_length(request)
    field = request.route_handler.parsed_data_field
    if field is None:
        return
    body = await read_body(request)
    if not body and field.is_optional:
        return
    check_json_headers(request)
    if sum(body.count(sign) for sign in (b"[", b"{", b":")) > MAX_MEMBERS:
        raise ValidationFailed(f"The body has more than {MAX_MEMBERS} lists, objects and fields.")
    exact_body = quote_exact_values(body)
    decode_body(exact_body, field.annotation)
    request._body = ScopeState.from_scope(request.scope).body = exact_body  # noqa: SLF001 # what the framework decodes
    await _check_unknown_fields(request)


async def _check_unknown_fields(request: Request[Any, Any, Any]) -> None:
    """Check the fields that the type does not have, which msgspec ignores. The framework caches the result."""
    try:
        await request.json()
    except (UnicodeDecodeError, RecursionError) as error:
        raise ValidationFailed(f"The body is not JSON: {error}.") from error
    except SerializationException as error:  # numbers that are out of range
        raise build_validation_failed(error.detail) from error


async def read_body(request: Request[Any, Any, Any]) -> bytes:
    """Return the body as sent; raises `PayloadTooLarge`, or `ValidationFailed` if the client left before its end."""
    try:
        return await request.body()
    except RequestEntityTooLarge as error:  # the framework's error does not name the limit
        raise _build_too_large(request) from error
    except InternalServerException as error:  # the framework's error for an incomplete body
        raise ValidationFailed("The body is incomplete.") from error


def _check_length(request: Request[Any, Any, Any]) -> None:
    stated_length = request.headers.get("content-length", "0")
    if stated_length.isdecimal() and int(stated_length[:20]) > _max_body_bytes(request):
        raise _build_too_large(request)


def _build_too_large(request: Request[Any, Any, Any]) -> PayloadTooLarge:
    return PayloadTooLarge(f"The body is larger than {_max_body_bytes(request)} bytes.")


def _max_body_bytes(request: Request[Any, Any, Any]) -> int:
    return cast("int", request.route_handler.resolve_request_max_body_size())  # the app has one for all routes


def check_json_headers(request: Request[Any, Any, Any]) -> None:
    """Raise `UnsupportedMediaType` if the headers say that the body is encoded or not JSON."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise UnsupportedMediaType("The body must be sent as content-type: application/json.")
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise UnsupportedMediaType("The body must be sent without a content-encoding.")


def decode_body(body: bytes, type_: Any, path: Sequence[str | int] = ()) -> Any:
    """Decode JSON as `type_`; raises `ValidationFailed`, which names the field below `path` in the request."""
    try:
        return msgspec.json.decode(body, type=type_)
    except msgspec.ValidationError as error:
        raise build_validation_failed(str(error), path, type_) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        if path:
            raise ValidationFailed.at([*path], f"is not JSON: {error}") from error
        raise ValidationFailed(f"The body is not JSON: {error}.") from error


def convert_value(
    value: Any, type_: type[T], path: Sequence[str | int] = (), *, strict: bool = True, has_suggestions: bool = True
) -> T:
    """Convert a value as `decode_body` does; unless `strict`, also from text. Suggestions for long lists are slow."""
    try:
        return msgspec.convert(value, type_, strict=strict)
    except msgspec.ValidationError as error:
        raise build_validation_failed(str(error), path, type_ if has_suggestions else None) from error


def build_validation_failed(sentence: str, path: Sequence[str | int] = (), type_: Any = None) -> ValidationFailed:
    """Build the error for msgspec's sentence about a value at `path`; `type_` adds the accepted values."""
    path_match = _PATH_PATTERN.search(sentence)
    reason = sentence[: path_match.start()] if path_match else sentence
    inner_path = [name or int(index) for name, index in _STEP_PATTERN.findall(path_match[1] if path_match else "")]
    full_path = [*path, *inner_path]
    if missing_match := re.fullmatch(r"Object missing required field `(.+)`", reason):
        return ValidationFailed.at([*full_path, missing_match[1]], "is required")
    if unknown_match := re.fullmatch(r"Object contains unknown field `(.+)`", reason, re.DOTALL):
        suggestion = did_you_mean(unknown_match[1], find_fields_at(type_, inner_path)) if type_ else ""
        return ValidationFailed.at([*full_path, shorten(unknown_match[1])], f"is not a known field{suggestion}")
    if choice_match := re.fullmatch(r"Invalid enum value '?(.*?)'?", reason, re.DOTALL):
        return ValidationFailed.at(
            full_path, _describe_bad_choice(find_values_at(type_, inner_path) if type_ else [], choice_match[1])
        )
    return ValidationFailed.at(full_path, shorten(_describe_reason(reason)))


def _describe_bad_choice(values: list[str], text: str) -> str:
    return must_be_one_of(values, text) if values else shorten(f"does not accept the value {text!r}")


def _describe_reason(reason: str) -> str:
    for pattern, sentence in PATTERN_SENTENCES.items():
        if repr(pattern) in reason:
            return sentence
    for sentence_pattern, template in _SENTENCE_TEMPLATES:
        if match := sentence_pattern.match(reason):
            return re.sub(r"(?<=must be )[\w |]+|(?<=not )\w+$", _name_json_types, match.expand(template))
    return f"is not valid: {reason}"


def shorten(text: str) -> str:
    """Shorten `text` for repeating it to the client."""
    return text if len(text) <= _MAX_EXCERPT else text[:_MAX_EXCERPT] + "…"


def _name_json_types(match: re.Match[str]) -> str:
    return " or ".join(_JSON_TYPE_NAMES.get(type_name, type_name) for type_name in match[0].split(" | "))
