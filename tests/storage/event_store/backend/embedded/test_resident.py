"""Only memory that nobody can have changed is given back, and the engine goes on."""

import subprocess
import sys

import pytest

from harness.stores.event_store import EventStore, event, fresh_scope
from tallyroom.storage.event_store.backend.embedded.resident import (
    MappedRegion,
    give_back_code,
    list_engine_regions,
    parse_unchanged_regions,
)

SMAPS = """\
7f0000000000-7f0000001000 r--p 00000000 fe:00 12 /lib/engine.so
Rss:                   4 kB
Anonymous:             0 kB
7f0000001000-7f0000005000 r-xp 00001000 fe:00 12 /lib/engine.so
Rss:                  12 kB
Anonymous:             0 kB
VmFlags: rd ex mr mw me
7f0000005000-7f0000006000 r--p 00005000 fe:00 12 /lib/engine.so
Rss:                   4 kB
Anonymous:             4 kB
7f0000006000-7f0000007000 rw-p 00006000 fe:00 12 /lib/engine.so
Rss:                   0 kB
Anonymous:             0 kB
7f0000007000-7f0000008000 r-xp 00000000 fe:00 13 /lib/engine.so.1
Rss:                   4 kB
Anonymous:             0 kB
7f0000008000-7f0000009000 rw-p 00000000 00:00 0
Rss:                   4 kB
Anonymous:             0 kB
"""


def test_only_what_nobody_can_have_changed_is_given_back() -> None:
    assert parse_unchanged_regions(SMAPS.splitlines(keepends=True), "/lib/engine.so") == [
        MappedRegion(0x7F0000000000, 0x7F0000001000, 4),
        MappedRegion(0x7F0000001000, 0x7F0000005000, 12),
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says what is in memory")
def test_the_engine_goes_on_with_less_memory(event_store: EventStore) -> None:
    scope = fresh_scope()
    before = sum(each.resident_kb for each in list_engine_regions())
    give_back_code()
    assert sum(each.resident_kb for each in list_engine_regions()) < before
    event_store.insert([event(scope)])
    assert event_store.count(scope) == 1


def test_a_process_without_the_engine_does_not_load_it() -> None:
    program = f"import sys; from {give_back_code.__module__} import give_back_code as give; give(); print('chdb' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert answer.stdout == "False\n"
