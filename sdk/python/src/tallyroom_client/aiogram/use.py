"""What a handler took an update for, as its filters know it."""

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from aiogram.types import CallbackQuery

from tallyroom_client.bots.component_ids import component_name


@dataclass
class Use:
    """A command or a button. Text that no command filter accepted is neither: it is what somebody wrote."""

    command: str | None = None
    is_component: bool = False
    component: str | None = None

    def note(self, event: Any, data: Mapping[str, Any]) -> None:
        """Read what the filters of a handler found."""
        self.command = _command_name(data.get("command"))
        self.is_component = isinstance(event, CallbackQuery)
        self.component = component_name(event.data or "") if isinstance(event, CallbackQuery) else None

    def forget(self) -> None:
        """Note that the handler passed the update on to the next one."""
        self.command, self.is_component, self.component = None, False, None


current_use: ContextVar[Use | None] = ContextVar("tallyroom_use", default=None)
"""The use of the update that this task handles."""


def _command_name(command: Any) -> str | None:
    """Return the name of a command; of one that a pattern accepts, the part that does not vary."""
    name: str | None = getattr(command, "command", None)
    if name is not None and getattr(command, "regexp_match", None) is not None:
        return component_name(name)
    return name
