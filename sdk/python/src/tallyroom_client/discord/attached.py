"""What `attach` returns."""

from collections.abc import Callable
from typing import Any

from tallyroom_client.discord.stats_command import StatsCommand


class Attached:
    """The connection between a bot and its events, until `detach`."""

    def __init__(self, detach: Callable[[], None], stats_command: StatsCommand | None) -> None:
        self._detach: Callable[[], None] | None = detach
        self._stats_command = stats_command

    def detach(self) -> None:
        """Leave the bot as it was; what was recorded is still sent. A second call does nothing."""
        if self._detach is not None:
            self._detach()
            self._detach = None

    def command(self, tree: Any, name: str = "stats", *, dashboard: str) -> None:
        """Add a slash command that shows a public dashboard as a picture, only to the person who asks.

        Args:
            tree: The `CommandTree` of a bot of discord.py; of any other library, the bot.
            name: The name of the command.
            dashboard: The slug of a public dashboard, the last part of its address.

        Raises:
            TypeError: The bot is one of hikari, which has no command framework.
        """
        if self._stats_command is None:
            raise TypeError("hikari has no command framework; show the picture in a command of your framework")
        self._stats_command.add_to(tree, name, dashboard)
