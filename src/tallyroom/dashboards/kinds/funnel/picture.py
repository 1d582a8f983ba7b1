"""The picture of a funnel: a bar for each step."""

from tallyroom.dashboards.chart_parts import PictureSettings, shorten_text
from tallyroom.dashboards.kinds.funnel.answer import Funnel
from tallyroom.images.charts.funnel import FunnelChart, StepBar, funnel_height


def build_step_bars(result: Funnel) -> list[StepBar]:
    """Return the bars of an answer."""
    return [
        StepBar(shorten_text(step.event), step.count, step.median_seconds_from_previous, step.waiting)
        for step in result.steps
    ]


def build_chart(result: Funnel, settings: PictureSettings) -> FunnelChart:
    """Return the chart of an answer."""
    step_bars = build_step_bars(result)
    height = funnel_height(len(step_bars), settings.width)
    return FunnelChart(title="", note=f"{result.unit_kind}s", height=height, steps=step_bars)
