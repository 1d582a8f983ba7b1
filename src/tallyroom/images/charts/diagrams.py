"""The pictures of answers: every kind of chart as one type, and its drawing (rules/pictures#answers)."""

from collections.abc import Callable
from typing import Any

from tallyroom.images.charts.bars import BarChart, draw_bars
from tallyroom.images.charts.chart import Chart
from tallyroom.images.charts.cohorts import GridChart, draw_cohorts
from tallyroom.images.charts.drawing import Drawing
from tallyroom.images.charts.funnel import FunnelChart, draw_funnel
from tallyroom.images.charts.heatmap import HeatChart, draw_heat
from tallyroom.images.charts.histogram import HistogramChart, draw_histogram
from tallyroom.images.charts.number_chart import NumberChart, draw_numbers
from tallyroom.images.charts.time_chart import TimeChart, draw_time

Diagram = TimeChart | BarChart | FunnelChart | GridChart | HeatChart | HistogramChart | NumberChart

_DRAW_BY_CHART_TYPE: dict[type[Chart], Callable[[Any], Drawing]] = {
    TimeChart: draw_time,
    BarChart: draw_bars,
    FunnelChart: draw_funnel,
    GridChart: draw_cohorts,
    HeatChart: draw_heat,
    HistogramChart: draw_histogram,
    NumberChart: draw_numbers,
}


def draw_diagram(diagram: Diagram) -> Drawing:
    """Return the drawing of a diagram. This is a pure function: equal diagrams give equal drawings."""
    return _DRAW_BY_CHART_TYPE[type(diagram)](diagram)
