"""The regular expressions of a request, checked beside the event loop, and only when they arrive.

What is stored was checked when it was saved: nothing is compiled for a saved widget or segment.
"""

from collections.abc import Iterator, Sequence

import msgspec

from tallyroom.core.errors import ValidationFailed
from tallyroom.core.side_thread import SideThread
from tallyroom.engine.filters import Filter
from tallyroom.engine.regex import first_wrong

Path = Sequence[str | int]

_thread = SideThread("regex", most_waiting=32)


async def check_patterns(sent: object, path: Path) -> None:
    """Refuse what is no regular expression, and more of them than a request may have.

    Args:
        sent: a config, or filters, as a client sent them and `check_filters` let them pass.
        path: where it stands in the request.

    Raises:
        ValidationFailed: names the first filter that is wrong and says why.
        Unavailable: too many others wait to be checked.
    """
    patterns = list(patterns_in(sent, path))
    if patterns and (wrong := await _thread.run(first_wrong, [text for _, text in patterns])):
        at, _ = patterns[wrong.at]
        raise ValidationFailed.at([*at], wrong.reason)


def patterns_in(sent: object, path: Path) -> Iterator[tuple[Path, str]]:
    """Every regular expression of the filters in a config, and where it stands in the request."""
    if isinstance(sent, Filter):
        if sent.op == "regex":
            yield [*path, "value"], str(sent.value)
    elif isinstance(sent, msgspec.Struct):
        for field in msgspec.structs.fields(sent):
            yield from patterns_in(getattr(sent, field.name), [*path, field.encode_name])
    elif isinstance(sent, list | tuple):
        for index, each in enumerate(sent):
            yield from patterns_in(each, [*path, index])
