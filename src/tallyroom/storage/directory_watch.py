"""Detects that the data directory, or something in it, is no longer where it was (rules/safety#moved-directory)."""

import logging
from pathlib import Path

from tallyroom.core.data_directory import DATABASE_FILE, LOCK_FILE, SPOOL_FILE, STORE_FOLDER
from tallyroom.storage.file_identity import Astray, FileIdentities, paths_with_log

_log = logging.getLogger(__name__)


class DirectoryWatch:
    """Watches a data directory whose parts this process has open; its current state counts as correct."""

    def __init__(self, data_folder: Path) -> None:
        self._data_folder = data_folder
        paths = [
            data_folder / STORE_FOLDER,
            *paths_with_log(data_folder / SPOOL_FILE),
            *paths_with_log(data_folder / DATABASE_FILE),
            data_folder / LOCK_FILE,
        ]
        self._file_identities = FileIdentities(data_folder, *paths)
        self.missing_name = ""  # what the last check did not find in its place; "" if everything was there

    def check(self) -> str:
        """Check everything, log changes, and return `missing_name`."""
        path = self._file_identities.find_astray()
        missing_name = "" if path is None else "the data directory" if path == self._data_folder else path.name
        if missing_name and missing_name != self.missing_name:
            _log.error(
                "the data directory was moved, deleted or replaced: nothing is accepted until it is back",
                extra={"directory": str(self._data_folder), "missing": missing_name},
            )
        elif self.missing_name and not missing_name:
            _log.warning("the data directory is back", extra={"directory": str(self._data_folder)})
        self.missing_name = missing_name
        return missing_name

    def refuse_astray(self) -> None:
        """Raise `Astray` if the last check found something out of place."""
        if self.missing_name:
            raise Astray
