"""The options of `tallyroom import` that say how it remembers the ids of rows."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter

from tallyroom.cli.column_options import OptionUnknown
from tallyroom.import_export.ids.ledger import UnsettledDecision

_STATE_FILE: Final = Path("tallyroom", "imported.sqlite")


@dataclass(frozen=True)
class IdOptions:
    """The options that accompany `--id`."""

    state: Annotated[
        Path | None,
        Parameter(show_default=False, help="File that remembers ids; by default one in the state directory."),
    ] = None
    decision: Annotated[
        UnsettledDecision | None,
        Parameter(name="--unsettled", help="What to do with rows if nobody knows whether they count."),
    ] = None

    @property
    def state_path(self) -> Path:
        """The file that remembers ids."""
        return self.state or default_state_path()

    def check(self, column: str) -> None:
        """Check that these options have an effect.

        Raises:
            OptionUnknown: one of them is given without `--id`.
        """
        for option, value in (("--state", self.state), ("--unsettled", self.decision)):
            if value is not None and not column:
                raise OptionUnknown(f"{option} has no effect without --id COLUMN.")


def default_state_path() -> Path:
    """The file in the user's state directory, as the XDG Base Directory Specification says."""
    state_home = os.environ.get("XDG_STATE_HOME", "")
    # A relative path is invalid.
    folder = Path(state_home) if Path(state_home).is_absolute() else Path.home() / ".local" / "state"
    return folder / _STATE_FILE
