"""`tallyroom` by a `WallClock`: the first word is its file, the second names servers, as for `serving`.

The monotonic clock stays the machine's, so what a server does every second it does every second.
"""

import sys
from pathlib import Path

import msgspec

from harness.servers.serve import name_servers
from harness.servers.wall_clock import WallClock
from tallyroom.cli.main import main
from tallyroom.core.clock import SystemClock


def go_by(clock: WallClock, *, shared: bool) -> None:
    """Let this process take its time from the clock, also in place of the database's if that is `shared`."""
    SystemClock.now_ms = lambda self: clock.now_ms()  # type: ignore[method-assign] # its signature
    if shared:
        from tallyroom.cluster.postgresql.worker_registry import WorkerRegistry  # noqa: PLC0415 # needs the driver

        WorkerRegistry.now_ms = lambda self: clock.now_ms()  # type: ignore[method-assign] # as above


if __name__ == "__main__":
    named = msgspec.json.decode(sys.argv.pop(2), type=dict[str, str])
    go_by(WallClock(Path(sys.argv.pop(1))), shared="db_dsn" in named)
    name_servers(named)
    main()
