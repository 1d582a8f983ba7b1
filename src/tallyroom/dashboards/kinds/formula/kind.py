"""The formula as a kind of widget."""

import re

from tallyroom.dashboards.kind import Kind, as_number_or_chart
from tallyroom.dashboards.kinds.formula.question import (
    FormulaConfig,
    build_query_plan,
    check_config,
    find_contrast,
    find_evidence_query,
)
from tallyroom.dashboards.mail.contents import MailContent, MailWidget
from tallyroom.dashboards.mail.metric_contents import build_metric_contents
from tallyroom.dashboards.mail.numbers import format_full
from tallyroom.dashboards.metric_chart import build_metric_chart
from tallyroom.dashboards.outline import build_measured_outline
from tallyroom.dashboards.words import add_breakdown, measure_name
from tallyroom.queries.comparison import find_covered_window
from tallyroom.queries.config import display_of
from tallyroom.queries.formula_parts import parts_by_name
from tallyroom.queries.metric_answers import (
    Categorical,
    Counter,
    MetricAnswer,
    Multiseries,
    Timeseries,
    is_empty,
    mask_labels,
)


def title(config: FormulaConfig) -> str:
    """Return the expression, with the measures in place of the letters."""
    measure_name_by_part = {str(name): measure_name(part) for name, part in parts_by_name(config).items()}
    term_by_part = {name: f"({text})" if " " in text else text for name, text in measure_name_by_part.items()}
    expression = re.sub("[a-d]", lambda match: term_by_part[match[0]], config.expression.strip())
    return add_breakdown(expression, config.breakdown)


def build_mail_contents(widget: MailWidget, result: MetricAnswer) -> list[MailContent]:
    """Return how a mail shows an answer."""
    return build_metric_contents(widget, result, display_of(widget.config), "Value", format_full)


FORMULA = Kind(
    name="formula",
    config=FormulaConfig,
    results=(Counter, Timeseries, Categorical, Multiseries),
    check_config=check_config,
    build_query_plan=build_query_plan,
    find_evidence_query=find_evidence_query,
    find_contrast=find_contrast,
    find_covered_window=find_covered_window,
    is_empty=is_empty,
    title=title,
    build_display=display_of,
    build_outline=build_measured_outline,
    build_public_result=mask_labels,
    build_withheld_result=None,
    build_chart=build_metric_chart,
    build_mail_contents=build_mail_contents,
    choose_preview_form=as_number_or_chart,
)
