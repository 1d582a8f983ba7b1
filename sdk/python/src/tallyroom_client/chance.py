"""The randomness that every part is given."""

import os
from base64 import urlsafe_b64encode
from collections.abc import Callable

_KEY_BYTES = 16


class Chance:
    """Keys that nobody else has, and fractions for waits.

    Args:
        random_bytes: returns so many random bytes.
    """

    def __init__(self, random_bytes: Callable[[int], bytes] = os.urandom) -> None:
        self._random_bytes = random_bytes

    def key(self) -> str:
        """Return 22 characters of base64url."""
        return urlsafe_b64encode(self._random_bytes(_KEY_BYTES)).decode().rstrip("=")

    def fraction(self) -> float:
        """Return a number from 0 to 1."""
        return int.from_bytes(self._random_bytes(4), "big") / 0xFFFFFFFF
