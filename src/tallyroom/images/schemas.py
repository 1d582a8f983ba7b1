"""The fields of a request for a graph (rules/pictures#points)."""

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from tallyroom.images.charts.colors import Color

MAX_POINTS = 10_000
MAX_SERIES = 50
MAX_QUERY_BYTES = 65_500  # a URL can have 64 KiB, with its path
MAX_PIXELS = 4_000_000  # of a PNG, with its scale; each takes four bytes while it is drawn

LIMITS = {"width": (16, 2_000), "height": (16, 2_000), "scale": (1, 4)}
ANSWER_LIMITS = {"width": (320, 2_000), "height": (120, 2_000), "scale": (1, 4)}  # the words of a widget need more room

ThemeChoice = Literal["light", "dark", "auto"]


class DataPoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A point of the series `id`: seconds since 1970, or milliseconds if all `x` are above 10^11, and a value."""

    id: str
    x: float
    y: float


class GraphRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A graph to draw. Points with the same `id` form a series; `colors` are in the order of their first points."""

    data_points: Annotated[list[DataPoint], Meta(max_length=MAX_POINTS)]
    name: str = ""
    colors: Annotated[list[str], Meta(max_length=MAX_SERIES)] = []
    width: Annotated[int, Meta(ge=LIMITS["width"][0], le=LIMITS["width"][1])] = 1000
    height: Annotated[int, Meta(ge=LIMITS["height"][0], le=LIMITS["height"][1])] = 400
    scale: Annotated[int, Meta(ge=LIMITS["scale"][0], le=LIMITS["scale"][1])] = 1
    theme: ThemeChoice = "light"
    background: str | None = None
    fill: bool | None = None


class AnswerLook(msgspec.Struct, frozen=True):
    """How the picture of a widget looks. Values that are None suit the answer."""

    USUAL_WIDTH: ClassVar[int] = 600

    width: int | None = None
    height: int | None = None
    scale: int = 2
    theme: ThemeChoice = "light"
    background: Color | None = None
