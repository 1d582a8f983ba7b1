"""Observes the events of discord.py, py-cord, nextcord and disnake, which all pass through a function `dispatch`."""

from collections.abc import Callable, Mapping
from typing import Any

from tallyroom_client.discord.attached import Attached

Observer = Callable[..., None]


class DispatchWrapper:
    """Takes the place of `owner.dispatch`: calls an observer, then what was there before.

    A bot and its connection each have a reference to `dispatch`; every event passes through one of them.
    """

    __slots__ = ("_is_own_attribute", "_observers", "_original", "_owner", "attachment")

    def __init__(self, owner: Any, observers: Mapping[str, Observer], attachment: Attached) -> None:
        self._owner = owner
        self._observers = observers
        self._is_own_attribute = "dispatch" in vars(owner)
        self._original: Callable[..., Any] = owner.dispatch
        self.attachment = attachment
        owner.dispatch = self

    def __call__(self, event: str, /, *args: Any, **kwargs: Any) -> Any:
        """Pass an event on."""
        observer = self._observers.get(event)
        if observer is not None:
            observer(*args)
        return self._original(event, *args, **kwargs)

    def remove(self) -> None:
        """Put the original back; below another wrapper, only let events pass."""
        self._observers = {}
        if vars(self._owner).get("dispatch") is not self:
            return
        if self._is_own_attribute:
            self._owner.dispatch = self._original
        else:
            del self._owner.dispatch
