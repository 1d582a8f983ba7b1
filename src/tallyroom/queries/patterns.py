"""Checks the regular expressions of a request, off the event loop and only when they arrive.

Saved widgets and segments were checked when they were saved, so nothing is compiled for them again.
"""

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import UNSET

from tallyroom.core.errors import ValidationFailed
from tallyroom.core.side_thread import SideThread
from tallyroom.queries.filters import Filter
from tallyroom.queries.regex import first_wrong

Path = Sequence[str | int]

_thread = SideThread("regex", most_waiting=32)


async def check_patterns(sent: object, path: Path) -> None:
    """Refuse invalid regular expressions, and more of them than a request may have.

    Args:
        sent: a config or filters that a client sent and that `check_filters` has accepted.
        path: the path of `sent` in the request.

    Raises:
        ValidationFailed: names the first wrong filter and says why.
        Unavailable: too many other requests are waiting for this check.
    """
    patterns = list(patterns_in(sent, path))
    if patterns and (wrong := await _thread.run(first_wrong, [text for _, text in patterns])):
        at, _ = patterns[wrong.at]
        raise ValidationFailed.at([*at], wrong.reason)


def patterns_in(sent: object, path: Path) -> Iterator[tuple[Path, str]]:
    """Yield every regular expression in a config's filters, with its path in the request."""
    if isinstance(sent, Filter) and sent.any is UNSET:
        if sent.op == "regex":
            yield [*path, "value"], str(sent.value)
    elif isinstance(sent, msgspec.Struct):
        for field in msgspec.structs.fields(sent):
            yield from patterns_in(getattr(sent, field.name), [*path, field.encode_name])
    elif isinstance(sent, list | tuple):
        for index, each in enumerate(sent):
            yield from patterns_in(each, [*path, index])
