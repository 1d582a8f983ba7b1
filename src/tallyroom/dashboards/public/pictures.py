"""Pictures of published dashboards: of a widget, and of the dashboard as a preview (rules/pictures#public-widgets)."""

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from msgspec import structs

from tallyroom.core.errors import NotFound, ValidationFailed
from tallyroom.core.notices import Notices
from tallyroom.dashboards.picture import build_picture_job
from tallyroom.dashboards.public.service import PublicAnswer
from tallyroom.images.messages import DiagramJob, PictureFormat
from tallyroom.images.schemas import MAX_PIXELS, AnswerLook

_SUFFIXES = (".svg", ".png")
_PREVIEW_SIZE = (1200, 630)  # of a link preview in a chat; a chart that is low enough is drawn at double scale


class PublicPictureJob(NamedTuple):
    """The picture to draw, and the notices of the answer that it shows."""

    picture: DiagramJob
    notices: Notices


class PublicPictureJobs:
    """Finds what to draw.

    `load_answer` accepts the slug of a dashboard and the id of a widget. `find_preview_widget` returns the id of the
    widget that represents a dashboard, if any. Both raise `NotFound` for what is not public, and `Unavailable`.
    """

    def __init__(
        self,
        load_answer: Callable[[str, str], Awaitable[PublicAnswer]],
        find_preview_widget: Callable[[str], Awaitable[str | None]],
    ) -> None:
        self._load_answer = load_answer
        self._find_preview_widget = find_preview_widget

    async def build_widget_job(self, slug: str, file_name: str, look: AnswerLook) -> PublicPictureJob:
        """Return the job for a widget id with any suffix of a format; raise `NotFound` or `ValidationFailed`."""
        answer = await self._load_answer(slug, strip_suffix(file_name))
        return PublicPictureJob(_build_job(answer, PictureFormat.from_path(file_name), look), answer.result.notices)

    async def build_preview_job(self, file_name: str, look: AnswerLook) -> PublicPictureJob:
        """Return the job for a slug with any suffix of a format; raise `NotFound` or `ValidationFailed`."""
        slug = strip_suffix(file_name)
        widget_id = await self._find_preview_widget(slug)
        if widget_id is None:
            raise NotFound("This public dashboard has no chart.")
        answer = await self._load_answer(slug, widget_id)
        width, height = look.width or _PREVIEW_SIZE[0] // 2, look.height or _PREVIEW_SIZE[1] // 2
        job = _build_job(answer, PictureFormat.from_path(file_name), structs.replace(look, width=width, height=height))
        if look.width is None and look.height is None and job.diagram.height > height:
            width, height = _PREVIEW_SIZE
            job = _build_job(answer, job.format, structs.replace(look, width=width, height=height, scale=1))
        return PublicPictureJob(job, answer.result.notices)


def strip_suffix(file_name: str) -> str:
    """Return the last segment of a path without the suffix of a format."""
    return next((file_name.removesuffix(suffix) for suffix in _SUFFIXES if file_name.endswith(suffix)), file_name)


def _build_job(answer: PublicAnswer, format_: PictureFormat, look: AnswerLook) -> DiagramJob:
    job = build_picture_job(
        answer.kind,
        answer.result,
        title=answer.title,
        timezone=answer.timezone,
        display=answer.display,
        format=format_,
        theme=look.theme,
        width=look.width or AnswerLook.USUAL_WIDTH,
        height=look.height,
        scale=look.scale,
    )
    if job is None:
        raise NotFound("Widgets of this type have no picture.")
    if job.diagram.width * job.diagram.height * job.scale**2 > MAX_PIXELS:
        raise ValidationFailed.at(["scale"], f"with this width and height results in more than {MAX_PIXELS:,} pixels")
    return structs.replace(job, diagram=structs.replace(job.diagram, background=look.background))
