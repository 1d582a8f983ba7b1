"""The registry of widget kinds."""

from typing import Any, Union

from tallyroom.queries.kind import Kind
from tallyroom.queries.kinds.external import EXTERNAL
from tallyroom.queries.kinds.formula import FORMULA
from tallyroom.queries.kinds.funnel import FUNNEL
from tallyroom.queries.kinds.heatmap import HEATMAP
from tallyroom.queries.kinds.histogram import HISTOGRAM
from tallyroom.queries.kinds.kpi import KPI
from tallyroom.queries.kinds.metric import METRIC
from tallyroom.queries.kinds.note import NOTE
from tallyroom.queries.kinds.retention import RETENTION
from tallyroom.queries.kinds.table import TABLE

KINDS: dict[str, Kind[Any]] = {
    kind.name: kind for kind in (EXTERNAL, FORMULA, FUNNEL, HEATMAP, HISTOGRAM, KPI, METRIC, NOTE, RETENTION, TABLE)
}
"""Each kind under the `type` of its widgets."""

RESULTS: Any = Union[tuple(result for kind in KINDS.values() for result in kind.results)]  # noqa: UP007 # of many
"""All answers that widgets can have, for a decoder."""
