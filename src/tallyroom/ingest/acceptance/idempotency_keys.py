"""The idempotency keys of all workers of the installation."""

from abc import ABC, abstractmethod
from typing import NamedTuple

from tallyroom.storage.spool.commit_group import CommitWait, IdempotentRequest, KeyQueue
from tallyroom.storage.spool.replays import AcceptedRequest


class ScopedKey(NamedTuple):
    """The parts that identify an idempotency key."""

    workspace_id: str
    environment: str
    key: str


class KnownKey(NamedTuple):
    """A request whose events are durable at some worker, and when they were received."""

    request: AcceptedRequest
    received_ms: int


class IdempotencyKeys(ABC):
    """The idempotency keys of all workers, each of which keeps its answers in its own spool."""

    are_shared = False

    @abstractmethod
    async def claim(self, scoped_key: ScopedKey, fingerprint: str, queue: KeyQueue | None) -> KnownKey | None:
        """Claim a key that this worker does not know, until `release`; or return the request that already has it.

        Raises `Conflict` if another worker's request with the key is running, `Unavailable` if that is unknown.
        """

    @abstractmethod
    async def release(self, scoped_key: ScopedKey, idempotent_request: IdempotentRequest) -> bool:
        """Record the outcome of the request with a claimed key; False if undecided, so that the key stays claimed."""

    @abstractmethod
    async def wait_decided_elsewhere(self, scoped_key: ScopedKey) -> CommitWait:
        """Wait until the request with this key is durable at another worker, or lost there."""

    @abstractmethod
    async def settle_keys(self) -> None:
        """Record outcomes that `release`, or an earlier process on the spool, could not; raises `Unavailable`."""

    @abstractmethod
    async def forget_old_keys(self) -> None:
        """Delete the keys that have expired; raises `Unavailable` if the metadata does not answer."""

    @abstractmethod
    async def close(self) -> None:
        """Settle open keys, if possible, after the spool is closed."""


class LocalIdempotencyKeys(IdempotencyKeys):
    """The keys of a single worker: its spool and its memory have all of them."""

    async def claim(self, scoped_key: ScopedKey, fingerprint: str, queue: KeyQueue | None) -> KnownKey | None:  # noqa: ARG002 # there is no other worker
        """Return None."""
        return None

    async def release(self, scoped_key: ScopedKey, idempotent_request: IdempotentRequest) -> bool:  # noqa: ARG002 # as above
        """Return True."""
        return True

    async def wait_decided_elsewhere(self, scoped_key: ScopedKey) -> CommitWait:  # noqa: ARG002 # there is no other worker
        """Return the wait of a lost request."""
        commit_wait = CommitWait()
        commit_wait.is_lost = True
        return commit_wait

    async def settle_keys(self) -> None:
        """Do nothing: the spool has all outcomes."""

    async def forget_old_keys(self) -> None:
        """Do nothing: the spool has all keys."""

    async def close(self) -> None:
        """Do nothing."""
