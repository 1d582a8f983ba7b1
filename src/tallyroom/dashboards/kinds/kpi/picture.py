"""The picture of a KPI widget: its numbers and their changes."""

from tallyroom.dashboards.chart_parts import PictureSettings, shorten_text
from tallyroom.dashboards.kinds.kpi.question import Kpi, list_good_directions
from tallyroom.images.charts.number_chart import NumberChart, ShownNumber, numbers_height


def build_chart(result: Kpi, settings: PictureSettings) -> NumberChart:
    """Return the chart of an answer."""
    good_directions = list_good_directions(settings.display, len(result.items))
    numbers = [
        ShownNumber(shorten_text(number.label), number.value, number.previous, good_direction)
        for number, good_direction in zip(result.items, good_directions, strict=False)
    ]
    height = numbers_height(len(numbers), settings.width)
    return NumberChart(title="", height=height, numbers=numbers, number_form=settings.number_form)
