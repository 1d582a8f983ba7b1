"""The pictures of answers: every kind of chart as one type, and its drawing (rules/pictures#answers)."""

from collections.abc import Callable
from typing import Any

from tallyroom.charts.bars import BarChart, draw_bars
from tallyroom.charts.chart import Chart
from tallyroom.charts.cohorts import GridChart, draw_cohorts
from tallyroom.charts.drawing import Drawing
from tallyroom.charts.figures import NumberChart, draw_numbers
from tallyroom.charts.funnel import FunnelChart, draw_funnel
from tallyroom.charts.heat import HeatChart, draw_heat
from tallyroom.charts.histogram import HistogramChart, draw_histogram
from tallyroom.charts.time_chart import TimeChart, draw_time

Diagram = TimeChart | BarChart | FunnelChart | GridChart | HeatChart | HistogramChart | NumberChart

_DRAW: dict[type[Chart], Callable[[Any], Drawing]] = {
    TimeChart: draw_time,
    BarChart: draw_bars,
    FunnelChart: draw_funnel,
    GridChart: draw_cohorts,
    HeatChart: draw_heat,
    HistogramChart: draw_histogram,
    NumberChart: draw_numbers,
}


def draw_diagram(diagram: Diagram) -> Drawing:
    """Return the drawing of a diagram. It is pure: equal diagrams give equal drawings."""
    return _DRAW[type(diagram)](diagram)
