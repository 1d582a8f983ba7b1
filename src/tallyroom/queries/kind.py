"""The question of a widget kind: its config, its query plan, and its answers; `dashboards/kind.py` has the rest."""

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from tallyroom.queries.config import Config, Result
from tallyroom.queries.data_point import DataPoint
from tallyroom.queries.differences.contrast import Contrast
from tallyroom.queries.evidence import EvidenceQuery
from tallyroom.queries.query_plan import QueryPlan
from tallyroom.queries.question import Question
from tallyroom.queries.window import Window

C = TypeVar("C", bound=Config)
Path = Sequence[str | int]

MASK = "•••"  # what the public sees instead of an actor, a group or a source


def whole_window(_config: Any, question: Question) -> Window | None:
    """Return the window of the question: `find_covered_window` of kinds without a comparison."""
    return question.window


def no_window(_config: Any, _question: Question) -> Window | None:
    """Return None: `find_covered_window` of kinds that count no events."""
    return None


def window_start_ms(_result: Any, question: Question) -> int:
    """Return the start of the question's window: `find_shown_from_ms` of kinds that show this window."""
    return question.window.from_ms


class QuestionKind(msgspec.Struct, Generic[C], frozen=True, kw_only=True):
    """How the engine answers the questions of a widget kind; `name` is the `type` of its widgets.

    `check_config` receives the config's path in the request. `build_query_plan` is pure: it yields queries and is sent
    rows. `find_evidence_query` finds the events behind one number; None if no answer has actors behind it.
    `find_contrast` finds the events behind one number among all events of the question; None if no answer has a number
    that is a part of a whole.
    `find_covered_window` is the time whose events can count in the answer; None if no event does. `find_shown_from_ms`
    is the start of the time that an answer shows. `is_empty` is whether all numbers are 0 or missing, so that the
    answer needs an explanation.
    """

    name: str
    config: type[C]
    results: tuple[type[Result], ...]
    check_config: Callable[[C, Path], None]
    build_query_plan: Callable[[C, Question], QueryPlan[Any]]
    find_evidence_query: Callable[[C, Question, DataPoint], QueryPlan[EvidenceQuery]] | None
    find_contrast: Callable[[C, Question, DataPoint], QueryPlan[Contrast]] | None
    find_covered_window: Callable[[C, Question], Window | None] = whole_window
    find_shown_from_ms: Callable[[Any, Question], int] = window_start_ms
    is_empty: Callable[[Any], bool]
