"""Makes the dump of a fixture: the metadata of a data directory as PostgreSQL has them after a move."""

import subprocess
from importlib.util import find_spec
from pathlib import Path

from harness.servers.postgres import PostgresServer
from harness.stores.metadata import dsn_of
from tallyroom.cluster.postgresql.migrate import migrate
from tallyroom.cluster.postgresql.take_over import take_over_metadata
from tallyroom.core.data_directory import DATABASE_FILE, SPOOL_FILE
from tallyroom.operations.installation.inspection import inspect_installation
from tallyroom.storage.database_file import open_read_only
from tallyroom.storage.metadata.record import AcceptedIdempotencyKey, MonthlyUsage, MovedSpool, SpoolRecords
from tallyroom.storage.spool.event_counts import read_spool_counts

_THERE = "host", "/var/lib/tallyroom"
"""Where the worker of the dump was: host and data directory."""

_KEYS = "SELECT workspace_id, environment, key, fingerprint, accepted, at_ms FROM idempotency"
_USAGE = "SELECT workspace_id, month, events FROM usage"


def dump_of(data: Path, server: PostgresServer) -> str:
    """All statements, for `psql`."""
    dsn = dsn_of(server.url)
    migrate(dsn)
    with open_read_only(data / SPOOL_FILE) as spool:
        keys = [AcceptedIdempotencyKey(*row) for row in spool.execute(_KEYS)]
        known = SpoolRecords(keys, [MonthlyUsage(*row) for row in spool.execute(_USAGE)])
        identity = read_spool_counts(spool).spool
    stamp = inspect_installation(data, must_check_damage=False).metadata.stamp
    assert stamp is not None
    take_over_metadata(data / DATABASE_FILE, dsn, _THERE, MovedSpool(identity, stamp, known), lambda: None)
    spec = find_spec("pgserver")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    program = Path(spec.submodule_search_locations[0]) / "pginstall" / "bin" / "pg_dump"
    words = [program, "--inserts", "--no-owner", "--no-privileges", "--dbname", dsn]
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(("\\restrict", "\\unrestrict")))
