"""The external value as a kind of widget."""

from tallyroom.dashboards.kind import Kind, no_preview, no_title
from tallyroom.dashboards.kinds.external.mail import contents
from tallyroom.dashboards.kinds.external.question import External, ExternalConfig, check, public_form, query_plan
from tallyroom.queries.config import display_of
from tallyroom.queries.kind import no_window

EXTERNAL = Kind(
    name="external",
    config=ExternalConfig,
    results=(External,),
    check=check,
    query_plan=query_plan,
    drill_down=None,
    covered_window=no_window,
    is_empty=lambda _result: False,
    title=no_title,
    display=display_of,
    public_form=public_form,
    withheld=None,
    picture=None,
    mail=contents,
    preview=no_preview,
)
