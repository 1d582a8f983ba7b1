"""Which kind of widget has an answer."""

from typing import Any

from tallyroom.dashboards.kind import Kind
from tallyroom.dashboards.registry import KINDS
from tallyroom.queries.config import Result


def kind_with(result: Result) -> Kind[Any]:
    """Return the first kind, by name, that has such answers; metrics and formulas have the same."""
    return next(kind for _, kind in sorted(KINDS.items()) if type(result) in kind.results)
