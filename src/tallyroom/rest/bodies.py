"""Request bodies: JSON only, read strictly, refused with the path and a sentence for each field."""

import re
from collections.abc import Sequence
from typing import Any, TypeVar, cast

import msgspec
from litestar import Request
from litestar.exceptions import InternalServerException, SerializationException
from litestar.exceptions.http_exceptions import RequestEntityTooLarge

from tallyroom.core.errors import PayloadTooLarge, UnsupportedMediaType, ValidationFailed
from tallyroom.core.suggestions import did_you_mean, must_be_one_of
from tallyroom.rest.expected_types import find_fields_at, find_values_at
from tallyroom.rest.fields import PATTERN_SENTENCES

T = TypeVar("T")

BODY_TYPE_OPTION = "reads"
"""The option of a handler that reads its body itself: the type that its JSON is of, for the API's description."""

MAX_MEMBERS = 20_000
"""Most lists, objects and fields of objects in a body: each takes memory and time, however few bytes it was sent in."""

_MAX_EXCERPT = 200  # characters of a sentence that a client's own text is in

_PATH_PATTERN = re.compile(r" - at (?:`key` in )?`\$([^`]*)`\Z")  # at the end only: a client's own text comes before it
_STEP_PATTERN = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")

# msgspec's sentences and ours; the first that matches is taken.
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
    """Check the body against the type of the handler's `data`; one that nobody reads may not be large either.

    Raises:
        PayloadTooLarge: it says that it is larger than the route takes.
        UnsupportedMediaType: the content type is not JSON.
        ValidationFailed: no JSON, not of the type, or more members than anybody sends.
    """
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
    decode_body(body, field.annotation)
    await _check_unknown_fields(request)


async def _check_unknown_fields(request: Request[Any, Any, Any]) -> None:
    """Check what the type has no name for, which msgspec passes over; the framework keeps what it reads here."""
    try:
        await request.json()
    except (UnicodeDecodeError, RecursionError) as error:
        raise ValidationFailed(f"The body is not JSON: {error}.") from error
    except SerializationException as error:  # numbers that are out of range
        raise build_validation_failed(error.detail) from error


async def read_body(request: Request[Any, Any, Any]) -> bytes:
    """The body as it was sent.

    Raises:
        PayloadTooLarge: it is larger than the route takes.
        RequestTimeout, Unavailable: the connection does not take more of it.
        ValidationFailed: the client left before its end.
    """
    try:
        return await request.body()
    except RequestEntityTooLarge as error:  # which the framework raises without saying how large it may be
        raise _build_too_large(request) from error
    except InternalServerException as error:  # which the framework raises for that
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
    """Check what the headers say of the body.

    Raises:
        UnsupportedMediaType: it is not JSON, or it is encoded.
    """
    if not _is_json(request.headers.get("content-type", "")):
        raise UnsupportedMediaType("The body must be sent as content-type: application/json.")
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise UnsupportedMediaType("The body must be sent without a content-encoding.")


def decode_body(body: bytes, type_: Any, path: Sequence[str | int] = ()) -> Any:
    """`body` as a value of the type `type_`.

    Args:
        body: JSON text.
        type_: a type that msgspec decodes.
        path: where the text is in the request, when it is a part of one.

    Raises:
        ValidationFailed: no JSON, or not of the type; names the field.
    """
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
    """A value that was read already as one of the type `type_`.

    Args:
        value: what was read.
        type_: a type that msgspec converts to.
        path: where the value is in the request.
        strict: whether texts may not stand for what they say.
        has_suggestions: whether a refusal says what may have been meant, which takes a while where there are thousands.

    Raises:
        ValidationFailed: it is not of that type; names the field.
    """
    try:
        return msgspec.convert(value, type_, strict=strict)
    except msgspec.ValidationError as error:
        raise build_validation_failed(str(error), path, type_ if has_suggestions else None) from error


def build_validation_failed(sentence: str, path: Sequence[str | int] = (), type_: Any = None) -> ValidationFailed:
    """The refusal for a sentence of msgspec, as in ``Expected `str`, got `int` - at `$.events[0].name```.

    Args:
        sentence: the sentence.
        path: where the value that it is about is in the request.
        type_: the type that was expected there, to say what it takes; None to leave that out.
    """
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
    """`text` short enough to be repeated to the client."""
    return text if len(text) <= _MAX_EXCERPT else text[:_MAX_EXCERPT] + "…"


def _name_json_types(match: re.Match[str]) -> str:
    return " or ".join(_JSON_TYPE_NAMES.get(type_name, type_name) for type_name in match[0].split(" | "))


def _is_json(content_type: str) -> bool:
    return content_type.partition(";")[0].strip().lower() == "application/json"
