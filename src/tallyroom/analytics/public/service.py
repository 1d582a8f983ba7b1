"""The rules of published dashboards: the slug gives access to the saved page, but not to the data behind it."""

from collections.abc import Callable

import msgspec

from tallyroom.analytics.public import repository
from tallyroom.analytics.public.schemas import PublicDashboard, PublicPage, PublicWidget
from tallyroom.analytics.widgets.configs import config_of, kind_of
from tallyroom.analytics.widgets.schemas import Layout
from tallyroom.analytics.widgets.service import dashboard_filters
from tallyroom.core.errors import NotFound
from tallyroom.core.shared_answers import SharedAnswers
from tallyroom.db.connection import Database, Session
from tallyroom.db.models import Dashboard, Widget
from tallyroom.engine.answer import Engine, WidgetQuestion
from tallyroom.engine.config import Config, Result
from tallyroom.engine.kinds.external import ExternalConfig
from tallyroom.engine.repository import find_circumstances, find_segment, find_source, list_group_keys
from tallyroom.store.scope import Scope

_NOT_THERE = "This public dashboard does not exist."  # the same answer for a private dashboard


class PublicDashboards:
    """Shows published dashboards.

    Args:
        database: has the dashboards.
        engine: answers the questions of their widgets.
        results: caches answers for a moment, and also that a question takes too long.
        generation: returns numbers that change whenever events are removed, restored or found to be lost; no earlier
            answer is used after that.
    """

    def __init__(
        self,
        database: Database,
        engine: Engine,
        results: SharedAnswers[Result],
        generation: Callable[[], tuple[int, int]],
    ) -> None:
        self._database = database
        self._engine = engine
        self._results = results
        self._generation = generation

    async def page(self, slug: str) -> PublicPage:
        """Return the dashboard that is published under `slug`.

        Raises:
            NotFound: no dashboard is published under it.
        """
        async with self._database.session(write=False) as db:
            dashboard = await _find(db, slug)
            widgets = await repository.list_widgets(db, dashboard)
        head = PublicDashboard(dashboard.name, dashboard.description, dashboard.icon, dashboard.time_range)
        return PublicPage(head, [_shown(widget) for widget in widgets])

    async def data(self, slug: str, widget_id: str) -> Result:
        """Return a widget's data as the public sees it, for the saved range, environment and filters.

        Raises:
            NotFound: no such dashboard is published, or it has no such widget.
            Unavailable: the event store cannot answer now, or not within its limits.
        """
        async with self._database.session(write=False) as db:
            dashboard = await _find(db, slug)
            widget = await repository.find_widget(db, dashboard, widget_id)
            if widget is None:
                raise NotFound(_NOT_THERE)
            group_keys = tuple(await list_group_keys(db, dashboard.workspace_id))
        scope = Scope(dashboard.workspace_id, dashboard.environment)
        segment = find_segment(self._database, scope, widget.segment_id) if widget.segment_id is not None else ()
        depends_on = (
            (widget.id, widget.type, widget.config, msgspec.json.encode(segment)),
            (scope, dashboard.time_range, dashboard.filters, widget.ignores_dashboard_filters),
            self._source_version(dashboard, widget),
            (group_keys, find_circumstances(self._database, scope.workspace_id), self._generation()),
        )
        return await self._results.get(depends_on, lambda: self._answer(dashboard, widget, group_keys))

    def _source_version(self, dashboard: Dashboard, widget: Widget) -> int | None:
        """Return a number that changes with the external source of the widget; None if it has none, or no longer."""
        config = _config(widget)
        if not isinstance(config, ExternalConfig):
            return None
        source = find_source(self._database, dashboard.workspace_id, config.source_id)
        return source and source.updated_at_ms

    async def _answer(self, dashboard: Dashboard, widget: Widget, group_keys: tuple[str, ...]) -> Result:
        kind = kind_of(widget.type)
        config = _config(widget)
        scope = Scope(dashboard.workspace_id, dashboard.environment)
        question = WidgetQuestion(
            scope=scope,
            span=dashboard.time_range,
            kind=kind,
            config=config,
            filters=dashboard_filters(dashboard, widget),
            explains=False,
        )
        result = await self._engine.answer(question)
        published = kind.published(config, result, group_keys)
        published.notices = result.notices
        return published


async def _find(db: Session, slug: str) -> Dashboard:
    dashboard = await repository.find_published(db, slug)
    if dashboard is None:
        raise NotFound(_NOT_THERE)
    return dashboard


def _config(widget: Widget) -> Config:
    return config_of(kind_of(widget.type), msgspec.Raw(widget.config.encode()))


def _shown(widget: Widget) -> PublicWidget:
    return PublicWidget(
        id=widget.id,
        title=widget.title,
        type=widget.type,
        layout=Layout(widget.width, widget.height),
        position=widget.position,
        display=kind_of(widget.type).display(_config(widget)),
    )
