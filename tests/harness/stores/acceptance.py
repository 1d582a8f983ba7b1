"""For tests of what is accepted: the parts of `ingest.accept` around a real spool, and what was counted."""

from contextlib import closing
from pathlib import Path

from harness.stores.event_store import fresh_scope
from harness.stores.peers import FewPeers
from harness.stores.spool_batches import MONTH, look
from tallyroom.core.errors import Unavailable
from tallyroom.ingest.acceptance.accept import EventAcceptor
from tallyroom.ingest.acceptance.arrivals import ArrivalNotifier
from tallyroom.ingest.acceptance.cap import LocalCap
from tallyroom.storage.directory_watch import DirectoryWatch
from tallyroom.storage.spool.queue import Spool

CAP = 5


class Disk:
    """Has room until a test says that it is low."""

    low = False

    def refuse_when_low(self) -> None:
        if self.low:
            raise Unavailable("low")


class Accepting:
    """One workspace that may send `CAP` events a month on the free plan.

    Args:
        spool: takes what is accepted.
        path: its file.
        max_bytes: how much may wait in the spool.
    """

    def __init__(self, spool: Spool, path: Path, max_bytes: int) -> None:
        self.path = path
        self.scope = fresh_scope()
        self.disk = Disk()
        self.directory = DirectoryWatch(path.parent)
        self.peers = FewPeers()
        with closing(spool.open_reader()) as connection:
            self.cap = LocalCap(connection, CAP)
        arrivals = ArrivalNotifier(spool, None)  # type: ignore[arg-type] # nobody watches
        self.acceptor = EventAcceptor(spool, self.cap, self.disk, max_bytes, arrivals, self.directory, self.peers)  # type: ignore[arg-type] # all that it asks of them

    @property
    def used(self) -> tuple[int, int]:
        """As counted in memory and on the disk."""
        [(durable,)] = look(self.path, "SELECT coalesce(sum(events), 0) FROM usage")
        return self.cap.get_local_count(self.scope.workspace_id, MONTH), durable
