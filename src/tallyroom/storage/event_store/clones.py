"""Clones of tables on a server: they keep the rows of one moment, whatever is inserted, deleted or merged afterwards.

A clone shares its files with its table. It takes no space until the table merges or deletes what they have in common.
"""

from collections.abc import Iterable

from tallyroom.storage.event_store.writer import Writer

_PREFIX = "backup_"
NO_CLONE = f"NOT startsWith(table, '{_PREFIX}')"
"""A condition for rows of `system.parts` of tables that are no clones."""

_HOWEVER_LARGE = "max_table_size_to_drop = 0"  # a server would keep one of more than 50 GB
_ALL = "SELECT name FROM system.tables WHERE database = currentDatabase() AND startsWith(name, {prefix:String})"
_BYTES = (
    "SELECT sum(bytes_on_disk) FROM system.parts"
    " WHERE active AND database = currentDatabase() AND startsWith(table, {prefix:String})"
)


class Clones:
    """Clones that are made together.

    Args:
        writer: the event store.
        name: distinguishes them from others, in letters and digits.
    """

    def __init__(self, writer: Writer, name: str) -> None:
        self._writer = writer
        self._start = f"{_PREFIX}{name}_"

    def make(self, tables: Iterable[str]) -> None:
        """Clone tables, each at a moment of its own, which is later than this call.

        Raises:
            StoreError: the store failed; some of the clones may exist.
        """
        for table in tables:
            self._writer.command(f"CREATE TABLE `{self.of(table)}` CLONE AS `{table}`")

    def of(self, table: str) -> str:
        """Return the name of a table's clone."""
        return f"{self._start}{table}"

    def size(self) -> int:
        """Return how many bytes they have."""
        return int(self._writer.command(_BYTES, {"prefix": self._start}))

    def drop(self) -> None:
        """Drop those that exist."""
        _drop(self._writer, self._start)


def clones_left(writer: Writer) -> list[str]:
    """Return the names of all clones that exist."""
    return writer.command(_ALL, {"prefix": _PREFIX}).split()


def drop_all_clones(writer: Writer) -> None:
    """Drop all clones, whoever made them."""
    _drop(writer, _PREFIX)


def _drop(writer: Writer, prefix: str) -> None:
    for table in writer.command(_ALL, {"prefix": prefix}).split():
        writer.command(f"DROP TABLE IF EXISTS `{table}` SYNC SETTINGS {_HOWEVER_LARGE}")
