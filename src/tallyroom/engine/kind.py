"""What a kind of widget is: one file in `kinds/`, one line in `registry.py`."""

from collections.abc import Callable, Collection, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from tallyroom.engine.config import Config, Display, Result
from tallyroom.engine.query_plan import QueryPlan
from tallyroom.engine.question import Question
from tallyroom.engine.window import Window

C = TypeVar("C", bound=Config)
Path = Sequence[str | int]

MASK = "•••"
"""What the public sees instead of an actor, a group or a source."""


class Kind(msgspec.Struct, Generic[C], frozen=True, kw_only=True):
    """One kind of widget.

    Attributes:
        name: as in a widget's `type`.
        config: what a widget of this kind takes.
        results: what it may answer.
        check: refuses a config whose fields do not fit together; gets the path of the config in the request.
        query_plan: how the answer is found. Pure: it yields queries and is sent rows.
        display: what a public page may know about the config.
        published: the answer as the public may see it; gets the property keys whose values are groups.
        since: the first millisecond of which an event may count in the answer; None where none does.
    """

    name: str
    config: type[C]
    results: tuple[type[Result], ...]
    check: Callable[[C, Path], None]
    query_plan: Callable[[C, Question], QueryPlan[Any]]
    display: Callable[[C], Display]
    published: Callable[[C, Any, Collection[str]], Result]
    since: Callable[[C, Window], int | None] = lambda _config, window: window.from_ms


def as_it_is(_config: Any, result: Any, _group_keys: Collection[str]) -> Result:
    """`published` of a kind whose answers hold nothing but numbers and names of events."""
    found: Result = result
    return found


def no_display(_config: Any) -> Display:
    """`display` of a kind that is shown in one way only."""
    return Display()
