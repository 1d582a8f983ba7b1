"""The rules of published dashboards: the slug gives access to the saved page, but not to the data behind it."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import structs

from tallyroom.core.clock import Clock
from tallyroom.core.errors import NotFound
from tallyroom.core.shared_answers import SharedAnswers
from tallyroom.core.times import iso_ms
from tallyroom.dashboards.kind import Kind
from tallyroom.dashboards.kinds.external.question import ExternalConfig
from tallyroom.dashboards.outline import Outline
from tallyroom.dashboards.public import repository
from tallyroom.dashboards.public.schemas import PublicDashboard, PublicPage, PublicWidget
from tallyroom.dashboards.widgets.configs import find_kind, read_stored_config
from tallyroom.dashboards.widgets.questions import build_stored_question
from tallyroom.dashboards.widgets.repository import list_widgets
from tallyroom.dashboards.widgets.schemas import Layout
from tallyroom.queries.answer import QuestionEngine
from tallyroom.queries.config import Config, Display, Result
from tallyroom.queries.label_colors import color_labels
from tallyroom.queries.repository import find_source, find_workspace_defaults, list_group_keys, look_up_segment_filters
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import Dashboard, Widget

_NOT_FOUND_MESSAGE = "This public dashboard does not exist."  # the same answer for a private dashboard


class PublicAnswer(NamedTuple):
    """The answer of a widget as the public sees it, and all that is needed to draw it."""

    kind: Kind[Any]
    title: str
    display: Display
    timezone: str
    result: Result


class PublicDashboards:
    """Shows published dashboards.

    `result_cache` caches answers for a moment, and also that a question takes too long. `read_generation` returns a
    value that changes whenever a worker has removed, restored or lost events; no earlier answer is used after that.
    """

    def __init__(
        self,
        database: Database,
        engine: QuestionEngine,
        clock: Clock,
        result_cache: SharedAnswers[Result],
        read_generation: Callable[[], tuple[object, ...]],
    ) -> None:
        self._database = database
        self._engine = engine
        self._clock = clock
        self._result_cache = result_cache
        self._read_generation = read_generation

    async def load_page(self, slug: str) -> PublicPage:
        """Return the dashboard that is published under `slug`, or raise `NotFound`."""
        dashboard, widgets = await self._load_published(slug)
        timezone = (await find_workspace_defaults(self._database, dashboard.workspace_id)).timezone
        public_dashboard = PublicDashboard(
            dashboard.name, dashboard.description, dashboard.icon, dashboard.time_range, timezone
        )
        return PublicPage(public_dashboard, [_build_public_widget(widget) for widget in widgets])

    async def find_preview_widget(self, slug: str) -> str | None:
        """Return the id of the dashboard's first chart, else of its first number, if any; raise `NotFound`."""
        _, widgets = await self._load_published(slug)
        forms = [find_kind(widget.type).choose_preview_form(_read_config(widget)) for widget in widgets]
        forms_and_ids = [(form, widget.id) for form, widget in zip(forms, widgets, strict=True)]
        return next((id_ for kind in ("chart", "number") for form, id_ in forms_and_ids if form == kind), None)

    async def load_data(self, slug: str, widget_id: str) -> Result:
        """Return a widget's data as the public sees it; raise `NotFound`, or `Unavailable` if the store is too slow."""
        return (await self.load_answer(slug, widget_id)).result

    async def load_answer(self, slug: str, widget_id: str) -> PublicAnswer:
        """Return the same data with the widget's title and display; raises the errors of `load_data`."""
        async with self._database.session(write=False) as db:
            dashboard = await _find_dashboard(db, slug)
            widget = await repository.find_widget(db, dashboard, widget_id)
            if widget is None:
                raise NotFound(_NOT_FOUND_MESSAGE)
            group_keys = tuple(await list_group_keys(db, dashboard.workspace_id))
        scope = Scope(dashboard.workspace_id, dashboard.environment)
        segment_filters = (
            await look_up_segment_filters(self._database, scope, widget.segment_id)
            if widget.segment_id is not None
            else ()
        )
        workspace_defaults = await find_workspace_defaults(self._database, scope.workspace_id)
        cache_key = (
            (widget.id, widget.type, widget.config, msgspec.json.encode(segment_filters)),
            (scope, dashboard.time_range, dashboard.filters, widget.ignores_dashboard_filters),
            (widget.publish_rows, await self._find_source_version(dashboard, widget)),
            (group_keys, workspace_defaults, self._read_generation()),
        )
        result = await self._result_cache.get(cache_key, lambda: self._compute_result(dashboard, widget, group_keys))
        return PublicAnswer(
            find_kind(widget.type), widget.title, _build_display(widget), workspace_defaults.timezone, result
        )

    async def _load_published(self, slug: str) -> tuple[Dashboard, Sequence[Widget]]:
        async with self._database.session(write=False) as db:
            dashboard = await _find_dashboard(db, slug)
            return dashboard, await list_widgets(db, dashboard.id)

    async def _find_source_version(self, dashboard: Dashboard, widget: Widget) -> int | None:
        config = _read_config(widget)
        if not isinstance(config, ExternalConfig):
            return None
        source = await find_source(self._database, dashboard.workspace_id, config.source_id)
        return source and source.updated_at_ms

    async def _compute_result(self, dashboard: Dashboard, widget: Widget, group_keys: tuple[str, ...]) -> Result:
        question = build_stored_question(widget, dashboard)
        kind, config = find_kind(widget.type), question.config
        if kind.build_withheld_result is not None and not widget.publish_rows:
            withheld_result = kind.build_withheld_result(config)
            withheld_result.computed_at = iso_ms(self._clock.now_ms())
            return withheld_result
        result = await self._engine.answer(structs.replace(question, may_explain=False, folds_series=True))
        public_result = kind.build_public_result(config, color_labels(config, result), group_keys)
        public_result.notices = result.notices
        return public_result


async def _find_dashboard(db: Session, slug: str) -> Dashboard:
    dashboard = await repository.find_published(db, slug)
    if dashboard is None:
        raise NotFound(_NOT_FOUND_MESSAGE)
    return dashboard


def _read_config(widget: Widget) -> Config:
    return read_stored_config(find_kind(widget.type), widget.config)


def _build_display(widget: Widget) -> Display:
    return find_kind(widget.type).build_display(_read_config(widget))


def _build_outline(widget: Widget) -> Outline:
    kind = find_kind(widget.type)
    outline = kind.build_outline(_read_config(widget))
    is_withheld = kind.build_withheld_result is not None and not widget.publish_rows
    return structs.replace(outline, parts=0) if is_withheld else outline


def _build_public_widget(widget: Widget) -> PublicWidget:
    return PublicWidget(
        id=widget.id,
        title=widget.title,
        type=widget.type,
        layout=Layout(widget.width, widget.height),
        position=widget.position,
        display=_build_display(widget),
        outline=_build_outline(widget),
    )
