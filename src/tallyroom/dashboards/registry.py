"""The registry of widget kinds: one line for each."""

from typing import Any, Union

from tallyroom.dashboards.kind import Kind
from tallyroom.dashboards.kinds.external.kind import EXTERNAL
from tallyroom.dashboards.kinds.formula.kind import FORMULA
from tallyroom.dashboards.kinds.funnel.kind import FUNNEL
from tallyroom.dashboards.kinds.heatmap.kind import HEATMAP
from tallyroom.dashboards.kinds.histogram.kind import HISTOGRAM
from tallyroom.dashboards.kinds.kpi.kind import KPI
from tallyroom.dashboards.kinds.metric.kind import METRIC
from tallyroom.dashboards.kinds.note.kind import NOTE
from tallyroom.dashboards.kinds.retention.kind import RETENTION
from tallyroom.dashboards.kinds.table.kind import TABLE

KINDS: dict[str, Kind[Any]] = {
    kind.name: kind for kind in (EXTERNAL, FORMULA, FUNNEL, HEATMAP, HISTOGRAM, KPI, METRIC, NOTE, RETENTION, TABLE)
}
"""Each kind under the `type` of its widgets."""

RESULTS: Any = Union[tuple(result for kind in KINDS.values() for result in kind.results)]  # noqa: UP007 # of many
"""All answers that widgets can have, for a decoder."""
