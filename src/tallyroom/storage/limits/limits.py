"""What callers see of limits: rates, attempts, and lists of what came last."""

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
        """Count one request of `client`; return False, with nothing counted, if `admit` has to be awaited instead.

        Raises:
            RateLimited: the client has used up its requests; a refused one does not count.
        """

    @abstractmethod
    async def admit(self, client: str) -> None:
        """Count one request of `client`; this takes no longer than a moment, whatever does not answer.

        Raises:
            RateLimited: the client has used up its requests; a refused one does not count.
        """


@dataclass(frozen=True, slots=True)
class Allotment:
    """How many attempts are free at once, and how many seconds later one more is; `name` is told in the headers."""

    name: str
    burst: int
    leak_seconds: float

    @property
    def policy(self) -> str:
        """The allotment as the header RateLimit-Policy has it."""
        return f'"{self.name}";q={self.burst};w={round(self.burst * self.leak_seconds)}'


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt of the holder of `key`."""

    allotment: Allotment
    key: bytes


class LimitsServerInfo(NamedTuple):
    """A server that keeps the limits.

    Attributes:
        version: what it is.
        eviction_policy: what it does when its memory is full; "" if that has no bound.
    """

    version: str
    eviction_policy: str


class AttemptLimits(ABC):
    """Limits on attempts: some at once, then one more at a time (rules/people#guessing)."""

    @abstractmethod
    async def count_attempts(self, *attempts: Attempt) -> tuple[Attempt, float] | None:
        """Count all attempts and return None.

        If one of them is one too many, count none and return the first such with the seconds until it may be made.
        """

    @abstractmethod
    async def undo_attempt(self, attempt: Attempt) -> None:
        """Undo the count of one attempt."""

    @abstractmethod
    async def clear_attempts(self, *attempts: Attempt) -> None:
        """Undo the count of all attempts with these allotments and keys."""


class NewestEntries(ABC):
    """Lists of a bounded length of what came last, one for each topic; they may be lost at any time."""

    @abstractmethod
    def add(self, topic: str, entry: bytes) -> None:
        """Add an entry; this returns at once, whatever keeps the lists."""

    @abstractmethod
    async def list_newest(self, topic: str) -> Sequence[bytes]:
        """Return the entries of a topic, newest first."""


class Limits(ABC):
    """Makes the limits of one server process.

    Attributes:
        fallback_count: how many requests and attempts were judged by this process alone because the server of the
            limits did not answer.
    """

    fallback_count: int = 0

    @property
    def is_away(self) -> bool:
        """Whether this process judges alone, although others share its limits."""
        return False

    @abstractmethod
    def create_rate_limit(
        self, name: str, limit_per_minute: int, refusal_type: type[RateLimited] = RateLimited
    ) -> RateLimit:
        """Return a rate limit.

        Args:
            name: its name in the RateLimit headers, and where several processes share it.
            limit_per_minute: the number of requests that a client may make in any 60 seconds; 0 turns the limit off.
            refusal_type: the error raised once a client has used up its requests.
        """

    @abstractmethod
    def create_attempt_limits(self) -> AttemptLimits:
        """Return the limits on attempts."""

    @abstractmethod
    def create_newest_entries(self, name: str, max_entries: int) -> NewestEntries:
        """Return lists of at most `max_entries` entries for each topic."""

    def answer_cache(self) -> AnswerCache | None:
        """Return what keeps answers for all workers; None for a process that serves alone."""
        return None

    @abstractmethod
    async def close(self) -> None:
        """Write what waits, and close all connections."""
