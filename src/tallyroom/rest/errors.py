"""Turns every error of an ordinary route into JSON in the common error shape."""

import logging
import re
from errno import EMFILE, ENFILE
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.types import ExceptionHandlersMap

from tallyroom.core.errors import (
    Conflict,
    Detail,
    Forbidden,
    Internal,
    MethodNotAllowed,
    NotFound,
    PayloadTooLarge,
    TallyroomError,
    Unauthorized,
    Unavailable,
    UnsupportedMediaType,
    ValidationFailed,
    build_error_body,
)
from tallyroom.core.log import request_id_var
from tallyroom.rest.bodies import build_validation_failed
from tallyroom.rest.methods import build_allow_header

_log = logging.getLogger(__name__)

_MIN_FAULT_STATUS = 500  # statuses from here are server errors
_PATH_STEP_PATTERN = re.compile(r"[^.\[\]]+")

_REFUSAL_BY_STATUS: dict[int, tuple[type[TallyroomError], str]] = {
    401: (Unauthorized, "Sign in first."),
    403: (Forbidden, "This is not allowed."),
    404: (NotFound, "There is nothing here."),
    405: (MethodNotAllowed, "This path does not support this method."),
    409: (Conflict, "The object is not in the state that the request assumes."),
    413: (PayloadTooLarge, "The body is too large."),
    415: (UnsupportedMediaType, "This content type is not supported."),
}

AnyRequest = Request[Any, Any, Any]


def respond_to_refusal(_request: AnyRequest, error: TallyroomError) -> Response[bytes]:
    """Return the response to one of our own errors; a server error is logged and not shown to the client."""
    if type(error).status == TallyroomError.status:
        return respond_to_failure(_request, error)
    return _build_response(error)


def respond_to_framework_error(request: AnyRequest, error: HTTPException) -> Response[bytes]:
    """Return the response to an error of the framework: no such path, method or parameter."""
    if error.status_code >= _MIN_FAULT_STATUS:
        return respond_to_failure(request, error)
    if error.status_code in _REFUSAL_BY_STATUS:
        error_type, sentence = _REFUSAL_BY_STATUS[error.status_code]
        refusal = error_type(sentence)
    else:
        refusal = _build_validation_failed(request, error)
    headers = {name.lower(): value for name, value in (error.headers or {}).items()}
    if "allow" in headers:
        headers |= build_allow_header(headers["allow"].split(", "))
    refusal.headers |= headers
    return _build_response(refusal)


def respond_to_failure(_request: AnyRequest, error: Exception) -> Response[bytes]:
    """Log a server error, and return the response with the request ID; too many open files are only "unavailable"."""
    if _is_out_of_files(error):
        _log.warning("too many files are open", extra={"reason": str(error)})
        return _build_response(Unavailable("The server is busy: too many files are open. Try again shortly."))
    _log.error("a request failed", exc_info=error)
    return _build_response(Internal("An internal error occurred. Search the server's log for this request ID."))


def _is_out_of_files(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, OSError) and error.errno in {EMFILE, ENFILE}:
            return True
        error = error.__cause__ or error.__context__
    return False


exception_handlers: ExceptionHandlersMap = {
    TallyroomError: respond_to_refusal,
    HTTPException: respond_to_framework_error,
    Exception: respond_to_failure,
}


def _build_response(error: TallyroomError) -> Response[bytes]:
    return Response(
        msgspec.json.encode(build_error_body(error, request_id_var.get())),
        status_code=error.status,
        headers=error.headers,
        media_type="application/json",
    )


def _build_validation_failed(request: AnyRequest, error: HTTPException) -> ValidationFailed:
    entries = error.extra if isinstance(error.extra, list) else []
    details: list[Detail] = []
    for entry in entries:
        if isinstance(entry, dict) and "message" in entry:
            name = entry.get("key", "")
            parameter = request.route_handler.parsed_fn_signature.parameters.get(name)
            annotation = parameter.annotation if parameter else None
            details += build_validation_failed(entry["message"], _parse_path(_to_camel_case(name)), annotation).details
    return ValidationFailed.of(details) if details else ValidationFailed(error.detail)


def _to_camel_case(parameter_name: str) -> str:
    """Return a handler's parameter name as clients write it: ``time_range`` becomes ``timeRange``."""
    first_word, *other_words = parameter_name.split("_")
    return first_word + "".join(word.capitalize() for word in other_words)


def _parse_path(key: str) -> list[str | int]:
    return [int(step) if step.isdecimal() else step for step in _PATH_STEP_PATTERN.findall(key)]
