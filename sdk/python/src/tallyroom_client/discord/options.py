"""What a bot's author chooses when attaching."""

from dataclasses import dataclass

from tallyroom_client.bots.component_ids import component_name
from tallyroom_client.discord.components import ComponentName


@dataclass(frozen=True)
class Options:
    """The keyword arguments of `attach`, which documents them."""

    stats: float | None = 60
    labels: bool = False
    messages: bool = False
    error_messages: bool = False
    component: ComponentName = component_name
    counts_token: str | None = None
