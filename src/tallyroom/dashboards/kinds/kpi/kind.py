"""The KPI as a kind of widget."""

from tallyroom.dashboards.kind import Kind, as_it_is, as_number, no_title
from tallyroom.dashboards.kinds.kpi.mail import build_mail_contents
from tallyroom.dashboards.kinds.kpi.picture import build_chart
from tallyroom.dashboards.kinds.kpi.question import (
    Kpi,
    KpiConfig,
    build_display,
    build_query_plan,
    check_config,
    find_covered_window,
    find_evidence_query,
    is_empty,
)
from tallyroom.dashboards.outline import Outline

KPI = Kind(
    name="kpi",
    config=KpiConfig,
    results=(Kpi,),
    check_config=check_config,
    build_query_plan=build_query_plan,
    find_evidence_query=find_evidence_query,
    find_contrast=None,
    find_covered_window=find_covered_window,
    is_empty=is_empty,
    title=no_title,
    build_display=build_display,
    build_outline=lambda config: Outline("kpi", len(config.items)),
    build_public_result=as_it_is,
    build_withheld_result=None,
    build_chart=build_chart,
    build_mail_contents=build_mail_contents,
    choose_preview_form=as_number,
)
