"""The heatmap as a kind of widget."""

from tallyroom.dashboards.kind import Kind, as_chart, as_it_is
from tallyroom.dashboards.kinds.heatmap.mail import contents
from tallyroom.dashboards.kinds.heatmap.picture import picture
from tallyroom.dashboards.kinds.heatmap.question import Heatmap, HeatmapConfig, check, drill_down, is_empty, query_plan
from tallyroom.queries.config import display_of
from tallyroom.queries.event_choice import event_title

HEATMAP = Kind(
    name="heatmap",
    config=HeatmapConfig,
    results=(Heatmap,),
    check=check,
    query_plan=query_plan,
    drill_down=drill_down,
    is_empty=is_empty,
    title=lambda config: f"{event_title(config)} by the hour of the week",
    display=display_of,
    public_form=as_it_is,
    withheld=None,
    picture=picture,
    mail=contents,
    preview=as_chart,
)
