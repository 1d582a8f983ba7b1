"""The names of buttons, selects and modals: what is left of an id without the part that varies."""

import re

_BEFORE_VARIABLE_PART = re.compile(r"[^:_\d]*")
_GENERATED_ID = re.compile(r"[0-9a-f]{32}")


def component_name(custom_id: str) -> str | None:
    """Return the id up to the first `:`, `_` or digit; None if it begins with one, or if a library made it up.

    Ids often contain those of users and messages: `poll:1234:yes` becomes `poll`.
    """
    if _GENERATED_ID.fullmatch(custom_id):
        return None
    match = _BEFORE_VARIABLE_PART.match(custom_id)
    return match.group() or None if match else None
