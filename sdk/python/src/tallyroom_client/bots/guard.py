"""Keeps a fault of the helpers away from the bot."""

import logging
from collections.abc import Callable
from typing import Any

_LOGGER = logging.getLogger("tallyroom_client")


def never_raise(function: Callable[..., None]) -> Callable[..., None]:
    """Return a function that logs what the given one raises: a bot must not fail because of its analytics."""

    def call(*args: Any, **kwargs: Any) -> None:
        try:
            function(*args, **kwargs)
        except Exception:
            _LOGGER.exception("An event of the bot could not be recorded.")

    return call
