"""The histogram as a kind of widget."""

from tallyroom.dashboards.kind import Kind, as_chart, as_it_is
from tallyroom.dashboards.kinds.histogram.drill_down import find_contrast, find_evidence_query
from tallyroom.dashboards.kinds.histogram.mail import build_mail_contents
from tallyroom.dashboards.kinds.histogram.picture import build_chart
from tallyroom.dashboards.kinds.histogram.question import (
    Histogram,
    HistogramConfig,
    build_query_plan,
    check_config,
    is_empty,
)
from tallyroom.dashboards.outline import Outline
from tallyroom.dashboards.words import key_name
from tallyroom.queries.config import display_of
from tallyroom.queries.event_choice import event_title

HISTOGRAM = Kind(
    name="histogram",
    config=HistogramConfig,
    results=(Histogram,),
    check_config=check_config,
    build_query_plan=build_query_plan,
    find_evidence_query=find_evidence_query,
    find_contrast=find_contrast,
    is_empty=is_empty,
    title=lambda config: f"{key_name(config.property)} of {event_title(config)}",
    build_display=display_of,
    build_outline=lambda _config: Outline("histogram"),
    build_public_result=as_it_is,
    build_withheld_result=None,
    build_chart=build_chart,
    build_mail_contents=build_mail_contents,
    choose_preview_form=as_chart,
)
