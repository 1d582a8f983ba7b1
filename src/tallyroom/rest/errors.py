"""Turns every refusal of an ordinary route into JSON in the common error shape, no matter who raised it."""

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
    error_body,
)
from tallyroom.core.log import request_id_var
from tallyroom.rest.bodies import validation_failed
from tallyroom.rest.methods import allow

_log = logging.getLogger(__name__)

_FIRST_FAULT = 500  # statuses from here on are the server's own

_STEP = re.compile(r"[^.\[\]]+")

_SENTENCES: dict[int, tuple[type[TallyroomError], str]] = {
    401: (Unauthorized, "Sign in first."),
    403: (Forbidden, "This is not allowed."),
    404: (NotFound, "There is nothing here."),
    405: (MethodNotAllowed, "This path does not support this method."),
    409: (Conflict, "The object is not in the state that the request assumes."),
    413: (PayloadTooLarge, "The body is too large."),
    415: (UnsupportedMediaType, "This content type is not supported."),
}

AnyRequest = Request[Any, Any, Any]


def refused(_request: AnyRequest, error: TallyroomError) -> Response[bytes]:
    """Return the response to one of our own refusals; a server error is logged and not shown to the client."""
    if type(error).status == TallyroomError.status:
        return failed(_request, error)
    return _response(error)


def refused_by_framework(request: AnyRequest, error: HTTPException) -> Response[bytes]:
    """Return the response to a refusal by the framework: no such path, method or parameter."""
    if error.status_code >= _FIRST_FAULT:
        return failed(request, error)
    if error.status_code in _SENTENCES:
        kind, sentence = _SENTENCES[error.status_code]
        refusal = kind(sentence)
    else:
        refusal = _validation(request, error)
    headers = {name.lower(): value for name, value in (error.headers or {}).items()}
    if "allow" in headers:
        headers |= allow(headers["allow"].split(", "))
    refusal.headers |= headers
    return _response(refusal)


def failed(_request: AnyRequest, error: Exception) -> Response[bytes]:
    """Return the response to a server error: the log gets all of it, the client the request id.

    That the process may open no more files is nobody's fault, and passes.
    """
    if _is_out_of_files(error):
        _log.warning("the process may open no more files", extra={"reason": str(error)})
        return _response(Unavailable("The server is busy: it may open no more files. Try again."))
    _log.error("a request failed", exc_info=error)
    return _response(Internal("The server failed. Its log has the details under the request id."))


def _is_out_of_files(error: BaseException | None) -> bool:
    """Return whether this error, or one that caused it, is that the process or the machine may open no more files."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in {EMFILE, ENFILE}:
            return True
        error = error.__cause__ or error.__context__
    return False


exception_handlers: ExceptionHandlersMap = {
    TallyroomError: refused,
    HTTPException: refused_by_framework,
    Exception: failed,
}


def _response(error: TallyroomError) -> Response[bytes]:
    return Response(
        msgspec.json.encode(error_body(error, request_id_var.get())),
        status_code=error.status,
        headers=error.headers,
        media_type="application/json",
    )


def _validation(request: AnyRequest, error: HTTPException) -> ValidationFailed:
    extra = error.extra if isinstance(error.extra, list) else []
    details: list[Detail] = []
    for entry in extra:
        if isinstance(entry, dict) and "message" in entry:
            name = entry.get("key", "")
            parameter = request.route_handler.parsed_fn_signature.parameters.get(name)
            kind = parameter.annotation if parameter else None
            details += validation_failed(entry["message"], _path(_as_sent(name)), kind).details
    return ValidationFailed.of(details) if details else ValidationFailed(error.detail)


def _as_sent(parameter: str) -> str:
    """The name of a handler's parameter as clients write it: ``time_range`` is ``timeRange``."""
    first, *rest = parameter.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _path(key: str) -> list[str | int]:
    return [int(step) if step.isdecimal() else step for step in _STEP.findall(key)]
