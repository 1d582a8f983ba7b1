"""Labels that the public must not see (rules/boards#masked-names)."""

from collections.abc import Collection

from tallyroom.engine.keys import PROPERTY_PREFIX
from tallyroom.engine.kind import MASK

_NOT_PUBLIC = frozenset({"_actor", "_actorLabel", "_source"})


def is_masked(key: str | None, group_keys: Collection[str]) -> bool:
    """Return True if the labels of a breakdown by `key` are actors, groups or sources."""
    return key is not None and (key in _NOT_PUBLIC or key.removeprefix(PROPERTY_PREFIX) in group_keys)


def masked_label(number: int) -> str:
    """Return what the public sees instead of a label: ``••• 1`` for the first, ``••• 2`` for the second one."""
    return f"{MASK} {number}"
