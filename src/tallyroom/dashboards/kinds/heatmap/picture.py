"""The picture of a heatmap: a cell for each hour of the week."""

from tallyroom.dashboards.chart_parts import PictureSettings
from tallyroom.dashboards.kinds.heatmap.question import Heatmap
from tallyroom.images.charts.heatmap import HeatChart, heat_height


def build_chart(result: Heatmap, settings: PictureSettings) -> HeatChart:
    """Return the chart of an answer."""
    return HeatChart(title="", height=heat_height(settings.width), cells=result.cells)
