"""Retention as a kind of widget."""

from tallyroom.dashboards.kind import Kind, as_chart, as_it_is
from tallyroom.dashboards.kinds.retention.config import RetentionConfig, check_config
from tallyroom.dashboards.kinds.retention.drill_down import find_contrast, find_evidence_query
from tallyroom.dashboards.kinds.retention.mail import build_mail_contents
from tallyroom.dashboards.kinds.retention.picture import build_chart
from tallyroom.dashboards.kinds.retention.question import (
    Retention,
    build_query_plan,
    find_covered_window,
    find_shown_from_ms,
    is_empty,
)
from tallyroom.dashboards.outline import Outline
from tallyroom.queries.config import display_of

RETENTION = Kind(
    name="retention",
    config=RetentionConfig,
    results=(Retention,),
    check_config=check_config,
    build_query_plan=build_query_plan,
    find_evidence_query=find_evidence_query,
    find_contrast=find_contrast,
    find_covered_window=find_covered_window,
    find_shown_from_ms=find_shown_from_ms,
    is_empty=is_empty,
    title=lambda config: f"Retention of {config.cohort_event}",
    build_display=display_of,
    build_outline=lambda config: Outline("retention", config.periods),
    build_public_result=as_it_is,
    build_withheld_result=None,
    build_chart=build_chart,
    build_mail_contents=build_mail_contents,
    choose_preview_form=as_chart,
)
