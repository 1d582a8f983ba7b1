"""What `harness.servers.preloaded` loads: all that a server imports.

Two things are left out: the event engine, whose threads no fork has, and the commands, which take their settings when
they are loaded (`harness.servers.serve`).
"""

import gc
import sys
from importlib import import_module

for _name in (
    "harness.servers.at_time",
    "harness.servers.preloaded",
    "harness.servers.serve",
    "tallyroom.server.app",
    "tallyroom.server.chores",
    "tallyroom.server.dependencies",
    "tallyroom.server.opening",
    "tallyroom.server.serve",
    "tallyroom.server.services",
    "tallyroom.server.workers.child",
):
    import_module(_name)

assert not {"chdb", "tallyroom.cli.serve"} & set(sys.modules)
gc.collect()
gc.freeze()
