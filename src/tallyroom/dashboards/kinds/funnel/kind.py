"""The funnel as a kind of widget."""

from tallyroom.dashboards.kind import Kind, as_chart
from tallyroom.dashboards.kinds.funnel.answer import Funnel, build_public_result, is_empty
from tallyroom.dashboards.kinds.funnel.config import FunnelConfig, check_config
from tallyroom.dashboards.kinds.funnel.drill_down import find_contrast, find_evidence_query
from tallyroom.dashboards.kinds.funnel.mail import build_mail_contents
from tallyroom.dashboards.kinds.funnel.picture import build_chart
from tallyroom.dashboards.kinds.funnel.query_plan import build_query_plan
from tallyroom.dashboards.outline import Outline
from tallyroom.queries.config import display_of
from tallyroom.queries.event_choice import event_title

FUNNEL = Kind(
    name="funnel",
    config=FunnelConfig,
    results=(Funnel,),
    check_config=check_config,
    build_query_plan=build_query_plan,
    find_evidence_query=find_evidence_query,
    find_contrast=find_contrast,
    is_empty=is_empty,
    title=lambda config: " → ".join(map(event_title, config.steps)),
    build_display=display_of,
    build_outline=lambda config: Outline("funnel", len(config.steps)),
    build_public_result=build_public_result,
    build_withheld_result=None,
    build_chart=build_chart,
    build_mail_contents=build_mail_contents,
    choose_preview_form=as_chart,
)
