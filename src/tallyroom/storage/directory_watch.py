"""Notices when the data directory, or something in it, is no longer where it was (rules/safety#moved-directory)."""

import logging
from pathlib import Path

from tallyroom.core.data_directory import DATABASE_FILE, LOCK_FILE, SPOOL_FILE, STORE_FOLDER
from tallyroom.storage.file_identity import Astray, Whereabouts, with_log

_log = logging.getLogger(__name__)


class DirectoryWatch:
    """Watches a data directory whose parts this process has open.

    Args:
        data: the directory; its current state counts as correct.

    Attributes:
        astray: the name of what the last look did not find in its place; "" if everything was there.
    """

    def __init__(self, data: Path) -> None:
        self._data = data
        parts = [data / STORE_FOLDER, *with_log(data / SPOOL_FILE), *with_log(data / DATABASE_FILE), data / LOCK_FILE]
        self._whereabouts = Whereabouts(data, *parts)
        self.astray = ""

    def look(self) -> str:
        """Look at everything, log what has changed, and return `astray`."""
        path = self._whereabouts.astray()
        astray = "" if path is None else "the data directory" if path == self._data else path.name
        if astray and astray != self.astray:
            _log.error(
                "the data directory was moved, deleted or replaced: nothing is taken until it is back",
                extra={"directory": str(self._data), "missing": astray},
            )
        elif self.astray and not astray:
            _log.warning("the data directory is back", extra={"directory": str(self._data)})
        self.astray = astray
        return astray

    def refuse_astray(self) -> None:
        """Refuse if the last look found something astray.

        Raises:
            Astray: something was not in its place.
        """
        if self.astray:
            raise Astray
