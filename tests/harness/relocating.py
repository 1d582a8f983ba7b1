"""`tallyroom migrate-store` from a data directory to the servers of several workers."""

import json
import os
import subprocess
import sys
from contextlib import closing

from harness.child import WITH_HARNESS
from harness.one_of_several import Several
from harness.patience import PATIENCE
from tallyroom.relocation.tables import MOVED_TABLES
from tallyroom.store.backend.opening import open_backend
from tallyroom.store.writer import Writer

WORKER = "new/workers/0"


def contents(writer: Writer) -> dict[str, str]:
    """All rows of all tables of a store."""
    return {
        table.name: writer.command(f"SELECT {', '.join(table.stored)} FROM {table.rows} ORDER BY ALL")
        for table in MOVED_TABLES
    }


class Relocating:
    """The move of `old`.

    Args:
        several: the servers, and the folder with `old`.
        kept: what the store in `old` has.
    """

    def __init__(self, several: Several, kept: dict[str, str]) -> None:
        self.several = several
        self.old = several.folder / "old"
        self.new = several.folder / "new"
        self.kept = kept

    def move(self, failpoint: str = "", **servers: str) -> "subprocess.CompletedProcess[str]":
        """The command, with other settings if given, to its end or to a failpoint that kills it."""
        settings = self.several.settings(WORKER)
        named = {name: getattr(settings, name) for name in ("db_dsn", "events_dsn", "events_reader", "secret_key")}
        words = ["migrate-store", "--from", str(self.old), "--data", str(self.new)]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TALLYROOM_")}
        environment |= {"TALLYROOM_TESTING": "true", "TALLYROOM_FAILPOINTS": failpoint}
        return subprocess.run(
            [sys.executable, "-m", "harness.serving", json.dumps(named | servers), *words],
            env=environment | WITH_HARNESS,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def found(self) -> dict[str, str]:
        """What the store on the server has."""
        with closing(Writer(open_backend(self.several.settings(WORKER)))) as writer:
            return contents(writer)
