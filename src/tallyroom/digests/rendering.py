"""Makes a digest's mail: asks the questions of the widgets, draws their charts, and puts everything together."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

from msgspec import structs

from tallyroom.core.errors import TallyroomError, ValidationFailed
from tallyroom.dashboards.kind import Kind
from tallyroom.dashboards.mail.contents import MailChart, WidgetPart
from tallyroom.dashboards.widgets.configs import find_kind
from tallyroom.dashboards.widgets.questions import build_stored_question
from tallyroom.digests import repository
from tallyroom.digests.due_times import calendar_of
from tallyroom.digests.mail.head import MailHead
from tallyroom.digests.mail.message import RenderedDigest
from tallyroom.digests.mail.parts import build_part, build_problem_part, build_widget_detail
from tallyroom.digests.mail.period import format_long_period, format_rhythm, format_short_period
from tallyroom.queries.answer import Engine
from tallyroom.queries.config import Display, Result
from tallyroom.queries.window import Window
from tallyroom.queries.workspace_windows import WindowResolver
from tallyroom.storage.event_store.errors import QuestionTooCostly
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import Dashboard, Digest, Widget

DrawAnswer = Callable[[Kind[Any], Result, Display, str], Awaitable[bytes | None]]
"""Draws an answer in a time zone as a PNG; None if there is no picture of such answers."""

MAX_WIDGETS = 30
MAX_PICTURES = 12

_TOO_COSTLY_PROBLEM = "This widget took too long to answer. The dashboard may show it."
_WRONG_PROBLEM = "This widget no longer has an answer. Check its settings on the dashboard."

_log = logging.getLogger(__name__)


class DigestSource(NamedTuple):
    """What a mail is made from."""

    digest: Digest
    dashboard: Dashboard
    widgets: Sequence[Widget]

    @property
    def scope(self) -> Scope:
        """Whose events it is about."""
        return Scope(self.digest.workspace_id, self.dashboard.environment)


class DigestRenderer:
    """Makes mails.

    Args:
        database: has the dashboards.
        engine: answers the questions of their widgets.
        window_resolver: finds the window that they are about.
        draw_answer: draws the answers.
        public_url: where the links lead.
    """

    def __init__(
        self,
        database: Database,
        engine: Engine,
        window_resolver: WindowResolver,
        draw_answer: DrawAnswer,
        public_url: str,
    ) -> None:
        self._database = database
        self._engine = engine
        self._window_resolver = window_resolver
        self._draw_answer = draw_answer
        self._public_url = public_url

    async def render(self, digest_id: str, until_ms: int) -> RenderedDigest | None:
        """Make the mail of a digest about the time up to a moment; None if it was deleted.

        Raises:
            Unavailable: the event store cannot answer now.
        """
        source = await self._load_source(digest_id)
        if source is None:
            return None
        pictures: dict[str, bytes] = {}
        parts = [await self._build_part(source, widget, until_ms, pictures) for widget in source.widgets[:MAX_WIDGETS]]
        time_range, timezone = source.dashboard.time_range, source.digest.timezone
        window = await self._window_resolver.resolve(time_range, source.scope, until_ms, timezone)
        return RenderedDigest(_build_subject(source, window), self._build_head(source, window), parts, pictures)

    async def _load_source(self, digest_id: str) -> DigestSource | None:
        async with self._database.session(write=False) as db:
            digest_row = await repository.find_digest(db, digest_id)
            if digest_row is None:
                return None
            widgets = await repository.list_widgets(db, digest_row.dashboard.id)
        return DigestSource(digest_row.digest, digest_row.dashboard, widgets)

    def _build_head(self, source: DigestSource, window: Window) -> MailHead:
        digest, dashboard = source.digest, source.dashboard
        return MailHead(
            title=digest.name or _with_icon(dashboard),
            dashboard=_with_icon(dashboard) if digest.name else "",
            period=format_long_period(window, digest.timezone),
            rhythm=format_rhythm(calendar_of(digest)),
            link=f"{self._public_url}/d/{dashboard.id}?w={dashboard.workspace_id}",
            more=max(len(source.widgets) - MAX_WIDGETS, 0),
        )

    async def _build_part(
        self, source: DigestSource, widget: Widget, until_ms: int, pictures: dict[str, bytes]
    ) -> WidgetPart:
        """Answer a widget; its picture joins the `pictures`."""
        kind, timezone = find_kind(widget.type), source.digest.timezone
        question = structs.replace(
            build_stored_question(widget, source.dashboard), asked_ms=until_ms, is_explained=False, timezone=timezone
        )
        detail = build_widget_detail(kind, widget.title, question.config, timezone)
        try:
            result = await self._engine.answer(question)
        except (QuestionTooCostly, ValidationFailed) as error:
            problem = _WRONG_PROBLEM if isinstance(error, ValidationFailed) else _TOO_COSTLY_PROBLEM
            return build_problem_part(detail, problem)
        part = build_part(kind, detail, result)
        if any(isinstance(content, MailChart) for content in part.contents) and len(pictures) < MAX_PICTURES:
            png = await self._try_draw(kind, result, kind.display(question.config), timezone)
            return part if png is None else _with_picture(part, png, pictures)
        return part

    async def _try_draw(self, kind: Kind[Any], result: Result, display: Display, timezone: str) -> bytes | None:
        """Draw an answer; without a picture, the words of the chart are shown in its place."""
        try:
            return await self._draw_answer(kind, result, display, timezone)
        except TallyroomError as error:
            _log.warning("a digest lacks a picture", extra={"reason": error.message})
            return None


def _with_picture(part: WidgetPart, png: bytes, pictures: dict[str, bytes]) -> WidgetPart:
    name = f"chart{len(pictures) + 1}"
    pictures[name] = png
    return part._replace(
        contents=[
            content._replace(picture=name) if isinstance(content, MailChart) else content for content in part.contents
        ]
    )


def _with_icon(dashboard: Dashboard) -> str:
    """Return the name of a dashboard with its icon, if that is an emoji rather than the name of an icon."""
    icon = dashboard.icon
    return f"{icon} {dashboard.name}" if icon and not icon.isascii() else dashboard.name


def _build_subject(source: DigestSource, window: Window) -> str:
    digest, dashboard = source.digest, source.dashboard
    return f"{digest.name or dashboard.name}: {format_short_period(window, digest.timezone)}"
