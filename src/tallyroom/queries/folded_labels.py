"""A chart's series: one for each color, and one for all other labels (rules/questions#folded-series)."""

from collections.abc import Sequence
from typing import NamedTuple

from tallyroom.core.value_colors import COLOR_COUNT
from tallyroom.queries.breakdown import LabelSeries
from tallyroom.queries.label_choice import Rest


class LabelLimit(NamedTuple):
    """How many labels an answer over time has at most, and which rest."""

    limit: int
    rest: Rest | None


def fold_labels(limit: int, rest: Rest | None) -> LabelLimit:
    """Return the limit and the rest of a chart, in which events without a label have a color, too."""
    has_unlabelled = rest in {"none", "both"}
    max_labels = COLOR_COUNT - has_unlabelled
    if limit <= max_labels:
        return LabelLimit(limit, rest)
    return LabelLimit(max_labels, "both" if has_unlabelled else "other")


def rest_beside(label_count: int, label_limit: LabelLimit) -> Rest | None:
    """Return the rest beside the labels that were found: with fewer than the limit, there are no other labels."""
    if label_count == label_limit.limit or label_limit.rest not in {"other", "both"}:
        return label_limit.rest
    return "none" if label_limit.rest == "both" else None


def drop_empty_rest(series: Sequence[LabelSeries]) -> list[LabelSeries]:
    """Leave out the series of other labels if they have no events."""
    return [entry for entry in series if entry.kind != "other" or entry.bucket_values]
