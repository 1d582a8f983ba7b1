"""The KPI as a kind of widget."""

from tallyroom.dashboards.kind import Kind, as_it_is, as_number, no_title
from tallyroom.dashboards.kinds.kpi.mail import contents
from tallyroom.dashboards.kinds.kpi.picture import picture
from tallyroom.dashboards.kinds.kpi.question import (
    Kpi,
    KpiConfig,
    check,
    covered_window,
    display,
    drill_down,
    is_empty,
    query_plan,
)

KPI = Kind(
    name="kpi",
    config=KpiConfig,
    results=(Kpi,),
    check=check,
    query_plan=query_plan,
    drill_down=drill_down,
    covered_window=covered_window,
    is_empty=is_empty,
    title=no_title,
    display=display,
    public_form=as_it_is,
    withheld=None,
    picture=picture,
    mail=contents,
    preview=as_number,
)
