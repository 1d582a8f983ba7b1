"""What an event says about an exception: its type and its place in the program, and its message only on request."""

import sysconfig
from types import TracebackType
from typing import Any

_FOREIGN_FOLDERS = ("/site-packages/", "/dist-packages/", "/tallyroom_client/")
_STANDARD_LIBRARY = sysconfig.get_paths()["stdlib"].replace("\\", "/")


def describe_error(error: BaseException, *, with_message: bool) -> dict[str, Any]:
    """Return the properties `type` and `where`, and `message` if it was asked for.

    Bot libraries wrap what a command raises; the properties are about the innermost exception.
    """
    cause = unwrap(error)
    properties: dict[str, Any] = {"type": type(cause).__name__, "where": _locate(cause.__traceback__)}
    if with_message:
        properties["message"] = str(cause)
    return properties


def unwrap(error: BaseException) -> BaseException:
    """Return the exception that the program raised, below those that a library put around it."""
    while isinstance(original := getattr(error, "original", None), BaseException):
        error = original
    return error


def _locate(traceback: TracebackType | None) -> str | None:
    """Return `module:line` of the deepest frame of the program itself; without one, of the deepest frame."""
    deepest = deepest_own = None
    while traceback is not None:
        frame = traceback.tb_frame
        deepest = f"{frame.f_globals.get('__name__', '?')}:{traceback.tb_lineno}"
        if _is_own(frame.f_code.co_filename):
            deepest_own = deepest
        traceback = traceback.tb_next
    return deepest_own or deepest


def _is_own(file: str) -> bool:
    path = file.replace("\\", "/")
    is_standard = path.startswith((_STANDARD_LIBRARY, "<frozen "))
    return not is_standard and not any(folder in path for folder in _FOREIGN_FOLDERS)
