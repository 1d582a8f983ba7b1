"""What a worker needs to count and remember together with others."""

import sqlite3
from typing import NamedTuple

from tallyroom.core.clock import Clock
from tallyroom.core.peers import Peers
from tallyroom.storage.metadata.connection import Database


class WorkerContext(NamedTuple):
    """What a worker and its peers share; `connection` reads the file of the worker's own spool, `spool_id`."""

    database: Database
    connection: sqlite3.Connection
    spool_id: int
    clock: Clock
    peers: Peers
