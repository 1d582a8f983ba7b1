"""Passwords: argon2id, off the event loop, and never more than two at once."""

import asyncio
from typing import NamedTuple

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from tallyroom.auth.prepared_password import PreparedPassword, prepared
from tallyroom.core.settings import Settings

_AT_ONCE = 2  # a hundred sign-ins together must not take a hundred times 19 MiB and every core


class Verdict(NamedTuple):
    """Whether a password is right.

    Attributes:
        right: as above.
        new_hash: to be stored instead of a hash that is right only for what was typed, not for its prepared form.
    """

    right: bool
    new_hash: str | None = None


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

    async def hash(self, password: PreparedPassword) -> str:
        """Return the text to store for `password`, which includes the algorithm, parameters and salt."""
        async with self._slots:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def verify(self, password_hash: str | None, typed: str) -> Verdict:
        """Check a password against `password_hash`: its prepared form, then what was typed, if that differs.

        None means an unknown account: it takes the same work, so that timing does not reveal which accounts exist.
        """
        async with self._slots:
            verdict = await asyncio.to_thread(self._judge, password_hash or self._dummy, typed)
        return Verdict(right=False) if password_hash is None else verdict

    def _judge(self, password_hash: str, typed: str) -> Verdict:
        password = prepared(typed)
        if password is not None and self._matches(password_hash, password):
            return Verdict(right=True)
        if typed == password or not self._matches(password_hash, typed):
            return Verdict(right=False)
        return Verdict(right=True, new_hash=None if password is None else self._hasher.hash(password))

    def _matches(self, password_hash: str, password: str) -> bool:
        try:
            return self._hasher.verify(password_hash, password)
        except (VerificationError, InvalidHashError):
            return False
