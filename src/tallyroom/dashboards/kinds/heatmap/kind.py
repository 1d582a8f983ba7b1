"""The heatmap as a kind of widget."""

from tallyroom.dashboards.kind import Kind, as_chart, as_it_is
from tallyroom.dashboards.kinds.heatmap.mail import build_mail_contents
from tallyroom.dashboards.kinds.heatmap.picture import build_chart
from tallyroom.dashboards.kinds.heatmap.question import (
    Heatmap,
    HeatmapConfig,
    build_query_plan,
    check_config,
    find_contrast,
    find_evidence_query,
    is_empty,
)
from tallyroom.dashboards.outline import Outline
from tallyroom.queries.config import display_of
from tallyroom.queries.event_choice import event_title

HEATMAP = Kind(
    name="heatmap",
    config=HeatmapConfig,
    results=(Heatmap,),
    check_config=check_config,
    build_query_plan=build_query_plan,
    find_evidence_query=find_evidence_query,
    find_contrast=find_contrast,
    is_empty=is_empty,
    title=lambda config: f"{event_title(config)} by the hour of the week",
    build_display=display_of,
    build_outline=lambda _config: Outline("heatmap"),
    build_public_result=as_it_is,
    build_withheld_result=None,
    build_chart=build_chart,
    build_mail_contents=build_mail_contents,
    choose_preview_form=as_chart,
)
