"""The metric as a kind of widget."""

from tallyroom.dashboards.kind import Kind, Preview
from tallyroom.dashboards.kinds.metric.question import (
    MetricConfig,
    check,
    covered_window,
    display,
    drill_down,
    public_form,
    query_plan,
)
from tallyroom.dashboards.mail.contents import Content, WidgetDetail
from tallyroom.dashboards.mail.metric_contents import build_metric_contents
from tallyroom.dashboards.mail.numbers import choose_formatter
from tallyroom.dashboards.metric_chart import build_metric_chart
from tallyroom.dashboards.words import MEASURE_NAMES, add_breakdown, measure_name
from tallyroom.queries.metric_answers import Categorical, Counter, MetricAnswer, Multiseries, Timeseries, is_empty

_COLUMNS = MEASURE_NAMES | {"count": "Events", "uniq_actors": "Actors"}


def contents(widget: WidgetDetail, result: MetricAnswer) -> list[Content]:
    """Return what a mail shows of an answer."""
    config = widget.config
    return build_metric_contents(widget, result, display(config), _COLUMNS[config.measure], choose_formatter(config))


def preview(config: MetricConfig) -> Preview:
    """Return `number` for one number, and `chart` for any other shape."""
    return "chart" if config.over_time or config.breakdown is not None else "number"


METRIC = Kind(
    name="metric",
    config=MetricConfig,
    results=(Counter, Timeseries, Categorical, Multiseries),
    check=check,
    query_plan=query_plan,
    drill_down=drill_down,
    covered_window=covered_window,
    is_empty=is_empty,
    title=lambda config: add_breakdown(measure_name(config), config.breakdown),
    display=display,
    public_form=public_form,
    withheld=None,
    picture=build_metric_chart,
    mail=contents,
    preview=preview,
)
