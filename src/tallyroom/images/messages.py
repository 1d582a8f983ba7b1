"""The messages between the server and a worker that draws, sent as MessagePack."""

from enum import StrEnum

import msgspec

from tallyroom.images.charts.diagrams import Diagram
from tallyroom.images.charts.graph import Graph
from tallyroom.images.schemas import GraphRequest


class PictureFormat(StrEnum):
    """The format of a picture."""

    SVG = "image/svg+xml"
    PNG = "image/png"

    @classmethod
    def from_path(cls, path: str) -> "PictureFormat":
        """Return the format that the end of a path names; SVG if it names none."""
        return cls.PNG if path.endswith(".png") else cls.SVG


class FeedMoments(msgspec.Struct, frozen=True):
    """The times at which the points of a graph were fed, all in seconds since 1970 UTC.

    `starts` are the first points after long times without feeds; `time_range` is the start and the end of the axis.
    """

    starts: list[float]
    time_range: tuple[float, float] | None


class RenderJob(msgspec.Struct, frozen=True, tag=True):
    """A graph to draw; `data` is the JSON of the points of `parameters`, or of a whole `GraphRequest` without them."""

    format: PictureFormat
    data: bytes
    parameters: GraphRequest | None = None
    fed: FeedMoments | None = None


class DiagramJob(msgspec.Struct, frozen=True, tag=True):
    """The picture of an answer to draw; `scale` multiplies the pixels of a PNG."""

    format: PictureFormat
    diagram: Diagram
    scale: float = 1.0


class GraphJob(msgspec.Struct, frozen=True, tag=True):
    """A graph to draw that needs no more checks; `scale` multiplies the pixels of a PNG."""

    format: PictureFormat
    graph: Graph
    scale: float = 1.0


Job = RenderJob | DiagramJob | GraphJob


class Picture(msgspec.Struct, frozen=True):
    """A picture as it is sent; pictures with the same tag are the same."""

    format: PictureFormat
    body: bytes
    tag: str


JOB_DECODER: msgspec.msgpack.Decoder[Job] = msgspec.msgpack.Decoder(Job)
