"""Clones of tables on a server, which keep the rows of one moment, and share their files with their tables."""

from collections.abc import Iterable

from tallyroom.storage.event_store.writer import Writer

_PREFIX = "backup_"
NO_CLONE = f"NOT startsWith(table, '{_PREFIX}')"  # excludes the parts of clones from `system.parts`

_NO_SIZE_LIMIT = "max_table_size_to_drop = 0"  # without it, a server refuses to drop tables over 50 GB
_LIST_CLONES = "SELECT name FROM system.tables WHERE database = currentDatabase() AND startsWith(name, {prefix:String})"
_SUM_BYTES = (
    "SELECT sum(bytes_on_disk) FROM system.parts"
    " WHERE active AND database = currentDatabase() AND startsWith(table, {prefix:String})"
)


class Clones:
    """Clones that are created together; `name` distinguishes them from others, in letters and digits."""

    def __init__(self, writer: Writer, name: str) -> None:
        self._writer = writer
        self._name_prefix = f"{_PREFIX}{name}_"

    def create(self, tables: Iterable[str]) -> None:
        """Clone tables, each at a different moment after the call; after a `StoreError`, some clones may exist."""
        for table in tables:
            self._writer.command(f"CREATE TABLE `{self.clone_name(table)}` CLONE AS `{table}`")

    def clone_name(self, table: str) -> str:
        """Return the name of a table's clone."""
        return f"{self._name_prefix}{table}"

    def count_bytes(self) -> int:
        """Return the size of the clones in bytes."""
        return int(self._writer.command(_SUM_BYTES, {"prefix": self._name_prefix}))

    def drop(self) -> None:
        """Drop the existing clones."""
        _drop(self._writer, self._name_prefix)


def list_clones(writer: Writer) -> list[str]:
    """Return the names of all existing clones."""
    return writer.command(_LIST_CLONES, {"prefix": _PREFIX}).split()


def drop_all_clones(writer: Writer) -> None:
    """Drop all clones, including other processes' clones."""
    _drop(writer, _PREFIX)


def _drop(writer: Writer, prefix: str) -> None:
    for table in writer.command(_LIST_CLONES, {"prefix": prefix}).split():
        writer.command(f"DROP TABLE IF EXISTS `{table}` SYNC SETTINGS {_NO_SIZE_LIMIT}")
