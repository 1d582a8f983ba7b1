"""The regular expressions of a request, checked beside the event loop, and only when they arrive.

What is stored was checked when it was saved: nothing is compiled for a saved widget or segment.
"""

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import msgspec

from tallyroom.core.errors import Unavailable, ValidationFailed
from tallyroom.engine.filters import Filter
from tallyroom.engine.regex import first_wrong

Path = Sequence[str | int]

MOST_WAITING = 32
_RETRY_AFTER = 1


class _Checker:
    """One thread, and a bound on what may wait for it; a check takes a few milliseconds at most."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "regex")
        self._waiting = 0

    async def check(self, patterns: Sequence[tuple[Path, str]]) -> None:
        if self._waiting >= MOST_WAITING:
            raise Unavailable("Too many regular expressions wait to be checked. Ask again.", _RETRY_AFTER)
        texts = [text for _, text in patterns]
        self._waiting += 1
        try:
            wrong = await asyncio.get_running_loop().run_in_executor(self._thread, first_wrong, texts)
        finally:
            self._waiting -= 1
        if wrong is not None:
            place, _ = patterns[wrong.at]
            raise ValidationFailed.at([*place], wrong.reason)


_checker = _Checker()


async def check_patterns(sent: object, path: Path) -> None:
    """Refuse what is no regular expression, and more of them than a request may have.

    Args:
        sent: a config, or filters, as a client sent them and `check_filters` let them pass.
        path: where it stands in the request.

    Raises:
        ValidationFailed: names the first filter that is wrong and says why.
        Unavailable: too many others wait to be checked.
    """
    if patterns := list(patterns_in(sent, path)):
        await _checker.check(patterns)


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
