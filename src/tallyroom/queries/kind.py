"""The interface of a widget kind. Each kind is one file in `kinds/` and one line in `registry.py`."""

from collections.abc import Callable, Collection, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from tallyroom.queries.config import Config, Display, Result, display_of
from tallyroom.queries.data_point import Spot
from tallyroom.queries.evidence import Evidence
from tallyroom.queries.query_plan import QueryPlan
from tallyroom.queries.question import Question
from tallyroom.queries.window import Window

C = TypeVar("C", bound=Config)
Path = Sequence[str | int]

MASK = "•••"
"""What the public sees instead of an actor, a group or a source."""


class Kind(msgspec.Struct, Generic[C], frozen=True, kw_only=True):
    """One kind of widget.

    Attributes:
        name: the `type` of its widgets.
        config: the struct of its configs.
        results: the structs that its answers can have.
        check: refuses a config whose fields do not fit together; receives the config's path in the request.
        query_plan: finds the answer. It is pure: it yields queries and is sent rows.
        display: the part of the config that a public page may know.
        published: the answer as the public may see it; receives the property keys whose values are groups.
        behind: finds the events that made one number of an answer; None if actors are behind none of its answers.
        covers: the time from which events can count in the answer; None if no event does.
    """

    name: str
    config: type[C]
    results: tuple[type[Result], ...]
    check: Callable[[C, Path], None]
    query_plan: Callable[[C, Question], QueryPlan[Any]]
    display: Callable[[C], Display] = display_of
    published: Callable[[C, Any, Collection[str]], Result]
    behind: Callable[[C, Question, Spot], QueryPlan[Evidence]] | None = None
    covers: Callable[[C, Question], Window | None] = lambda _config, question: question.window


def as_it_is(_config: Any, result: Any, _group_keys: Collection[str]) -> Result:
    """Return the answer unchanged: `published` of kinds whose answers contain only numbers and event names."""
    answer: Result = result
    return answer
