"""Passwords: argon2id, off the event loop, and never more than two at once."""

import asyncio

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from tallyroom.core.settings import Settings

_AT_ONCE = 2  # a hundred sign-ins together must not take a hundred times 19 MiB and every core


def passwords_of(settings: Settings) -> "Passwords":
    """Return the server's password hashing; in tests it is cheap, because thousands of people sign up there."""
    return Passwords(time_cost=1, memory_kib=8) if settings.testing else Passwords()


class Passwords:
    """Hashes and checks passwords.

    Args:
        time_cost: passes over the memory; OWASP recommends 2 passes over 19 MiB for argon2id.
        memory_kib: memory of one hash in KiB.
    """

    def __init__(self, time_cost: int = 2, memory_kib: int = 19 * 1024) -> None:
        self._hasher = PasswordHasher(time_cost=time_cost, memory_cost=memory_kib, parallelism=1)
        self._slots = asyncio.Semaphore(_AT_ONCE)
        self._dummy = self._hasher.hash("no account has this password")

    async def hash(self, password: str) -> str:
        """Return the text to store for `password`, which includes the algorithm, parameters and salt."""
        async with self._slots:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def verify(self, password_hash: str | None, password: str) -> bool:
        """Return True if `password` matches `password_hash`.

        None means an unknown account: it takes the same work, so that timing does not reveal which accounts exist.
        """
        async with self._slots:
            matches = await asyncio.to_thread(self._matches, password_hash or self._dummy, password)
        return matches and password_hash is not None

    def _matches(self, password_hash: str, password: str) -> bool:
        try:
            return self._hasher.verify(password_hash, password)
        except (VerificationError, InvalidHashError):
            return False
