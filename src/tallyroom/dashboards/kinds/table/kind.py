"""The table as a kind of widget."""

from tallyroom.dashboards.kind import Kind, no_preview
from tallyroom.dashboards.kinds.table.mail import build_mail_contents
from tallyroom.dashboards.kinds.table.question import (
    Table,
    TableConfig,
    build_public_result,
    build_query_plan,
    build_withheld_result,
    check_config,
    is_empty,
)
from tallyroom.dashboards.outline import Outline
from tallyroom.queries.config import display_of
from tallyroom.queries.event_choice import chosen_event_names

TABLE = Kind(
    name="table",
    config=TableConfig,
    results=(Table,),
    check_config=check_config,
    build_query_plan=build_query_plan,
    find_evidence_query=None,
    find_contrast=None,
    is_empty=is_empty,
    title=lambda config: f"Newest {', '.join(chosen_event_names(config) or ['events'])}",
    build_display=display_of,
    build_outline=lambda config: Outline("table", config.rows),
    build_public_result=build_public_result,
    build_withheld_result=build_withheld_result,
    build_chart=None,
    build_mail_contents=build_mail_contents,
    choose_preview_form=no_preview,
)
