"""Checks the regular expressions of a request, off the event loop; saved ones were checked when they were saved."""

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import UNSET

from tallyroom.core.errors import ValidationFailed
from tallyroom.core.offload import SideThread
from tallyroom.queries.filters import Filter
from tallyroom.queries.regex import find_wrong_pattern

Path = Sequence[str | int]

_thread = SideThread("regex", max_waiting=32)


async def check_patterns(request_part: object, path: Path) -> None:
    """Refuse invalid regular expressions, or more of them than a request may have, after `check_filters`.

    Raises `ValidationFailed` with the first wrong filter under `path`, or `Unavailable` if too many checks are waiting.
    """
    patterns = list(find_patterns(request_part, path))
    if patterns and (wrong_pattern := await _thread.run(find_wrong_pattern, [text for _, text in patterns])):
        pattern_path, _ = patterns[wrong_pattern.pattern_index]
        raise ValidationFailed.at([*pattern_path], wrong_pattern.reason)


def find_patterns(request_part: object, path: Path) -> Iterator[tuple[Path, str]]:
    """Yield every regular expression in a config's filters, with its path in the request."""
    if isinstance(request_part, Filter) and request_part.any is UNSET:
        if request_part.op == "regex":
            yield [*path, "value"], str(request_part.value)
    elif isinstance(request_part, msgspec.Struct):
        for field in msgspec.structs.fields(request_part):
            yield from find_patterns(getattr(request_part, field.name), [*path, field.encode_name])
    elif isinstance(request_part, list | tuple):
        for index, element in enumerate(request_part):
            yield from find_patterns(element, [*path, index])
