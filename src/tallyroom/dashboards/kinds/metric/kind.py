"""The metric as a kind of widget."""

from tallyroom.dashboards.kind import Kind, as_number_or_chart
from tallyroom.dashboards.kinds.metric.question import (
    MetricConfig,
    build_display,
    build_query_plan,
    check_config,
    find_contrast,
    find_metric_evidence_query,
)
from tallyroom.dashboards.mail.contents import MailContent, MailWidget
from tallyroom.dashboards.mail.metric_contents import build_metric_contents
from tallyroom.dashboards.mail.numbers import choose_formatter
from tallyroom.dashboards.metric_chart import build_metric_chart
from tallyroom.dashboards.outline import Outline, build_measured_outline
from tallyroom.dashboards.words import add_breakdown, measure_name
from tallyroom.queries.comparison import find_covered_window
from tallyroom.queries.measures import NAME_BY_MEASURE
from tallyroom.queries.metric_answers import (
    Categorical,
    Counter,
    MetricAnswer,
    Multiseries,
    Timeseries,
    is_empty,
    mask_labels,
)


def build_mail_contents(widget: MailWidget, result: MetricAnswer) -> list[MailContent]:
    """Return how a mail shows an answer."""
    config = widget.config
    return build_metric_contents(
        widget, result, build_display(config), NAME_BY_MEASURE[config.measure], choose_formatter(config)
    )


def build_outline(config: MetricConfig) -> Outline:
    """Return the outline of an answer, with a row for each part of the rest."""
    return build_measured_outline(config, rest_count={None: 0, "both": 2}.get(config.rest, 1))


METRIC = Kind(
    name="metric",
    config=MetricConfig,
    results=(Counter, Timeseries, Categorical, Multiseries),
    check_config=check_config,
    build_query_plan=build_query_plan,
    find_evidence_query=find_metric_evidence_query,
    find_contrast=find_contrast,
    find_covered_window=find_covered_window,
    is_empty=is_empty,
    title=lambda config: add_breakdown(measure_name(config), config.breakdown),
    build_display=build_display,
    build_outline=build_outline,
    build_public_result=mask_labels,
    build_withheld_result=None,
    build_chart=build_metric_chart,
    build_mail_contents=build_mail_contents,
    choose_preview_form=as_number_or_chart,
)
