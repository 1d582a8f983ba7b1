"""The part of a mail about one widget, made from its answer."""

from typing import Any

from tallyroom.dashboards.kind import Kind
from tallyroom.dashboards.mail.contents import MailNote, WidgetDetail, WidgetPart
from tallyroom.queries.config import Config, Result


def build_widget_detail(kind: Kind[Any], title: str, config: Config, timezone: str) -> WidgetDetail:
    """Return what a mail has to know of a widget; without a title, it is called what it is about."""
    return WidgetDetail(title if title.strip() else kind.title(config), config, timezone)


def build_part(kind: Kind[Any], widget: WidgetDetail, result: Result) -> WidgetPart:
    """Return what a mail shows of a widget with this answer."""
    return WidgetPart(widget.name, kind.mail(widget, result))


def build_problem_part(widget: WidgetDetail, problem: str) -> WidgetPart:
    """Return what a mail shows of a widget that has no answer."""
    return WidgetPart(widget.name, [MailNote(problem)])
