"""The part of a mail about one widget, made from its answer."""

from typing import Any

from tallyroom.dashboards.kind import Kind
from tallyroom.dashboards.mail.contents import MailNote, MailWidget, WidgetPart
from tallyroom.queries.config import Config, Result


def build_mail_widget(kind: Kind[Any], title: str, config: Config, timezone: str) -> MailWidget:
    """Return a widget as a mail needs it; a widget without a title is named by its subject."""
    return MailWidget(title if title.strip() else kind.title(config), config, timezone)


def build_part(kind: Kind[Any], mail_widget: MailWidget, result: Result) -> WidgetPart:
    """Return a mail's part about a widget with this answer."""
    return WidgetPart(mail_widget.name, kind.build_mail_contents(mail_widget, result))


def build_problem_part(mail_widget: MailWidget, problem: str) -> WidgetPart:
    """Return a mail's part about a widget that has no answer."""
    return WidgetPart(mail_widget.name, [MailNote(problem)])
