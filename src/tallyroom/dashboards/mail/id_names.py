"""Names of properties whose numbers are ids, which people copy and do not add up (rules/boards#ids-in-tables)."""

import re

_ID_KEY_PATTERN = re.compile(r"(?:^|[\W_])[iI][dD]\Z|[^\W_]Id\Z|[a-z0-9]ID\Z")


def is_id_key(key: str) -> bool:
    """Return True if the last word of a key is `id`; web/src/core/ids.ts has the same rule."""
    return _ID_KEY_PATTERN.search(key) is not None


def is_id_measure(measure: str, key: str | None) -> bool:
    """Return True if a measure of a property returns an id: the least or the greatest of them."""
    return measure in {"min", "max"} and is_id_key(key or "")
