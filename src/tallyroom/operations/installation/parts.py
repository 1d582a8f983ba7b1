"""The three parts of an installation, and the state in which each was found."""

from dataclasses import dataclass
from typing import Literal

from tallyroom.core.data_directory import DATABASE_FILE, SPOOL_FILE, STORE_FOLDER
from tallyroom.core.errors import ServerAway
from tallyroom.storage.stamp import Stamp

PartName = Literal["metadata", "spool", "event store"]

PATH_BY_PART: dict[PartName, str] = {"metadata": DATABASE_FILE, "spool": SPOOL_FILE, "event store": STORE_FOLDER}
"""The path of each part in the data directory."""


@dataclass(frozen=True)
class FoundPart:
    """One of the three parts of an installation.

    Attributes:
        absence: how the part is absent, such as ``is missing``; empty if it exists.
        damage: what is wrong with the part, in a few words; empty if no damage is known.
        stamp: the stamp of the part; None until a server of this version has started on it.
        is_on_server: whether it is on a separate server instead of in the data directory.
        away_error: the error of a server that does not answer, so that nothing else is known; None if it does.
    """

    name: PartName
    absence: str = ""
    damage: str = ""
    stamp: Stamp | None = None
    is_on_server: bool = False
    away_error: ServerAway | None = None

    @property
    def is_usable(self) -> bool:
        """Whether the part exists and is undamaged."""
        return not (self.absence or self.damage or self.away_error)

    @property
    def location(self) -> str:
        """Where the part is, for an operator."""
        return "on its server" if self.is_on_server else PATH_BY_PART[self.name]
