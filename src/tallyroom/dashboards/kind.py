"""A kind of widget: all of it, each part required (decision 0036).

A kind is a folder in `kinds/` with its question, its picture and its part of a mail, a line in `registry.py`, and a
folder of the same name in web/src/widgets.
"""

from collections.abc import Callable, Collection
from typing import Any, Literal

from tallyroom.dashboards.chart_parts import PictureSettings
from tallyroom.dashboards.mail.contents import Content, WidgetDetail
from tallyroom.images.charts.diagrams import Diagram
from tallyroom.queries.config import Display, Result
from tallyroom.queries.kind import C, QuestionKind

Preview = Literal["chart", "number"]


class Kind(QuestionKind[C], frozen=True, kw_only=True):
    """One kind of widget.

    Attributes:
        title: what a widget without a title is called; empty if nothing says what it is about.
        display: the part of the config that a public page may know.
        public_form: the answer as the public may see it; receives the property keys whose values are groups.
        withheld: the public's answer for a widget whose rows are not published; None if its answers have no rows.
        picture: the chart of an answer with its usual height and without a title; None if it has no picture.
        mail: what a mail shows of an answer.
        preview: whether its picture can stand for a whole dashboard, as a chart or, if there is none, as a number.
    """

    title: Callable[[C], str]
    display: Callable[[C], Display]
    public_form: Callable[[C, Any, Collection[str]], Result]
    withheld: Callable[[C], Result] | None
    picture: Callable[[Any, PictureSettings], Diagram] | None
    mail: Callable[[WidgetDetail, Any], list[Content]]
    preview: Callable[[C], Preview | None]


def as_it_is(_config: Any, result: Any, _group_keys: Collection[str]) -> Result:
    """Return the answer unchanged: `public_form` of kinds whose answers contain only numbers and event names."""
    answer: Result = result
    return answer


def no_title(_config: Any) -> str:
    """Return an empty title: `title` of kinds whose configs say nothing short about them."""
    return ""


def as_chart(_config: Any) -> Preview | None:
    """Let the picture stand for a dashboard: `preview` of kinds that always are a chart."""
    return "chart"


def as_number(_config: Any) -> Preview | None:
    """Let the picture stand for a dashboard without charts: `preview` of kinds that always are numbers."""
    return "number"


def no_preview(_config: Any) -> Preview | None:
    """Let nothing stand for a dashboard: `preview` of kinds without a picture."""
    return None
