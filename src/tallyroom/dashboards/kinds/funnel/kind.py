"""The funnel as a kind of widget."""

from tallyroom.dashboards.kind import Kind, as_chart
from tallyroom.dashboards.kinds.funnel.answer import Funnel, is_empty, public_form
from tallyroom.dashboards.kinds.funnel.config import FunnelConfig, check
from tallyroom.dashboards.kinds.funnel.drill_down import drill_down
from tallyroom.dashboards.kinds.funnel.mail import contents
from tallyroom.dashboards.kinds.funnel.picture import picture
from tallyroom.dashboards.kinds.funnel.query_plan import query_plan
from tallyroom.queries.config import display_of
from tallyroom.queries.event_choice import event_title

FUNNEL = Kind(
    name="funnel",
    config=FunnelConfig,
    results=(Funnel,),
    check=check,
    query_plan=query_plan,
    drill_down=drill_down,
    is_empty=is_empty,
    title=lambda config: " → ".join(map(event_title, config.steps)),
    display=display_of,
    public_form=public_form,
    withheld=None,
    picture=picture,
    mail=contents,
    preview=as_chart,
)
