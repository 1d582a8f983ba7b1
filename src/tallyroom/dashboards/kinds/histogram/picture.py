"""The picture of a histogram: a column for each bucket, as wide as the bucket."""

from tallyroom.dashboards.chart_parts import PictureSettings, plot_height
from tallyroom.dashboards.kinds.histogram.question import Histogram
from tallyroom.images.charts.histogram import HistogramChart, ValueRange


def build_chart(result: Histogram, settings: PictureSettings) -> HistogramChart:
    """Return the chart of an answer."""
    value_ranges = [ValueRange(bucket.from_, bucket.to, bucket.count) for bucket in result.buckets]
    return HistogramChart(title="", height=plot_height(settings.width), ranges=value_ranges)
