"""`tallyroom migrate-store` from a data directory to the servers of several workers, and back."""

from contextlib import closing
from pathlib import Path

from harness.command import Done, tallyroom
from harness.one_of_several import Several
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

    def move(self, failpoint: str = "", **servers: str) -> Done:
        """The command, with other settings if given, to its end or to a failpoint that kills it."""
        words = "migrate-store", "--from", self.old, "--data", self.new
        return tallyroom(*words, servers=self.several.servers | servers, testing="true", failpoints=failpoint)

    def back(self, new: Path, failpoint: str = "") -> Done:
        """The command that moves it back to a new directory."""
        words = "migrate-store", "--to", new, "--data", self.new
        return tallyroom(*words, servers=self.several.servers, testing="true", failpoints=failpoint)

    def found(self) -> dict[str, str]:
        """What the store on the server has."""
        with closing(Writer(open_backend(self.several.settings(WORKER)))) as writer:
            return contents(writer)
