"""Labels that the public must not see (rules/boards#masked-names)."""

from collections.abc import Collection, Sequence
from typing import TypeVar

import msgspec

from tallyroom.queries.keys import GROUP, PROPERTY_PREFIX
from tallyroom.queries.kind import MASK

L = TypeVar("L", bound=msgspec.Struct)

_MASKED_KEYS = frozenset({"_actor", "_actorLabel", "_source", GROUP})


def is_masked(key: str | None, group_keys: Collection[str]) -> bool:
    """Return whether the labels of a breakdown by `key` are actors, groups or sources."""
    return key is not None and (key in _MASKED_KEYS or key.removeprefix(PROPERTY_PREFIX) in group_keys)


def mask_entries(entries: Sequence[L]) -> list[L]:
    """Return rows or series with ``••• 1`` in place of the first label and so on; missing labels stay missing."""
    return [
        entry if getattr(entry, "label", None) is None else msgspec.structs.replace(entry, label=f"{MASK} {number}")
        for number, entry in enumerate(entries, 1)
    ]
