"""Wires up the pages and pictures of public dashboards, which contain only what the public may see."""

from importlib.resources import files
from typing import Any

from tallyroom.core.shared_answers import build_short_lived_cache
from tallyroom.dashboards.public.pictures import PublicPictureJobs
from tallyroom.dashboards.public.service import PublicDashboards
from tallyroom.dashboards.registry import KINDS, RESULTS
from tallyroom.queries.answer import QuestionEngine
from tallyroom.server.services import Services
from tallyroom.server.ui.public_view import PublishedPage, PublishedPages
from tallyroom.server.ui.web_app import read_public_page
from tallyroom.storage.event_store.errors import QuestionTooCostly


def build_public_dependencies(services: Services, engine: QuestionEngine) -> dict[str, Any]:
    """Return what shows public dashboards: their data, their pages and their pictures, by dependency name."""
    shared_cache, removals, damages = (
        services.limits.answer_cache(),
        services.removals,
        services.completeness_check.damages,
    )
    answer_cache = build_short_lived_cache(
        services.clock, QuestionTooCostly, cache=shared_cache, name="public", answer_type=RESULTS
    )
    dashboards = PublicDashboards(
        services.database, engine, services.clock, answer_cache, lambda: (removals.cluster_version(), damages.entries)
    )

    async def load_published_page(slug: str) -> PublishedPage:
        content = await dashboards.load_page(slug)
        pictures = [(widget.id, widget.title) for widget in content.widgets if KINDS[widget.type].build_chart]
        return PublishedPage(content.dashboard.name, content.dashboard.description, pictures, bool(pictures))

    settings = services.settings
    app_page = read_public_page(files("tallyroom.server.ui").joinpath("static"))
    return {
        "public_dashboards": dashboards,
        "public_pictures": PublicPictureJobs(dashboards.load_answer, dashboards.find_preview_widget),
        "published_pages": PublishedPages(
            load_published_page, app_page, settings.widgets_url, is_https=settings.is_https
        ),
    }
