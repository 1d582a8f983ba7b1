"""The look of a picture, from the query of every GET."""

from typing import Annotated, Any

from litestar.params import QueryParameter

from tallyroom.core.errors import ValidationFailed
from tallyroom.images.request import parse_background
from tallyroom.images.schemas import ANSWER_LIMITS, LIMITS, MAX_SERIES, AnswerLook, GraphRequest
from tallyroom.rest.bodies import convert_value
from tallyroom.rest.parameters import parse_integer

Name = Annotated[str | None, QueryParameter(name="name", description="Title of the graph.")]
Colors = Annotated[
    list[str] | None,
    QueryParameter(name="color", description="RGB, RRGGBB, RRGGBBAA, or 1 to 8 of the theme; one for each series."),
]
Width = Annotated[str | None, QueryParameter(name="width", description="Pixels, 16 to 2000; 1000 by default.")]
Height = Annotated[str | None, QueryParameter(name="height", description="Pixels, 16 to 2000; 400 by default.")]
Scale = Annotated[str | None, QueryParameter(name="scale", description="Scale of a PNG, 1 to 4; 1 by default.")]
Theme = Annotated[
    str | None,
    QueryParameter(name="theme", description="`light` (default), `dark`, or `auto`: the setting of the SVG's viewer."),
]
Background = Annotated[str | None, QueryParameter(name="background", description="A color, or `transparent`.")]
Fill = Annotated[
    str | None,
    QueryParameter(
        name="fill",
        description="Shade the area below up to 8 lines; by default, only below a single line, if zero is shown.",
    ),
]
AnswerWidth = Annotated[str | None, QueryParameter(name="width", description="Pixels, 320 to 2000; 600 by default.")]
AnswerHeight = Annotated[
    str | None,
    QueryParameter(
        name="height",
        description="Pixels, 120 to 2000; by default, as tall as the content. Only plots and bars can be shorter.",
    ),
]
AnswerScale = Annotated[str | None, QueryParameter(name="scale", description="Scale of a PNG, 1 to 4; 2 by default.")]


def provide_look(
    width: AnswerWidth = None,
    height: AnswerHeight = None,
    scale: AnswerScale = None,
    theme: Theme = None,
    background: Background = None,
) -> AnswerLook:
    """Provide the dependency `look`, of a widget's picture; raise `ValidationFailed` for an invalid parameter."""
    size_texts = {"width": width, "height": height, "scale": scale}
    fields: dict[str, Any] = {
        key: parse_integer(key, text, *ANSWER_LIMITS[key]) for key, text in size_texts.items() if text is not None
    }
    if theme is not None:
        fields["theme"] = theme
    if background is not None:
        fields["background"] = parse_background(background)
    return convert_value(fields, AnswerLook)


def provide_parameters(  # noqa: PLR0913, PLR0917 # they are the parameters of a request
    name: Name = None,
    color: Colors = None,
    width: Width = None,
    height: Height = None,
    scale: Scale = None,
    theme: Theme = None,
    background: Background = None,
    fill: Fill = None,
) -> GraphRequest:
    """Provide the dependency `parameters`, which has no data yet; raise `ValidationFailed` for an invalid one."""
    if color is not None and len(color) > MAX_SERIES:
        raise ValidationFailed.at(["color"], f"appears {len(color)} times; there are at most {MAX_SERIES} series")
    size_texts = {"width": width, "height": height, "scale": scale}
    numbers = {key: parse_integer(key, text, *LIMITS[key]) for key, text in size_texts.items() if text is not None}
    texts_by_name = {"name": name, "theme": theme, "background": background, "fill": fill}
    given_texts = {key: text for key, text in texts_by_name.items() if text is not None}
    parameters = convert_value({"data_points": [], **numbers, **given_texts}, GraphRequest, strict=False)
    parameters.colors = color or []
    return parameters
