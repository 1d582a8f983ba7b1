"""A kind of widget: everything about it, each part required (decision 0036)."""

from collections.abc import Callable, Collection
from typing import Any, Literal

from tallyroom.dashboards.chart_parts import PictureSettings
from tallyroom.dashboards.mail.contents import MailContent, MailWidget
from tallyroom.dashboards.outline import Outline
from tallyroom.images.charts.diagrams import Diagram
from tallyroom.queries.config import Display, Result
from tallyroom.queries.kind import C, QuestionKind

PreviewForm = Literal["chart", "number"]


class Kind(QuestionKind[C], frozen=True, kw_only=True):
    """One kind of widget.

    `title` names a widget without a title; it may be empty. `build_display` is the part of the config that a public
    page may show, `build_outline` what it may know before the answer, and `build_public_result` the answer; it receives
    the property keys whose values are groups.
    `build_withheld_result` is the public's answer if rows are not published; None if its answers have no rows.
    `build_chart` has no title and its usual height; None if there is no picture. `choose_preview_form` is whether its
    picture can represent a dashboard.
    """

    title: Callable[[C], str]
    build_display: Callable[[C], Display]
    build_outline: Callable[[C], Outline]
    build_public_result: Callable[[C, Any, Collection[str]], Result]
    build_withheld_result: Callable[[C], Result] | None
    build_chart: Callable[[Any, PictureSettings], Diagram] | None
    build_mail_contents: Callable[[MailWidget, Any], list[MailContent]]
    choose_preview_form: Callable[[C], PreviewForm | None]


def as_it_is(_config: Any, result: Any, _group_keys: Collection[str]) -> Result:
    """Return the answer unchanged: `build_public_result` of kinds whose answers have only numbers and event names."""
    answer: Result = result
    return answer


def no_title(_config: Any) -> str:
    """Return an empty title: `title` of kinds whose configs have nothing short to say."""
    return ""


def as_chart(_config: Any) -> PreviewForm | None:
    """Let the picture represent a dashboard: `choose_preview_form` of kinds that are always a chart."""
    return "chart"


def as_number(_config: Any) -> PreviewForm | None:
    """Let the picture represent a dashboard without charts: `choose_preview_form` of kinds that are always numbers."""
    return "number"


def as_number_or_chart(config: Any) -> PreviewForm | None:
    """Return `number` for one number, and `chart` over time or with a breakdown."""
    return "chart" if config.over_time or config.breakdown is not None else "number"


def no_preview(_config: Any) -> PreviewForm | None:
    """Represent no dashboard: `choose_preview_form` of kinds without a picture."""
    return None
