"""The formula as a kind of widget."""

import re

from tallyroom.dashboards.kind import Kind, Preview
from tallyroom.dashboards.kinds.formula.question import (
    FormulaConfig,
    check,
    covered_window,
    drill_down,
    public_form,
    query_plan,
)
from tallyroom.dashboards.mail.contents import Content, WidgetDetail
from tallyroom.dashboards.mail.metric_contents import build_metric_contents
from tallyroom.dashboards.mail.numbers import format_full
from tallyroom.dashboards.metric_chart import build_metric_chart
from tallyroom.dashboards.words import add_breakdown, measure_name
from tallyroom.queries.config import display_of
from tallyroom.queries.formula_parts import parts_of
from tallyroom.queries.metric_answers import Categorical, Counter, MetricAnswer, Multiseries, Timeseries, is_empty


def title(config: FormulaConfig) -> str:
    """Return the expression, with what is measured in place of the letters."""
    part_names = {str(name): measure_name(part) for name, part in parts_of(config).items()}
    part_terms = {name: f"({text})" if " " in text else text for name, text in part_names.items()}
    expression = re.sub("[a-d]", lambda match: part_terms[match[0]], config.expression.strip())
    return add_breakdown(expression, config.breakdown)


def contents(widget: WidgetDetail, result: MetricAnswer) -> list[Content]:
    """Return what a mail shows of an answer."""
    return build_metric_contents(widget, result, display_of(widget.config), "Value", format_full)


def preview(config: FormulaConfig) -> Preview:
    """Return `number` for one number, and `chart` for any other shape."""
    return "chart" if config.over_time or config.breakdown is not None else "number"


FORMULA = Kind(
    name="formula",
    config=FormulaConfig,
    results=(Counter, Timeseries, Categorical, Multiseries),
    check=check,
    query_plan=query_plan,
    drill_down=drill_down,
    covered_window=covered_window,
    is_empty=is_empty,
    title=title,
    display=display_of,
    public_form=public_form,
    withheld=None,
    picture=build_metric_chart,
    mail=contents,
    preview=preview,
)
