"""Every kind of widget that there is. `external` joins when it works."""

from typing import Any

from tallyroom.engine.kind import Kind
from tallyroom.engine.kinds.heatmap import HEATMAP
from tallyroom.engine.kinds.histogram import HISTOGRAM
from tallyroom.engine.kinds.note import NOTE
from tallyroom.engine.kinds.table import TABLE

KINDS: dict[str, Kind[Any]] = {kind.name: kind for kind in (HEATMAP, HISTOGRAM, NOTE, TABLE)}
"""Kinds by the `type` of a widget."""
