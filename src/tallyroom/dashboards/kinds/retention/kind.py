"""Retention as a kind of widget."""

from tallyroom.dashboards.kind import Kind, as_chart, as_it_is
from tallyroom.dashboards.kinds.retention.mail import contents
from tallyroom.dashboards.kinds.retention.picture import picture
from tallyroom.dashboards.kinds.retention.question import (
    Retention,
    RetentionConfig,
    check,
    covered_window,
    drill_down,
    is_empty,
    query_plan,
    shown_from_ms,
)
from tallyroom.queries.config import display_of

RETENTION = Kind(
    name="retention",
    config=RetentionConfig,
    results=(Retention,),
    check=check,
    query_plan=query_plan,
    drill_down=drill_down,
    covered_window=covered_window,
    shown_from_ms=shown_from_ms,
    is_empty=is_empty,
    title=lambda config: f"Retention of {config.cohort_event}",
    display=display_of,
    public_form=as_it_is,
    withheld=None,
    picture=picture,
    mail=contents,
    preview=as_chart,
)
