"""The other workers that serve the same installation, as far as one worker has to know of them."""

from typing import Protocol


class Peers(Protocol):
    """All workers of an installation, on whatever host."""

    def count(self) -> int:
        """Return the number of workers, this one included; at least 1."""
        ...

    async def is_alive(self, spool: int) -> bool:
        """Return whether a worker other than this one runs on the spool with this identity.

        Raises:
            Unavailable: nobody can tell at the moment.
        """
        ...


class NoPeers:
    """One worker alone."""

    def count(self) -> int:
        """Return 1."""
        return 1

    async def is_alive(self, spool: int) -> bool:  # noqa: ARG002 # nobody else runs on any
        """Return False."""
        return False
