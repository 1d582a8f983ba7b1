"""Passwords: argon2id, off the event loop, and never more than two at once."""

import asyncio

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from tallyroom.core.settings import Settings

_AT_ONCE = 2  # a hundred sign-ins together must not take a hundred times 19 MiB and every core


def passwords_of(settings: Settings) -> "Passwords":
    """As a server hashes; where a test runs it, at no cost, since thousands of people sign up there."""
    return Passwords(time_cost=1, memory_kib=8) if settings.testing else Passwords()


class Passwords:
    """Hashes and checks passwords.

    Args:
        time_cost: passes over the memory; 2 passes over 19 MiB are OWASP's advice for argon2id.
        memory_kib: memory of one hash in KiB.
    """

    def __init__(self, time_cost: int = 2, memory_kib: int = 19 * 1024) -> None:
        self._hasher = PasswordHasher(time_cost=time_cost, memory_cost=memory_kib, parallelism=1)
        self._slots = asyncio.Semaphore(_AT_ONCE)
        self._dummy = self._hasher.hash("no account has this password")

    async def hash(self, password: str) -> str:
        """The text to store for `password`; it names its algorithm, parameters and salt."""
        async with self._slots:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def verify(self, password_hash: str | None, password: str) -> bool:
        """Whether `password` is the one behind `password_hash`.

        None stands for an unknown account: the same work is done, so that the time tells nobody which accounts exist.
        """
        async with self._slots:
            matches = await asyncio.to_thread(self._matches, password_hash or self._dummy, password)
        return matches and password_hash is not None

    def _matches(self, password_hash: str, password: str) -> bool:
        try:
            return self._hasher.verify(password_hash, password)
        except (VerificationError, InvalidHashError):
            return False
