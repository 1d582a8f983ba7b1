"""Watches a handler that a library calls without an event: `on_error` of a bot or of its command tree."""

from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Any

Handler = Callable[..., Awaitable[Any]]


class ErrorHook:
    """Wraps `owner.on_error`, which records an error and then calls the handler that was there.

    The program may replace the handler at any time: `renew` wraps the replacement. If the replacement calls the
    wrapped one, the error still counts once.
    """

    def __init__(self, owner: Any, record: Callable[..., None]) -> None:
        self._owner = owner
        self._record = record
        self._wrapper: Handler | None = None
        self._is_own_attribute = False
        self._original: Handler | None = None
        self._is_recording: ContextVar[bool] = ContextVar("is_recording", default=False)
        self._is_removed = False

    def renew(self) -> None:
        """Wrap the handler that is there now, unless it is the wrapper."""
        if self._owner.on_error is self._wrapper:
            return
        self._is_own_attribute = "on_error" in vars(self._owner)
        self._original = self._owner.on_error
        self._wrapper = self._wrap(self._owner.on_error)
        self._owner.on_error = self._wrapper

    def remove(self) -> None:
        """Put the handler back; if the program has replaced the wrapper, leave it there without effect."""
        self._is_removed = True
        if self._owner.on_error is not self._wrapper:
            return
        if self._is_own_attribute:
            self._owner.on_error = self._original
        else:
            del self._owner.on_error

    def _wrap(self, original: Handler) -> Handler:
        async def on_error(*args: Any, **kwargs: Any) -> Any:
            if self._is_removed or self._is_recording.get():
                return await original(*args, **kwargs)
            token = self._is_recording.set(True)
            try:
                self._record(*args)
                return await original(*args, **kwargs)
            finally:
                self._is_recording.reset(token)

        return on_error
