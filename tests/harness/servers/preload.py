"""What `harness.servers.preloaded` loads: all that a server imports, but for the event engine, whose threads no fork has."""

import gc
import sys
from importlib import import_module

for _name in (
    "harness.servers.at_time",
    "harness.servers.preloaded",
    "harness.servers.serve",
    "tallyroom.cli.serve",
    "tallyroom.server.app",
    "tallyroom.server.chores",
    "tallyroom.server.dependencies",
    "tallyroom.server.opening",
    "tallyroom.server.serve",
    "tallyroom.server.services",
    "tallyroom.server.workers.child",
):
    import_module(_name)

assert "chdb" not in sys.modules
gc.collect()
gc.freeze()
