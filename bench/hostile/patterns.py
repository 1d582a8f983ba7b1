"""Filters with regular expressions that take long to compile, all of them different."""

from typing import Any

from tallyroom.dashboards.kinds.funnel.config import MAX_STEPS
from tallyroom.queries.filters import MAX_FILTERS

COSTLY = r"(?:[\pL\pN]?){150}"


def costly_filters(step: int, max_filters: int = MAX_FILTERS, pattern: str = COSTLY) -> list[dict[str, str]]:
    """Filters whose patterns are all different."""
    return [{"key": "page", "op": "regex", "value": f"{pattern}{step}x{at}"} for at in range(max_filters)]


def funnel(variant: int, pattern: str = COSTLY) -> dict[str, Any]:
    """A config with as many patterns as a config may have."""
    steps = [
        {"event": "x", "filters": costly_filters(variant * MAX_STEPS + step, pattern=pattern)}
        for step in range(MAX_STEPS)
    ]
    return {"steps": steps}
