"""The registry of widget kinds."""

from typing import Any, Union

from tallyroom.engine.kind import Kind
from tallyroom.engine.kinds.external import EXTERNAL
from tallyroom.engine.kinds.formula import FORMULA
from tallyroom.engine.kinds.funnel import FUNNEL
from tallyroom.engine.kinds.heatmap import HEATMAP
from tallyroom.engine.kinds.histogram import HISTOGRAM
from tallyroom.engine.kinds.kpi import KPI
from tallyroom.engine.kinds.metric import METRIC
from tallyroom.engine.kinds.note import NOTE
from tallyroom.engine.kinds.retention import RETENTION
from tallyroom.engine.kinds.table import TABLE

KINDS: dict[str, Kind[Any]] = {
    kind.name: kind for kind in (EXTERNAL, FORMULA, FUNNEL, HEATMAP, HISTOGRAM, KPI, METRIC, NOTE, RETENTION, TABLE)
}
"""Each kind under the `type` of its widgets."""

RESULTS: Any = Union[tuple(result for kind in KINDS.values() for result in kind.results)]  # noqa: UP007 # of many
"""All answers that widgets can have, for a decoder."""
