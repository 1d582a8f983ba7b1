"""Renders a digest's mail: answers the questions of the widgets, and puts everything together."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import structs

from tallyroom.core.errors import ValidationFailed
from tallyroom.dashboards.widgets.configs import find_kind
from tallyroom.dashboards.widgets.questions import build_stored_question
from tallyroom.digests import repository
from tallyroom.digests.due_times import calendar_of
from tallyroom.digests.mail.head import MailHead
from tallyroom.digests.mail.message import RenderedDigest
from tallyroom.digests.mail.parts import build_mail_widget, build_part, build_problem_part
from tallyroom.digests.mail.period import format_long_period, format_rhythm, format_short_period
from tallyroom.digests.mail.subject import build_subject
from tallyroom.digests.pictures import AnsweredWidget, Illustrator, PictureSource
from tallyroom.queries.answer import QuestionEngine
from tallyroom.queries.label_colors import color_labels
from tallyroom.queries.window import Window
from tallyroom.queries.workspace_windows import WindowResolver
from tallyroom.storage.event_store.errors import QuestionTooCostly
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import Dashboard, Digest, Widget

MAX_WIDGETS = 30

_TOO_COSTLY_PROBLEM = "This widget took too long to load. It may load on the dashboard."
_NO_ANSWER_PROBLEM = "This widget no longer works. Check its settings on the dashboard."


class LoadedDigest(NamedTuple):
    """What a mail is rendered from."""

    digest: Digest
    dashboard: Dashboard
    widgets: Sequence[Widget]

    @property
    def scope(self) -> Scope:
        """The scope of its events."""
        return Scope(self.digest.workspace_id, self.dashboard.environment)


class DigestRenderer:
    """Renders mails; `public_url` is the base of their links."""

    def __init__(
        self,
        database: Database,
        engine: QuestionEngine,
        window_resolver: WindowResolver,
        illustrator: Illustrator,
        public_url: str,
    ) -> None:
        self._database = database
        self._engine = engine
        self._window_resolver = window_resolver
        self._illustrator = illustrator
        self._public_url = public_url

    async def render(self, digest_id: str, until_ms: int, *, is_fresh: bool = True) -> RenderedDigest | None:
        """Render the mail of a digest about the time up to a moment; None if it was deleted.

        Unless `is_fresh`, the mail reports that the newest events may be missing. Raises `Unavailable` if the event
        store cannot answer now.
        """
        loaded_digest = await self._load_digest(digest_id)
        if loaded_digest is None:
            return None
        answered_widgets = [
            await self._answer_widget(loaded_digest, widget, until_ms) for widget in loaded_digest.widgets[:MAX_WIDGETS]
        ]
        parts, png_by_name = await self._illustrator.illustrate(answered_widgets, loaded_digest.digest.timezone)
        time_range, timezone = loaded_digest.dashboard.time_range, loaded_digest.digest.timezone
        window = await self._window_resolver.resolve(time_range, loaded_digest.scope, until_ms, timezone)
        digest, dashboard = loaded_digest.digest, loaded_digest.dashboard
        subject = build_subject(digest.name or dashboard.name, parts, format_short_period(window, timezone))
        head = self._build_head(loaded_digest, window)._replace(is_fresh=is_fresh)
        return RenderedDigest(subject, head, parts, png_by_name)

    async def _load_digest(self, digest_id: str) -> LoadedDigest | None:
        async with self._database.session(write=False) as db:
            digest_row = await repository.find_digest_with_dashboard(db, digest_id)
            if digest_row is None:
                return None
            widgets = await repository.list_widgets(db, digest_row.dashboard.id)
        return LoadedDigest(digest_row.digest, digest_row.dashboard, widgets)

    def _build_head(self, loaded_digest: LoadedDigest, window: Window) -> MailHead:
        digest, dashboard = loaded_digest.digest, loaded_digest.dashboard
        return MailHead(
            title=digest.name or _name_with_icon(dashboard),
            dashboard_name=_name_with_icon(dashboard) if digest.name else "",
            period_text=format_long_period(window, digest.timezone),
            rhythm_text=format_rhythm(calendar_of(digest)),
            dashboard_url=f"{self._public_url}/d/{dashboard.id}?w={dashboard.workspace_id}",
            left_out_count=max(len(loaded_digest.widgets) - MAX_WIDGETS, 0),
        )

    async def _answer_widget(self, loaded_digest: LoadedDigest, widget: Widget, until_ms: int) -> AnsweredWidget:
        """Answer a widget, or explain in its place why it has no answer."""
        kind, timezone = find_kind(widget.type), loaded_digest.digest.timezone
        question = structs.replace(
            build_stored_question(widget, loaded_digest.dashboard),
            asked_ms=until_ms,
            may_explain=False,
            folds_series=True,
            timezone=timezone,
        )
        mail_widget = build_mail_widget(kind, widget.title, question.config, timezone)
        try:
            result = color_labels(question.config, await self._engine.answer(question))
        except (QuestionTooCostly, ValidationFailed) as error:
            problem = _NO_ANSWER_PROBLEM if isinstance(error, ValidationFailed) else _TOO_COSTLY_PROBLEM
            part, picture_source = build_problem_part(mail_widget, problem), None
        else:
            part = build_part(kind, mail_widget, result)
            picture_source = PictureSource(kind, result, kind.build_display(question.config))
        return AnsweredWidget(part._replace(column_count=widget.width), picture_source)


def _name_with_icon(dashboard: Dashboard) -> str:
    """Return the name of a dashboard with its icon, if that is an emoji rather than the name of an icon."""
    icon = dashboard.icon
    return f"{icon} {dashboard.name}" if icon and not icon.isascii() else dashboard.name
