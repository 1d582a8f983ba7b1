"""`component_used`: buttons, selects and modals."""

from collections.abc import Callable

from tallyroom_client.discord.place import Actor, Place
from tallyroom_client.discord.recorder import Recorder

BUTTON_TYPE = 2

ComponentName = Callable[[str], str | None]
"""Returns what events call a component with this id, None for no name."""


def record_component(  # one for each property
    recorder: Recorder, name_of: ComponentName, custom_id: str, kind: str, actor: Actor, place: Place
) -> None:
    """Send the use of a component: `kind` is button, select or modal."""
    recorder.record("component_used", {"custom_id": name_of(custom_id), "kind": kind}, place=place, actor=actor)
