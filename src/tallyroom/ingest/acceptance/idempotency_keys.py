"""Which idempotency keys other workers of the installation have taken; one process alone has nobody to ask."""

from abc import ABC, abstractmethod
from typing import NamedTuple

from tallyroom.storage.spool.commit_group import CommitWait, IdempotentRequest


class ScopedKey(NamedTuple):
    """What identifies an idempotency key."""

    workspace_id: str
    environment: str
    key: str


class KnownKey(NamedTuple):
    """What is known of a request whose events are durable at some worker."""

    fingerprint: str
    accepted_count: int
    received_ms: int


class IdempotencyKeys(ABC):
    """The idempotency keys of all workers, each of which keeps its answers in its own spool.

    Attributes:
        are_shared: whether there may be other workers.
    """

    are_shared = False

    @abstractmethod
    async def claim(self, scoped_key: ScopedKey, fingerprint: str) -> KnownKey | None:
        """Take a key that the own spool does not know and no other request of this worker has; `release` must follow.

        Returns:
            None, or what is known of the request that has the key; then the key is not taken.

        Raises:
            Conflict: another worker has the key, and its request is still running.
            Unavailable: nobody can tell whether there is such a request.
        """

    @abstractmethod
    async def release(self, scoped_key: ScopedKey, idempotent_request: IdempotentRequest) -> bool:
        """Record what became of the request with a key that was taken, as far as the own spool knows.

        Returns:
            False if it is not decided yet; then nobody may take the key.
        """

    @abstractmethod
    async def wait_decided_elsewhere(self, scoped_key: ScopedKey) -> CommitWait:
        """Wait until the request with this key is durable at another worker, or lost there."""

    @abstractmethod
    async def settle_keys(self) -> None:
        """Record what `release` could not, and what an earlier process on the same spool has left open.

        Raises:
            Unavailable: the metadata does not answer.
        """

    @abstractmethod
    async def forget_old_keys(self) -> None:
        """Delete the keys that are older than 24 hours.

        Raises:
            Unavailable: the metadata does not answer.
        """

    @abstractmethod
    async def close(self) -> None:
        """Settle as far as possible, after the spool is closed."""


class LocalIdempotencyKeys(IdempotencyKeys):
    """The keys of a process that is alone: its spool and its memory know all of them."""

    async def claim(self, scoped_key: ScopedKey, fingerprint: str) -> KnownKey | None:  # noqa: ARG002 # nobody else has it
        """Return None."""
        return None

    async def release(self, scoped_key: ScopedKey, idempotent_request: IdempotentRequest) -> bool:  # noqa: ARG002 # as above
        """Return True."""
        return True

    async def wait_decided_elsewhere(self, scoped_key: ScopedKey) -> CommitWait:  # noqa: ARG002 # there is nobody to wait for
        """Return a request that is lost."""
        commit_wait = CommitWait()
        commit_wait.is_lost = True
        return commit_wait

    async def settle_keys(self) -> None:
        """Do nothing: the spool is settled by itself."""

    async def forget_old_keys(self) -> None:
        """Do nothing: the spool has all keys."""

    async def close(self) -> None:
        """Do nothing."""
