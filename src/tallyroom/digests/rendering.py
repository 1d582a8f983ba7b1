"""Makes a digest's mail: asks the questions of the widgets, draws their charts, and puts everything together."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from tallyroom.core.errors import TallyroomError, ValidationFailed
from tallyroom.dashboards.widgets.configs import kind_of, stored_config
from tallyroom.dashboards.widgets.service import dashboard_filters
from tallyroom.digests import repository
from tallyroom.digests.due_times import calendar_of
from tallyroom.digests.mail.contents import MailChart, WidgetPart
from tallyroom.digests.mail.head import MailHead
from tallyroom.digests.mail.message import RenderedDigest
from tallyroom.digests.mail.parts import WidgetDetail, part_of, problem_part
from tallyroom.digests.mail.period import long_period, rhythm, short_period
from tallyroom.queries.answer import Engine, WidgetQuestion
from tallyroom.queries.config import Display, Result
from tallyroom.queries.window import Window
from tallyroom.queries.workspace_windows import Windows
from tallyroom.storage.event_store.errors import QuestionTooCostly
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import Dashboard, Digest, Widget

DrawAnswer = Callable[[Result, Display, str], Awaitable[bytes | None]]
"""Draws an answer in a time zone as a PNG; None if there is no picture of such answers."""

MAX_WIDGETS = 30
MAX_PICTURES = 12

_TOO_COSTLY = "This widget took too long to answer. The dashboard may show it."
_WRONG = "This widget no longer has an answer. Check its settings on the dashboard."

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
        windows: finds the window that they are about.
        draw: draws the answers.
        public_url: where the links lead.
    """

    def __init__(self, database: Database, engine: Engine, windows: Windows, draw: DrawAnswer, public_url: str) -> None:
        self._database = database
        self._engine = engine
        self._windows = windows
        self._draw = draw
        self._public_url = public_url

    async def render(self, digest_id: str, until_ms: int) -> RenderedDigest | None:
        """Make the mail of a digest about the time up to a moment; None if it was deleted.

        Raises:
            Unavailable: the event store cannot answer now.
        """
        source = await self._content(digest_id)
        if source is None:
            return None
        pictures: dict[str, bytes] = {}
        parts = [await self._part(source, widget, until_ms, pictures) for widget in source.widgets[:MAX_WIDGETS]]
        time_range, timezone = source.dashboard.time_range, source.digest.timezone
        window = await self._windows.find(time_range, source.scope, until_ms, timezone)
        return RenderedDigest(_subject(source, window), self._head(source, window), parts, pictures)

    async def _content(self, digest_id: str) -> DigestSource | None:
        async with self._database.session(write=False) as db:
            placed_digest = await repository.find_digest(db, digest_id)
            if placed_digest is None:
                return None
            widgets = await repository.list_widgets(db, placed_digest.dashboard.id)
        return DigestSource(placed_digest.digest, placed_digest.dashboard, widgets)

    def _head(self, source: DigestSource, window: Window) -> MailHead:
        digest, dashboard = source.digest, source.dashboard
        return MailHead(
            title=digest.name or _with_icon(dashboard),
            dashboard=_with_icon(dashboard) if digest.name else "",
            period=long_period(window, digest.timezone),
            rhythm=rhythm(calendar_of(digest)),
            link=f"{self._public_url}/d/{dashboard.id}?w={dashboard.workspace_id}",
            more=max(len(source.widgets) - MAX_WIDGETS, 0),
        )

    async def _part(
        self, source: DigestSource, widget: Widget, until_ms: int, pictures: dict[str, bytes]
    ) -> WidgetPart:
        """Answer a widget; its picture joins the `pictures`."""
        kind = kind_of(widget.type)
        config = stored_config(kind, widget.config)
        question = WidgetQuestion(
            scope=source.scope,
            time_range=source.dashboard.time_range,
            kind=kind,
            config=config,
            filters=dashboard_filters(source.dashboard, widget),
            until_ms=until_ms,
            explains=False,
            timezone=source.digest.timezone,
        )
        detail = WidgetDetail(widget.title, widget.type, config, source.digest.timezone)
        try:
            result = await self._engine.answer(question)
        except (QuestionTooCostly, ValidationFailed) as error:
            problem = _WRONG if isinstance(error, ValidationFailed) else _TOO_COSTLY
            return problem_part(detail, problem)
        part = part_of(detail, result)
        if any(isinstance(content, MailChart) for content in part.contents) and len(pictures) < MAX_PICTURES:
            png = await self._drawn(result, kind.display(config), source.digest.timezone)
            return part if png is None else _with_picture(part, png, pictures)
        return part

    async def _drawn(self, result: Result, display: Display, timezone: str) -> bytes | None:
        """Draw an answer; without a picture, the words of the chart are shown in its place."""
        try:
            return await self._draw(result, display, timezone)
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


def _subject(source: DigestSource, window: Window) -> str:
    digest, dashboard = source.digest, source.dashboard
    return f"{digest.name or dashboard.name}: {short_period(window, digest.timezone)}"
