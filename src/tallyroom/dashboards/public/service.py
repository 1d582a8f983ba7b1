"""The rules of published dashboards: the slug gives access to the saved page, but not to the data behind it."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from tallyroom.core.clock import Clock
from tallyroom.core.errors import NotFound
from tallyroom.core.shared_answers import SharedAnswers
from tallyroom.core.times import iso_ms
from tallyroom.dashboards.public import repository
from tallyroom.dashboards.public.schemas import PublicDashboard, PublicPage, PublicWidget
from tallyroom.dashboards.widgets.configs import kind_of, stored_config
from tallyroom.dashboards.widgets.schemas import Layout
from tallyroom.dashboards.widgets.service import dashboard_filters
from tallyroom.queries.answer import Engine, WidgetQuestion
from tallyroom.queries.config import Config, Display, Result
from tallyroom.queries.kinds.external import ExternalConfig
from tallyroom.queries.kinds.formula import FormulaConfig
from tallyroom.queries.kinds.metric import MetricConfig
from tallyroom.queries.kinds.table import Table, TableConfig
from tallyroom.queries.repository import find_circumstances, find_segment, find_source, list_group_keys
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import Dashboard, Widget

_NOT_THERE = "This public dashboard does not exist."  # the same answer for a private dashboard
_CHARTS = {"funnel", "heatmap", "histogram", "retention"}  # and metrics and formulas that are more than one number
_NUMBERS = {"formula", "kpi", "metric"}


class PublicAnswer(NamedTuple):
    """The answer of a widget as the public sees it, and all that drawing it takes."""

    title: str
    display: Display
    timezone: str
    result: Result


class PublicDashboards:
    """Shows published dashboards.

    Args:
        database: has the dashboards.
        engine: answers the questions of their widgets.
        clock: tells when an answer was computed that takes no question.
        results: caches answers for a moment, and also that a question takes too long.
        generation: returns a value that changes whenever any worker has removed events, restored them or found them to
            be lost; no earlier answer is used after that.
    """

    def __init__(
        self,
        database: Database,
        engine: Engine,
        clock: Clock,
        results: SharedAnswers[Result],
        generation: Callable[[], tuple[object, ...]],
    ) -> None:
        self._database = database
        self._engine = engine
        self._clock = clock
        self._results = results
        self._generation = generation

    async def page(self, slug: str) -> PublicPage:
        """Return the dashboard that is published under `slug`.

        Raises:
            NotFound: no dashboard is published under it.
        """
        dashboard, widgets = await self._published(slug)
        timezone = (await find_circumstances(self._database, dashboard.workspace_id)).timezone
        head = PublicDashboard(dashboard.name, dashboard.description, dashboard.icon, dashboard.time_range, timezone)
        return PublicPage(head, [_shown(widget) for widget in widgets])

    async def preview(self, slug: str) -> str | None:
        """Return the id of the widget whose picture stands for the dashboard: its first chart, else its first number.

        Raises:
            NotFound: no dashboard is published under the slug.
        """
        _, widgets = await self._published(slug)
        charts = [widget.id for widget in widgets if _is_chart(widget)]
        numbers = [widget.id for widget in widgets if widget.type in _NUMBERS]
        return next(iter(charts + numbers), None)

    async def data(self, slug: str, widget_id: str) -> Result:
        """Return a widget's data as the public sees it, for the saved range, environment and filters.

        Raises:
            NotFound: no such dashboard is published, or it has no such widget.
            Unavailable: the event store cannot answer now, or not within its limits.
        """
        return (await self.answer(slug, widget_id)).result

    async def answer(self, slug: str, widget_id: str) -> PublicAnswer:
        """Return the same data with the widget's title and display; the errors are those of `data`."""
        async with self._database.session(write=False) as db:
            dashboard = await _find(db, slug)
            widget = await repository.find_widget(db, dashboard, widget_id)
            if widget is None:
                raise NotFound(_NOT_THERE)
            group_keys = tuple(await list_group_keys(db, dashboard.workspace_id))
        scope = Scope(dashboard.workspace_id, dashboard.environment)
        segment = await find_segment(self._database, scope, widget.segment_id) if widget.segment_id is not None else ()
        circumstances = await find_circumstances(self._database, scope.workspace_id)
        depends_on = (
            (widget.id, widget.type, widget.config, msgspec.json.encode(segment)),
            (scope, dashboard.time_range, dashboard.filters, widget.ignores_dashboard_filters),
            (widget.publish_rows, await self._source_version(dashboard, widget)),
            (group_keys, circumstances, self._generation()),
        )
        result = await self._results.get(depends_on, lambda: self._answer(dashboard, widget, group_keys))
        return PublicAnswer(widget.title, _display(widget), circumstances.timezone, result)

    async def _published(self, slug: str) -> tuple[Dashboard, Sequence[Widget]]:
        async with self._database.session(write=False) as db:
            dashboard = await _find(db, slug)
            return dashboard, await repository.list_widgets(db, dashboard)

    async def _source_version(self, dashboard: Dashboard, widget: Widget) -> int | None:
        """Return a number that changes with the external source of the widget; None if it has none, or no longer."""
        config = _config(widget)
        if not isinstance(config, ExternalConfig):
            return None
        source = await find_source(self._database, dashboard.workspace_id, config.source_id)
        return source and source.updated_at_ms

    async def _answer(self, dashboard: Dashboard, widget: Widget, group_keys: tuple[str, ...]) -> Result:
        kind = kind_of(widget.type)
        config = _config(widget)
        if isinstance(config, TableConfig) and not widget.publish_rows:
            return Table(
                columns=[*config.columns], rows=[], rows_withheld=True, computed_at=iso_ms(self._clock.now_ms())
            )
        scope = Scope(dashboard.workspace_id, dashboard.environment)
        question = WidgetQuestion(
            scope=scope,
            time_range=dashboard.time_range,
            kind=kind,
            config=config,
            filters=dashboard_filters(dashboard, widget),
            explains=False,
        )
        result = await self._engine.answer(question)
        public_result = kind.published(config, result, group_keys)
        public_result.notices = result.notices
        return public_result


async def _find(db: Session, slug: str) -> Dashboard:
    dashboard = await repository.find_published(db, slug)
    if dashboard is None:
        raise NotFound(_NOT_THERE)
    return dashboard


def _config(widget: Widget) -> Config:
    return stored_config(kind_of(widget.type), widget.config)


def _display(widget: Widget) -> Display:
    return kind_of(widget.type).display(_config(widget))


def _is_chart(widget: Widget) -> bool:
    config = _config(widget)
    if isinstance(config, MetricConfig | FormulaConfig):
        return config.over_time or config.breakdown is not None
    return widget.type in _CHARTS


def _shown(widget: Widget) -> PublicWidget:
    return PublicWidget(
        id=widget.id,
        title=widget.title,
        type=widget.type,
        layout=Layout(widget.width, widget.height),
        position=widget.position,
        display=_display(widget),
    )
