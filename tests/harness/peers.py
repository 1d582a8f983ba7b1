"""The workers of an installation, as a test says that they are."""

from dataclasses import dataclass, field


@dataclass
class FewPeers:
    """`number` workers, of which those on the spools in `alive` run."""

    number: int = 1
    alive: set[int] = field(default_factory=set)

    def count(self) -> int:
        return self.number

    async def is_alive(self, spool: int) -> bool:
        return spool in self.alive
