"""The external value as a kind of widget."""

from tallyroom.dashboards.kind import Kind, no_preview, no_title
from tallyroom.dashboards.kinds.external.mail import build_mail_contents
from tallyroom.dashboards.kinds.external.question import (
    External,
    ExternalConfig,
    build_public_result,
    build_query_plan,
    check_config,
)
from tallyroom.dashboards.outline import Outline
from tallyroom.queries.config import display_of
from tallyroom.queries.kind import no_window

EXTERNAL = Kind(
    name="external",
    config=ExternalConfig,
    results=(External,),
    check_config=check_config,
    build_query_plan=build_query_plan,
    find_evidence_query=None,
    find_contrast=None,
    find_covered_window=no_window,
    is_empty=lambda _result: False,
    title=no_title,
    build_display=display_of,
    build_outline=lambda _config: Outline("external"),
    build_public_result=build_public_result,
    build_withheld_result=None,
    build_chart=None,
    build_mail_contents=build_mail_contents,
    choose_preview_form=no_preview,
)
