"""The event store in a database of a ClickHouse server."""

from contextlib import closing
from functools import cached_property

from clickhouse_connect.driver.client import Client

from tallyroom.core.event_server import EventServer
from tallyroom.storage.event_store.backend.backend import FoundStore, ReadLimits
from tallyroom.storage.event_store.backend.server.connection import ServerConnection, open_writing_client
from tallyroom.storage.event_store.backend.server.requirements import check_requirements
from tallyroom.storage.event_store.backend.server.sealed_reader import ServerCanceller, ServerReader
from tallyroom.storage.event_store.tables import EVENTS
from tallyroom.storage.stamp import Stamp

_STAMP_TABLE = "installation_stamps"
_CREATE_STAMP_TABLE = f"""
CREATE TABLE IF NOT EXISTS {_STAMP_TABLE} (number UInt64, installation String, epoch UInt64)
ENGINE = MergeTree ORDER BY number
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1"""


class ServerBackend:
    """A database of a server, which must allow the limits of questions; it is contacted only when needed."""

    folder = None
    inserts_late = True

    def __init__(self, server: EventServer, limits: ReadLimits) -> None:
        self._server = server
        self._limits = limits
        self._is_checked = False

    @cached_property
    def _writing_client(self) -> Client:
        return open_writing_client(self._server)

    def inspect_store(self) -> FoundStore:
        """Like `Backend.inspect_store`; raises `EventServerUnusable` if the server does not answer or is unsuitable."""
        self.open_store()
        with closing(self.connect()) as connection:
            tables = _list_tables(connection)
            if EVENTS not in tables:
                return FoundStore(absence="has no tables" if tables else "is empty")
            if _STAMP_TABLE not in tables:
                return FoundStore()
            query = f"SELECT installation, epoch FROM {_STAMP_TABLE} ORDER BY number DESC LIMIT 1"
            installation, _, epoch = connection.query(query, {}).strip().partition("\t")
            return FoundStore(stamp=Stamp(installation, int(epoch)) if epoch else None)

    def count_events(self) -> int:
        """Like `Backend.count_events`."""
        with closing(self.connect()) as connection:
            if EVENTS not in _list_tables(connection):
                return 0
            return int(connection.query(f"SELECT count() FROM {EVENTS}", {}))

    def write_stamp(self, stamp: Stamp) -> None:
        """Like `Backend.write_stamp`: the newest row of a table counts."""
        with closing(self.connect()) as connection:
            connection.query(_CREATE_STAMP_TABLE, {})
            connection.query(
                f"INSERT INTO {_STAMP_TABLE}"
                f" SELECT max(number) + 1, {{installation:String}}, {{epoch:UInt64}} FROM {_STAMP_TABLE}",
                {"installation": stamp.installation, "epoch": stamp.epoch},
            )

    def open_store(self) -> None:
        """Check once that the server is suitable; raises `EventServerUnusable` if it does not answer or is not."""
        if not self._is_checked:
            check_requirements(self._server, self._limits, self.connect)
            self._is_checked = True

    def connect(self) -> ServerConnection:
        """Like `Backend.connect`."""
        return ServerConnection(self._writing_client)

    def open_reader(self, limits: ReadLimits, query_name: str = "") -> ServerReader:
        """Like `Backend.open_reader`."""
        return ServerReader(self._server, limits, query_name)

    def open_canceller(self) -> ServerCanceller:
        """Like `Backend.open_canceller`."""
        return ServerCanceller(self._server)

    def is_astray(self) -> bool:
        """Like `Backend.is_astray`: the data of a server stays in place."""
        return False

    def sync_tables(self) -> None:
        """Like `Backend.sync_tables`; the server does it itself."""


def _list_tables(connection: ServerConnection) -> set[str]:
    """Return the names of the database's tables; the stamps alone do not make a store."""
    sql = "SELECT name FROM system.tables WHERE database = currentDatabase()"
    return set(connection.query(sql, {}).split("\n")) - {""}
