"""The event store in a database of a ClickHouse server."""

from contextlib import closing

from tallyroom.core.event_server import EventServer
from tallyroom.storage.event_store.backend.backend import FoundStore, ReadLimits
from tallyroom.storage.event_store.backend.server.connection import ServerConnection
from tallyroom.storage.event_store.backend.server.requirements import check_requirements
from tallyroom.storage.event_store.backend.server.sealed_reader import ServerCanceller, ServerReader
from tallyroom.storage.event_store.tables import EVENTS
from tallyroom.storage.stamp import Stamp

_STAMPS = "installation_stamps"
_MAKE_STAMPS = f"""
CREATE TABLE IF NOT EXISTS {_STAMPS} (number UInt64, installation String, epoch UInt64)
ENGINE = MergeTree ORDER BY number
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1"""


class ServerBackend:
    """A database of a server, which answers as long as the server does.

    Args:
        server: the server; it is first asked when something is done.
        limits: those of questions, which it has to allow.
    """

    folder = None
    inserts_late = True

    def __init__(self, server: EventServer, limits: ReadLimits) -> None:
        self._server = server
        self._limits = limits
        self._is_checked = False

    def find(self) -> FoundStore:
        """Like `Backend.find`.

        Raises:
            EventServerUnusable: the server does not answer, or is not what it has to be.
        """
        self.open()
        with closing(self.connect()) as connection:
            tables = _tables(connection)
            if EVENTS not in tables:
                return FoundStore(absent="has no tables" if tables else "is empty")
            if _STAMPS not in tables:
                return FoundStore()
            newest = f"SELECT installation, epoch FROM {_STAMPS} ORDER BY number DESC LIMIT 1"
            installation, _, epoch = connection.query(newest, {}).strip().partition("\t")
            return FoundStore(stamp=Stamp(installation, int(epoch)) if epoch else None)

    def count_found(self) -> int:
        """Like `Backend.count_found`."""
        with closing(self.connect()) as connection:
            if EVENTS not in _tables(connection):
                return 0
            return int(connection.query(f"SELECT count() FROM {EVENTS}", {}))

    def stamp(self, stamp: Stamp) -> None:
        """Like `Backend.stamp`: the newest row of a table holds."""
        with closing(self.connect()) as connection:
            connection.query(_MAKE_STAMPS, {})
            connection.query(
                f"INSERT INTO {_STAMPS}"
                f" SELECT max(number) + 1, {{installation:String}}, {{epoch:UInt64}} FROM {_STAMPS}",
                {"installation": stamp.installation, "epoch": stamp.epoch},
            )

    def open(self) -> None:
        """Like `Backend.open`: there is nothing to make, but the server is asked once whether it will do.

        Raises:
            EventServerUnusable: the server does not answer, or is not what it has to be.
        """
        if not self._is_checked:
            check_requirements(self._server, self._limits)
            self._is_checked = True

    def connect(self) -> ServerConnection:
        """Like `Backend.connect`."""
        return ServerConnection(self._server)

    def sealed_reader(self, limits: ReadLimits, mark: str = "") -> ServerReader:
        """Like `Backend.sealed_reader`."""
        return ServerReader(self._server, limits, mark)

    def canceller(self) -> ServerCanceller:
        """Like `Backend.canceller`."""
        return ServerCanceller(self._server)

    def is_astray(self) -> bool:
        """Like `Backend.is_astray`: what a server has, nobody moves from under it."""
        return False

    def sync(self) -> None:
        """Like `Backend.sync`, which is the server's business."""


def _tables(connection: ServerConnection) -> set[str]:
    """Return the names of the database's tables; the stamps alone do not make a store."""
    sql = "SELECT name FROM system.tables WHERE database = currentDatabase()"
    return set(connection.query(sql, {}).split("\n")) - {""}
