"""The workers of an installation, as a test says that they are."""

from dataclasses import dataclass, field

from tallyroom.core.peers import NoPeers


@dataclass
class FewPeers(NoPeers):
    """`number` workers: those on the spools in `alive` run, and those on the hosts `others` have other settings.

    With an `objection`, the worker that asks may not go on.
    """

    number: int = 1
    objection: str = ""
    others: frozenset[str] = frozenset()
    alive: set[int] = field(default_factory=set)
    shared_ms: int | None = None

    def worker_count(self) -> int:
        return self.number

    def find_objection(self) -> str:
        return self.objection

    def hosts_with_other_settings(self) -> frozenset[str]:
        return self.others

    def now_ms(self) -> int | None:
        return self.shared_ms

    async def is_alive(self, spool: int) -> bool:
        return spool in self.alive
