"""A data point of a metric or a formula: what is measured there, in which bucket, and of which label."""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import UNSET, UnsetType

from tallyroom.queries.breakdown import RestKind
from tallyroom.queries.buckets import Buckets
from tallyroom.queries.counted_measure import CountedMeasure
from tallyroom.queries.data_point import DataPoint, check_data_point_names_a_part
from tallyroom.queries.formula import ExpressionTree, NamedPart, PartName
from tallyroom.queries.measure_evidence import check_metric_point
from tallyroom.queries.measures import COUNTS
from tallyroom.queries.question import Question
from tallyroom.queries.window import Window


class PointLabel(msgspec.Struct, frozen=True, kw_only=True):
    """The label of a point, or the rest that `kind` names: `other` is all labels except `shown_labels`."""

    key: str
    label: str | None
    kind: RestKind | UnsetType = UNSET
    shown_labels: Sequence[str] = ()


class MeasuredPoint(msgspec.Struct, frozen=True, kw_only=True):
    """A number of an answer: an expression of measures; in the bucket from `t`, of a label, or both."""

    parts: Mapping[PartName, CountedMeasure]
    expression: ExpressionTree
    buckets: Buckets | None = None
    t: str | None = None
    label: PointLabel | None = None

    @property
    def past_window(self) -> Window | None:
        """The part of its hour or day that counts and is not later than now; None if it is not of an hour or a day."""
        if self.buckets is None or self.t is None or self.buckets.interval not in {"hour", "day"}:
            return None
        return self.buckets.find_past_window(self.t)

    @property
    def is_count(self) -> bool:
        """Whether the number is never below 0."""
        return isinstance(self.expression, NamedPart) and self.parts[self.expression.name].measure in COUNTS


def build_measured_point(  # the sides of a point
    parts: Mapping[PartName, CountedMeasure],
    expression: ExpressionTree,
    breakdown_key: str | None,
    buckets: Buckets | None,
    question: Question,
    data_point: DataPoint,
    shown_labels: Sequence[str] | None,
) -> MeasuredPoint:
    """Return the point of an answer; raise `ValidationFailed` if there is no such point.

    `shown_labels` are those of the answer if it has a rest; None if the rest is no point of it.
    """
    check_data_point_names_a_part(data_point)
    check_metric_point(data_point, breakdown_key, buckets, question, may_have_rest=shown_labels is not None)
    label = None
    if breakdown_key is not None and data_point.label is not UNSET:
        label = PointLabel(
            key=breakdown_key, label=data_point.label, kind=data_point.kind, shown_labels=shown_labels or ()
        )
    t = data_point.t if isinstance(data_point.t, str) else None
    return MeasuredPoint(parts=parts, expression=expression, buckets=buckets, t=t, label=label)
