"""Generates IDs and secrets, with an injected clock and source of randomness."""

import base64
import secrets
from collections.abc import Callable
from uuid import UUID

from tallyroom.core.clock import Clock, SystemClock

RandomBytes = Callable[[int], bytes]

BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

_SLUG_BYTES = 16
_BASE62_UNBIASED = 248  # the largest multiple of 62 in a byte; higher bytes are discarded


class IdGenerator:
    """Generates IDs and random text; tests inject a seeded `random_bytes`."""

    def __init__(self, clock: Clock | None = None, random_bytes: RandomBytes = secrets.token_bytes) -> None:
        self._clock = clock or SystemClock()
        self.random_bytes = random_bytes

    def uuid7(self) -> UUID:
        """Return a new UUIDv7: 48 bits of milliseconds, then 74 random bits (rules/safety#response-format)."""
        value = self._clock.now_ms() << 80 | int.from_bytes(self.random_bytes(10), "big")
        value = value & ~(0xF000 << 64) | 0x7000 << 64
        value = value & ~(0xC000 << 48) | 0x8000 << 48
        return UUID(int=value)

    def new(self) -> str:
        """Return a new object ID as text."""
        return str(self.uuid7())

    def slug(self) -> str:
        """Return 128 random bits for a public address, as text that needs no escaping in a URL."""
        return base64.urlsafe_b64encode(self.random_bytes(_SLUG_BYTES)).rstrip(b"=").decode()

    def base62(self, length: int) -> str:
        """Return `length` characters, each drawn uniformly from 0-9, A-Z, a-z."""
        characters: list[str] = []
        while len(characters) < length:
            characters += [BASE62[byte % 62] for byte in self.random_bytes(length) if byte < _BASE62_UNBIASED]
        return "".join(characters[:length])
