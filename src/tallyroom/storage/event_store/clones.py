"""Clones of tables on a server: they keep the rows of one moment, whatever is inserted, deleted or merged afterwards.

A clone shares its files with its table. It takes no space until the table merges or deletes what they have in common.
"""

from collections.abc import Iterable

from tallyroom.storage.event_store.writer import Writer

_PREFIX = "backup_"
NO_CLONE = f"NOT startsWith(table, '{_PREFIX}')"
"""A condition for rows of `system.parts` of tables that are no clones."""

_NO_SIZE_LIMIT = "max_table_size_to_drop = 0"  # a server would keep one of more than 50 GB
_LIST_CLONES = "SELECT name FROM system.tables WHERE database = currentDatabase() AND startsWith(name, {prefix:String})"
_SUM_BYTES = (
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
        self._name_prefix = f"{_PREFIX}{name}_"

    def create(self, tables: Iterable[str]) -> None:
        """Clone tables, each at a moment of its own, which is later than this call.

        Raises:
            StoreError: the store failed; some of the clones may exist.
        """
        for table in tables:
            self._writer.command(f"CREATE TABLE `{self.clone_name(table)}` CLONE AS `{table}`")

    def clone_name(self, table: str) -> str:
        """Return the name of a table's clone."""
        return f"{self._name_prefix}{table}"

    def count_bytes(self) -> int:
        """Return how many bytes they have."""
        return int(self._writer.command(_SUM_BYTES, {"prefix": self._name_prefix}))

    def drop(self) -> None:
        """Drop those that exist."""
        _drop(self._writer, self._name_prefix)


def list_clones(writer: Writer) -> list[str]:
    """Return the names of all clones that exist."""
    return writer.command(_LIST_CLONES, {"prefix": _PREFIX}).split()


def drop_all_clones(writer: Writer) -> None:
    """Drop all clones, whoever made them."""
    _drop(writer, _PREFIX)


def _drop(writer: Writer, prefix: str) -> None:
    for table in writer.command(_LIST_CLONES, {"prefix": prefix}).split():
        writer.command(f"DROP TABLE IF EXISTS `{table}` SYNC SETTINGS {_NO_SIZE_LIMIT}")
