"""Rows of the lists of actors and groups (rules/actors-and-groups#actor-list)."""

import msgspec


class ActorRow(msgspec.Struct, rename="camel", frozen=True):
    """One actor in a list: counts and times are of the listed events, the label is the newest ever sent."""

    actor_key: str
    label: str | None
    event_count: int
    first_seen: str
    last_seen: str


class GroupRow(msgspec.Struct, rename="camel", frozen=True):
    """One group in a list: count and time are of the listed events."""

    group_key: str
    event_count: int
    last_seen: str
