"""The histogram as a kind of widget."""

from tallyroom.dashboards.kind import Kind, as_chart, as_it_is
from tallyroom.dashboards.kinds.histogram.mail import contents
from tallyroom.dashboards.kinds.histogram.picture import picture
from tallyroom.dashboards.kinds.histogram.question import (
    Histogram,
    HistogramConfig,
    check,
    drill_down,
    is_empty,
    query_plan,
)
from tallyroom.dashboards.words import key_name
from tallyroom.queries.config import display_of
from tallyroom.queries.event_choice import event_title

HISTOGRAM = Kind(
    name="histogram",
    config=HistogramConfig,
    results=(Histogram,),
    check=check,
    query_plan=query_plan,
    drill_down=drill_down,
    is_empty=is_empty,
    title=lambda config: f"{key_name(config.property)} of {event_title(config)}",
    display=display_of,
    public_form=as_it_is,
    withheld=None,
    picture=picture,
    mail=contents,
    preview=as_chart,
)
