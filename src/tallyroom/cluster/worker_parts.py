"""What a worker needs to count and to remember together with others."""

import sqlite3
from typing import NamedTuple

from tallyroom.core.clock import Clock
from tallyroom.core.peers import Peers
from tallyroom.storage.metadata.connection import Database


class WorkerContext(NamedTuple):
    """What a worker and its peers have in common, and what it has of its own.

    Attributes:
        database: the metadata, which all share.
        connection: reads the file of the worker's own spool.
        spool_id: the identity of that spool.
        clock: tells the time.
        peers: the other workers.
    """

    database: Database
    connection: sqlite3.Connection
    spool_id: int
    clock: Clock
    peers: Peers
