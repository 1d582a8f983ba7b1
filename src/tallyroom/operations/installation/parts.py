"""The three parts of an installation, and the state in which each was found."""

from dataclasses import dataclass
from typing import Literal

from tallyroom.core.data_directory import DATABASE_FILE, SPOOL_FILE, STORE_FOLDER
from tallyroom.core.errors import ServerAway
from tallyroom.storage.stamp import Stamp

Name = Literal["metadata", "spool", "event store"]

PATHS: dict[Name, str] = {"metadata": DATABASE_FILE, "spool": SPOOL_FILE, "event store": STORE_FOLDER}
"""The path of each part in the data directory."""


@dataclass(frozen=True)
class FoundPart:
    """One of the three parts of an installation.

    Attributes:
        name: the name of the part.
        absent: in what way the part is absent, such as ``is missing``; empty if it is there.
        damage: what is wrong with the part, in a few words; empty if nothing is known to be.
        stamp: the stamp of the part; None until a server of this version has started on it.
        on_server: whether it is on a server of its own instead of in the data directory.
        away: the error of a server that does not answer, so that nothing else is known; None if it does.
    """

    name: Name
    absent: str = ""
    damage: str = ""
    stamp: Stamp | None = None
    on_server: bool = False
    away: ServerAway | None = None

    @property
    def usable(self) -> bool:
        """Whether the part is there and undamaged."""
        return not (self.absent or self.damage or self.away)

    @property
    def where(self) -> str:
        """Where the part is, for an operator."""
        return "on its server" if self.on_server else PATHS[self.name]
