"""`command_used`, and how long commands run."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from tallyroom_client.bots.durations import Durations
from tallyroom_client.discord.place import Actor, Place
from tallyroom_client.discord.recorder import Recorder

KIND_BY_TYPE = {1: "slash", 2: "user", 3: "message"}
"""The kinds of Discord's application commands; a command in a message's text is `prefix`."""

_SUBCOMMAND_TYPES = (1, 2)
_RUNNING_LIMIT = 10_000
"""So many commands are timed at once; one that never ends makes room for a later one."""


class CommandUse(NamedTuple):
    """One use of a command; `id` is Discord's, of the interaction or the message."""

    id: int
    command: str
    kind: str
    actor: Actor
    place: Place
    locale: str | None = None
    user_install: bool | None = None


class Commands:
    """Counts commands when they begin, so that one that fails or never ends counts too."""

    def __init__(self, recorder: Recorder, clock: Callable[[], float]) -> None:
        self._recorder = recorder
        self._clock = clock
        self._beginnings: dict[int, float] = {}
        self._durations = Durations()
        self._count = 0

    def begin(self, use: CommandUse) -> None:
        """Send `command_used`, and start to measure its time."""
        if len(self._beginnings) >= _RUNNING_LIMIT:
            del self._beginnings[next(iter(self._beginnings))]
        self._beginnings[use.id] = self._clock()
        self._count += 1
        properties = {
            "command": use.command,
            "kind": use.kind,
            "guild_size": use.place.size(),
            "locale": use.locale,
            "user_install": use.user_install,
        }
        self._recorder.record("command_used", properties, place=use.place, actor=use.actor)

    def end(self, use_id: int) -> None:
        """Note how long a command ran; libraries may report an end more than once."""
        beginning = self._beginnings.pop(use_id, None)
        if beginning is not None:
            self._durations.add((self._clock() - beginning) * 1000)

    def take_statistics(self) -> dict[str, Any]:
        """Return the properties of `bot_stats` about the commands since this was last called."""
        median, percentile_95 = self._durations.take_percentiles(50, 95)
        count, self._count = self._count, 0
        return {"commands": count, "command_ms_p50": median, "command_ms_p95": percentile_95}


def command_path(name: str, options: Iterable[Mapping[str, Any]]) -> str:
    """Return a command with its group and subcommand, as in `config set`; what people entered is not looked at."""
    for option in options:
        if option["type"] in _SUBCOMMAND_TYPES:
            return f"{name} {command_path(option['name'], option.get('options', ()))}"
    return name
