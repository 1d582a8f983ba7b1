"""Passwords: argon2id, off the event loop, at most two hashes at once, in turns (rules/people#sign-in-turns)."""

import asyncio
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from tallyroom.auth.caller import COMMAND_LINE, Caller
from tallyroom.auth.prepared_password import PreparedPassword, prepare_password
from tallyroom.core.settings import Settings
from tallyroom.storage.slots import SlotLimits, Slots

R = TypeVar("R")

MAX_WAITING: Final = 128
"""The longest queue: a few seconds of work. Known callers have a separate queue of the same length."""

_MAX_CONCURRENT_HASHES = 2  # a hundred sign-ins together must not take a hundred times 19 MiB and every core
_MAX_WAIT_SECONDS = 20.0
_RETRY_AFTER = 5
_BUSY_MESSAGE = "Too many people are signing in or signing up. Try again shortly."


class Verdict(NamedTuple):
    """Whether a password is right; `new_hash` replaces a stored hash of the typed text instead of its prepared form."""

    is_right: bool
    new_hash: str | None = None


def build_passwords(settings: Settings) -> "Passwords":
    """Return the server's password hashing; in tests it is cheap, because thousands of users sign up there."""
    return Passwords(time_cost=1, memory_kib=8) if settings.testing else Passwords()


class Passwords:
    """Hashes and checks passwords, by default as OWASP recommends for argon2id: 2 passes over 19 MiB."""

    def __init__(self, time_cost: int = 2, memory_kib: int = 19 * 1024) -> None:
        self._hasher = PasswordHasher(time_cost=time_cost, memory_cost=memory_kib, parallelism=1)
        self._slots = Slots(
            SlotLimits(_MAX_CONCURRENT_HASHES, _MAX_WAIT_SECONDS, _BUSY_MESSAGE, _RETRY_AFTER, max_waiting=MAX_WAITING)
        )
        self._waiting_count_by_key: Counter[str] = Counter()  # known callers, by identity and by network
        self._dummy_hash = self._hasher.hash("no account has this password")

    async def hash(
        self, password: PreparedPassword, caller: Caller = COMMAND_LINE, known_caller_id: str | None = None
    ) -> str:
        """Return the text to store for `password`; raises `Unavailable` if too many callers are queued.

        `known_caller_id` is a user or workspace that the server knows, which goes first; None is a stranger.
        """
        return await self._run_in_turn(lambda: self._hasher.hash(password), caller, known_caller_id)

    async def verify(
        self,
        password_hash: str | None,
        raw_password: str,
        caller: Caller = COMMAND_LINE,
        known_caller_id: str | None = None,
    ) -> Verdict:
        """Check a password as `hash` does: its prepared form, then the typed text. A missing hash takes as long."""
        check_password = partial(self._check_password, password_hash or self._dummy_hash, raw_password)
        verdict = await self._run_in_turn(check_password, caller, known_caller_id)
        return verdict if password_hash else Verdict(is_right=False)

    async def _run_in_turn(self, work: Callable[[], R], caller: Caller, known_caller_id: str | None) -> R:
        slot_key = await self._take_turn(caller, known_caller_id)
        try:
            return await asyncio.to_thread(work)
        finally:
            self._slots.release(slot_key)

    async def _take_turn(self, caller: Caller, known_caller_id: str | None) -> str:
        """Wait by network if a stranger; if known, by identity or network, the one with more callers waiting."""
        if known_caller_id is None:
            slot_key = caller.wider_network
            with caller.presence.cancel_on_leave():
                await self._slots.acquire(slot_key)
            return slot_key
        turn_keys = Counter((known_caller_id, caller.wider_network))
        slot_key = max(turn_keys, key=self._waiting_count_by_key.__getitem__)
        self._waiting_count_by_key += turn_keys
        try:
            with caller.presence.cancel_on_leave():
                await self._slots.acquire(slot_key, has_priority=True)
        finally:
            self._waiting_count_by_key -= turn_keys
        return slot_key

    def _check_password(self, password_hash: str, raw_password: str) -> Verdict:
        password = prepare_password(raw_password)
        if password is not None and self._is_hash_of(password_hash, password):
            return Verdict(is_right=True)
        if raw_password == password or not self._is_hash_of(password_hash, raw_password):
            return Verdict(is_right=False)
        return Verdict(is_right=True, new_hash=None if password is None else self._hasher.hash(password))

    def _is_hash_of(self, password_hash: str, password: str) -> bool:
        try:
            return self._hasher.verify(password_hash, password)
        except (VerificationError, InvalidHashError):
            return False
