"""The table as a kind of widget."""

from tallyroom.dashboards.kind import Kind, no_preview
from tallyroom.dashboards.kinds.table.mail import contents
from tallyroom.dashboards.kinds.table.question import (
    Table,
    TableConfig,
    check,
    is_empty,
    public_form,
    query_plan,
    withheld,
)
from tallyroom.queries.config import display_of
from tallyroom.queries.event_choice import chosen_names

TABLE = Kind(
    name="table",
    config=TableConfig,
    results=(Table,),
    check=check,
    query_plan=query_plan,
    drill_down=None,
    is_empty=is_empty,
    title=lambda config: f"Newest {', '.join(chosen_names(config) or ['events'])}",
    display=display_of,
    public_form=public_form,
    withheld=withheld,
    picture=None,
    mail=contents,
    preview=no_preview,
)
