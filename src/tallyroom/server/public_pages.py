"""Gives the pages and the pictures of public dashboards what the public may see of them, and nothing else.

The pages are those of `ui`, the pictures those of `images`; neither knows the resource `analytics.public`.
"""

from importlib.resources import files
from typing import Any

from tallyroom.core.shared_answers import for_a_moment
from tallyroom.dashboards.public.service import PublicDashboards
from tallyroom.images.answer_charts import WITHOUT_PICTURE
from tallyroom.images.public_pictures import PublishedAnswer, PublishedWidgets
from tallyroom.queries.answer import Engine
from tallyroom.queries.registry import RESULTS
from tallyroom.server.services import Services
from tallyroom.server.ui.public_view import PublishedPage, PublishedPages
from tallyroom.server.ui.web_app import public_page
from tallyroom.storage.event_store.errors import QuestionTooCostly


def published(services: Services, engine: Engine) -> dict[str, Any]:
    """Return what shows public dashboards: their data, their pages and their pictures, by the names of dependencies."""
    cache, removals, damages = services.limits.answers(), services.removals, services.soundness.damages
    answers = for_a_moment(services.clock, QuestionTooCostly, cache=cache, name="public", type_=RESULTS)
    dashboards = PublicDashboards(
        services.database, engine, services.clock, answers, lambda: (removals.cluster_number(), damages.entries)
    )

    async def answer(slug: str, widget_id: str) -> PublishedAnswer:
        return PublishedAnswer(*await dashboards.answer(slug, widget_id))

    async def page(slug: str) -> PublishedPage:
        content = await dashboards.page(slug)
        pictures = [(widget.id, widget.title) for widget in content.widgets if widget.type not in WITHOUT_PICTURE]
        return PublishedPage(content.dashboard.name, content.dashboard.description, pictures, bool(pictures))

    settings = services.settings
    app_page = public_page(files("tallyroom.server.ui").joinpath("static"))
    return {
        "public_dashboards": dashboards,
        "published_widgets": PublishedWidgets(answer, dashboards.preview),
        "published_pages": PublishedPages(page, app_page, settings.widgets_url, secure=settings.secure_cookies),
    }
