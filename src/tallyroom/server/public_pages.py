"""Gives the pages and the pictures of public dashboards what the public may see of them, and nothing else.

The pages are those of `ui`, which does not know `dashboards/public`; the pictures are drawn there.
"""

from importlib.resources import files
from typing import Any

from tallyroom.core.shared_answers import build_short_lived_cache
from tallyroom.dashboards.public.pictures import PublicPictures
from tallyroom.dashboards.public.service import PublicDashboards
from tallyroom.dashboards.registry import KINDS, RESULTS
from tallyroom.queries.answer import Engine
from tallyroom.server.services import Services
from tallyroom.server.ui.public_view import PublishedPage, PublishedPages
from tallyroom.server.ui.web_app import public_page
from tallyroom.storage.event_store.errors import QuestionTooCostly


def published(services: Services, engine: Engine) -> dict[str, Any]:
    """Return what shows public dashboards: their data, their pages and their pictures, by the names of dependencies."""
    cache, removals, damages = services.limits.answer_cache(), services.removals, services.completeness_check.damages
    answers = build_short_lived_cache(
        services.clock, QuestionTooCostly, cache=cache, name="public", answer_type=RESULTS
    )
    dashboards = PublicDashboards(
        services.database, engine, services.clock, answers, lambda: (removals.cluster_version(), damages.entries)
    )

    async def page(slug: str) -> PublishedPage:
        content = await dashboards.load_page(slug)
        pictures = [(widget.id, widget.title) for widget in content.widgets if KINDS[widget.type].picture]
        return PublishedPage(content.dashboard.name, content.dashboard.description, pictures, bool(pictures))

    settings = services.settings
    app_page = public_page(files("tallyroom.server.ui").joinpath("static"))
    return {
        "public_dashboards": dashboards,
        "public_pictures": PublicPictures(dashboards.load_answer, dashboards.find_preview_widget),
        "published_pages": PublishedPages(page, app_page, settings.widgets_url, secure=settings.secure_cookies),
    }
