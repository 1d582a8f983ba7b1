"""The engine's own limit: the same rows, inserted by the same driver in full blocks, with nothing in front.

``python -m bench.engine FOLDER`` prints the bytes that the events of a stopped server take, in a process of its own
because one process can hold one event store. Parts that a merge has replaced and that wait for their deletion (eight
minutes) are left out.
"""

import subprocess
import sys
import time
from pathlib import Path

import msgspec

from tallyroom.core.clock import SystemClock
from tallyroom.ingest.validation.fast import parse
from tallyroom.storage.event_store.backend.embedded.backend import EmbeddedBackend
from tallyroom.storage.event_store.migrate import migrate
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.spool.row import SpoolRow, build_chunks

_BLOCK_BYTES = 6_000_000
_WORKSPACE = "0192f0f0-0000-7000-8000-000000000001"


def stored_bytes(folder: Path) -> int:
    """Bytes on disk of the events in the store at `folder`."""
    command = [sys.executable, "-m", "bench.engine", str(folder)]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def engine_rows_per_second(folder: Path, bodies: list[bytes]) -> float:
    """Rows a second of bulk insert."""
    now_ms = SystemClock().now_ms()
    events = [event for body in bodies for event in parse(body, now_ms)]
    rows = [
        SpoolRow(
            _WORKSPACE,
            "production",
            event.timestamp_ms,
            now_ms,
            1,
            seq,
            event.name,
            event.actor,
            event.label,
            event.source,
            msgspec.Raw(event.properties),
            narrowed=None,
        )
        for seq, event in enumerate(events)
    ]
    lines = build_chunks(rows)[0].body.splitlines(keepends=True)
    lines_per_block = len(lines) * _BLOCK_BYTES // sum(map(len, lines))
    writer = Writer(EmbeddedBackend(folder))
    migrate(writer)
    best_rate = 0.0
    for attempt in range(6):
        started = time.perf_counter()
        for first_line in range(0, len(lines), lines_per_block):
            block = lines[first_line : first_line + lines_per_block]
            writer.insert_events(b"".join(block), f"bench-{attempt}-{first_line}")
        best_rate = max(best_rate, len(lines) / (time.perf_counter() - started))
    writer.close()
    return best_rate


if __name__ == "__main__":
    _writer = Writer(EmbeddedBackend(Path(sys.argv[1])))
    sys.stdout.write(_writer.command("SELECT sum(bytes_on_disk) FROM system.parts WHERE active"))
