"""The interface of limits: rates, attempts, and lists of the newest entries."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tallyroom.core.cluster_answers import AnswerCache
from tallyroom.core.errors import RateLimited


class RateLimit(ABC):
    """A rate limit: the requests that one client may make in any 60 seconds (rules/events#rate)."""

    @abstractmethod
    def admit_at_once(self, client: str) -> bool:
        """Count one request, or raise `RateLimited` without counting; False if `admit` has to be awaited."""

    @abstractmethod
    async def admit(self, client: str) -> None:
        """Like `admit_at_once`, but decide within a moment even if the limits server does not answer."""


@dataclass(frozen=True, slots=True)
class Allotment:
    """How many attempts are free at once, and after how many seconds one more is; `name` appears in the headers."""

    name: str
    burst: int
    leak_seconds: float

    @property
    def policy(self) -> str:
        """The allotment in the form of the header RateLimit-Policy."""
        return f'"{self.name}";q={self.burst};w={round(self.burst * self.leak_seconds)}'


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt by the holder of `key`."""

    allotment: Allotment
    key: bytes


class LimitsServerInfo(NamedTuple):
    """The version of a limits server, and its policy for full memory; "" if its memory is unlimited."""

    version: str
    eviction_policy: str


class AttemptLimits(ABC):
    """Limits on attempts: some at once, then one more at a time (rules/people#guessing)."""

    @abstractmethod
    async def count_attempts(self, *attempts: Attempt) -> tuple[Attempt, float] | None:
        """Count all attempts; or count none, and return the first excess one with the seconds until it is allowed."""

    @abstractmethod
    async def undo_attempt(self, attempt: Attempt) -> None:
        """Undo the count of one attempt."""

    @abstractmethod
    async def clear_attempts(self, *attempts: Attempt) -> None:
        """Undo the count of all attempts with these allotments and keys."""


class NewestEntries(ABC):
    """Bounded lists of the newest entries, one per topic; they may be lost at any time."""

    @abstractmethod
    def add(self, topic: str, entry: bytes) -> None:
        """Add an entry without waiting for the server of the lists."""

    @abstractmethod
    async def list_newest(self, topic: str) -> Sequence[bytes]:
        """Return the entries of a topic, newest first."""


class Limits(ABC):
    """Creates the limits of one server process."""

    fallback_count: int = 0  # how often this process decided alone because the limits server did not answer

    @property
    def is_away(self) -> bool:
        """Whether this process decides alone although it shares limits with others."""
        return False

    @abstractmethod
    def create_rate_limit(
        self, name: str, limit_per_minute: int, refusal_type: type[RateLimited] = RateLimited
    ) -> RateLimit:
        """Return a limit named `name` in headers and for other processes; a `limit_per_minute` of 0 turns it off."""

    @abstractmethod
    def create_attempt_limits(self) -> AttemptLimits:
        """Return the limits on attempts."""

    @abstractmethod
    def create_newest_entries(self, name: str, max_entries: int) -> NewestEntries:
        """Return lists of at most `max_entries` entries for each topic."""

    def answer_cache(self) -> AnswerCache | None:
        """Return the cache of answers for all workers; None for a single worker."""
        return None

    @abstractmethod
    async def close(self) -> None:
        """Write pending data, and close all connections."""
